// A shell line that repeats a hostile request. The token stays $TOKEN, for the reader to fill in.
import { maskText } from "../../../record/index.ts";
import { type HostileRequest, tokenPlaceholder, toWire } from "./request.ts";

/** A curl line, or `printf ... | nc` where curl cannot send the same bytes. */
export function shellLine(request: HostileRequest, baseUrl: string): string {
  const url = new URL(baseUrl);
  if (request.raw !== undefined || !isForCurl(request)) {
    const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
    const bytes = toWire(request, url.host, tokenPlaceholder).toString("latin1");
    const program =
      url.protocol === "https:"
        ? `openssl s_client -quiet -connect ${url.hostname}:${port}`
        : `nc ${url.hostname} ${port}`;
    return `printf %b ${quote(bytes, forPrintf)} | ${program}`;
  }
  const parts = [
    "curl",
    "-i",
    "--path-as-is",
    "--globoff",
    "-X",
    quote(request.method),
    quote(url.origin + request.target),
  ];
  for (const [name, value] of request.headers) {
    // curl omits a header without a value unless it ends with a semicolon.
    parts.push("-H", quote(value === "" ? `${name};` : `${name}: ${value}`));
  }
  if (request.body !== undefined) {
    if (!request.headers.some(([name]) => name.toLowerCase() === "content-type"))
      parts.push("-H", quote("content-type:"));
    parts.push("--data-binary", quote(request.body));
  }
  return parts.join(" ");
}

function isForCurl({ method, target, headers, body }: HostileRequest): boolean {
  return (
    /^[A-Z]+$/.test(method) &&
    /^[!-~]+$/.test(target) &&
    !target.includes("#") &&
    headers.every(([name, value]) => /^[\w-]+$/.test(name) && !/[\r\n\0]/.test(value)) &&
    !(body ?? "").includes("\0") &&
    !(body ?? "").startsWith("@")
  );
}

// Plain characters only; escaped ones would not make the line shorter.
const longRun = /([ -&(-[\]-~])\1{99,}/g;

type Escape = (text: string) => string;

/** One bash word: non-plain bytes as escapes, long repetitions as a command that generates them. */
function quote(bytes: string, escape: Escape = forBash): string {
  const text = maskText(bytes);
  let word = "";
  let from = 0;
  for (const run of text.matchAll(longRun)) {
    const [whole, unit = ""] = run;
    word += withToken(text.slice(from, run.index), escape);
    word += `"$(printf '%*s' ${whole.length} '' | tr ' ' ${forBash(unit)})"`;
    from = run.index + whole.length;
  }
  word += withToken(text.slice(from), escape);
  return word === "" ? "''" : word;
}

function withToken(text: string, escape: Escape): string {
  return text
    .split(tokenPlaceholder)
    .map((part) => (part === "" ? "" : escape(part)))
    .join('"$TOKEN"');
}

/** A bash word: plain in single quotes, everything else in the form $'...'. */
function forBash(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const escaped = Array.from(text, (character) =>
    character === "'" || character === "\\"
      ? `\\${character}`
      : escapeByte(character, (code) => `\\x${code.toString(16).padStart(2, "0")}`),
  );
  return `$'${escaped.join("")}'`;
}

/** A word that `printf %b` turns into the bytes, NUL among them. */
function forPrintf(text: string): string {
  const escaped = Array.from(text, (character) =>
    character === "'" || character === "\\" ? octal(character.charCodeAt(0)) : escapeByte(character, octal),
  );
  return `'${escaped.join("")}'`;
}

function octal(code: number): string {
  return `\\0${code.toString(8).padStart(3, "0")}`;
}

function escapeByte(character: string, escape: (code: number) => string): string {
  const code = character.charCodeAt(0);
  return code >= 0x20 && code < 0x7f ? character : escape(code);
}
