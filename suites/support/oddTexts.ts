/** A text of a record, with a letter at both ends: what stands around a text may be trimmed by a filter. */
export interface OddText {
  readonly text: string;
  /** Gateways may reject the text: neither the length nor the characters are stated. */
  readonly mayBeRejected: boolean;
}

const controls = String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1), 0x7f);
const nul = String.fromCharCode(0);
const short = 200;

/** Texts that escaping, encoding, framing, normalising or shortening by a store, a stream or a file would change. */
export const oddTexts: readonly OddText[] = [
  { text: 'É "Quoted"', mayBeRejected: false },
  { text: "Détail 説明", mayBeRejected: false },
  ...[
    "100% %41%2F + <b>bold</b> &amp; 'a'='b'",
    "back\\slash; two  spaces \u{1F600} é",
    "comma, line\nand\ttab",
    "lines\nof a stream\r\nid: 0\ndata: {}\n\nevent: end\n\n: last",
    'written \\n \\u0041 \\" \\\\ {"json": [null]} ${a} %s',
    `controls ${controls} end`,
    `nul ${nul} end`,
    "planes \u{10348}\u{20BB7}\u{1F469}\u200D\u{1F4BB} decomposed e\u0301 A\u030A end",
    "separators \u0085 \u00A0 \u2028 \u2029 \uFEFF \uFFFD end",
    `middling ${"0123456789".repeat(30)} end`,
    `characters ${"説é\u{1F600}".repeat(500)} end`,
    `lines ${"one more line\n".repeat(270)} end`,
    `long ${"0123456789abcdef".repeat(4096)} end`,
  ].map((text) => ({ text, mayBeRejected: true })),
];

/** Whether the text may be a name as well, and a part of a request's query; web servers reject a NUL there. */
export function isShort({ text }: OddText): boolean {
  return text.length <= short && !text.includes(nul);
}
