// Mistakes that firmware makes with single values, by the type of the value.
import type { LeafType } from "./leaves.ts";

export interface Mistake {
  readonly id: string;
  /** Ends a sentence that begins with the value: "... is shown ...". */
  readonly as: string;
  readonly types: readonly LeafType[];
  readonly edit: (value: unknown) => unknown;
}

const integer =
  (edit: (value: bigint) => bigint) =>
  (value: unknown): unknown => {
    if (typeof value === "bigint") return edit(value);
    return typeof value === "number" && Number.isInteger(value) ? Number(edit(BigInt(value))) : value;
  };
const onText =
  (edit: (value: string) => string) =>
  (value: unknown): unknown =>
    typeof value === "string" ? edit(value) : value;

const htmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A time with the same clock reading and another offset. */
function moved(time: string, hours: number): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) || time.startsWith("0001") ? time : new Date(ms + hours * 3_600_000).toISOString();
}

export const mistakes: readonly Mistake[] = [
  { id: "int16", as: "as int16", types: ["integer"], edit: integer((value) => BigInt.asIntN(16, value)) },
  { id: "int32", as: "as int32", types: ["integer"], edit: integer((value) => BigInt.asIntN(32, value)) },
  {
    id: "sign-lost",
    as: "as unsigned 32-bit integer",
    types: ["integer"],
    edit: integer((value) => BigInt.asUintN(32, value)),
  },
  {
    id: "single-precision",
    as: "in single precision",
    types: ["integer", "number"],
    edit: (value) => (typeof value === "number" ? Math.fround(value) : value),
  },
  {
    id: "trimmed",
    as: "without the blanks around it",
    types: ["string"],
    edit: onText((text) => text.trim()),
  },
  {
    id: "cut-at-32",
    as: "cut at 32 characters",
    types: ["string"],
    edit: onText((text) => text.slice(0, 32)),
  },
  {
    id: "cut-at-255-bytes",
    as: "cut at 255 bytes",
    types: ["string"],
    edit: onText((text) =>
      Buffer.byteLength(text) > 255 ? Buffer.from(text).subarray(0, 255).toString() : text,
    ),
  },
  {
    id: "bytes-as-characters",
    as: "with the bytes of UTF-8 as characters",
    types: ["string"],
    edit: onText((text) => Buffer.from(text).toString("latin1")),
  },
  {
    id: "without-astral-characters",
    as: "with _ for characters beyond U+FFFF",
    types: ["string"],
    edit: onText((text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, "_")),
  },
  {
    id: "html-escaped",
    as: "with HTML escapes",
    types: ["string"],
    edit: onText((text) => text.replaceAll(/[&<>"']/g, (sign) => htmlEscapes[sign] ?? sign)),
  },
  {
    id: "plus-as-blank",
    as: "with a blank for +",
    types: ["string"],
    edit: onText((text) => text.replaceAll("+", " ")),
  },
  {
    id: "in-small-letters",
    as: "in lower case",
    types: ["string"],
    edit: onText((text) => text.toLowerCase()),
  },
  {
    id: "digits-as-number",
    as: "without leading zeros, where it has digits only",
    types: ["string"],
    edit: onText((text) => (/^0\d+$/.test(text) ? String(Number(text)) : text)),
  },
  {
    id: "local-time",
    as: "as local time marked as UTC",
    types: ["timestamp"],
    edit: onText((text) => moved(text, 2)),
  },
  {
    id: "offset-dropped",
    as: "with Z in place of its offset",
    types: ["timestamp"],
    edit: onText((text) => text.replace(/[+-]\d\d:\d\d$/, "Z")),
  },
  {
    id: "day-and-month-exchanged",
    as: "with day and month exchanged where both are valid",
    types: ["timestamp"],
    edit: onText((text) => text.replace(/^(\d{4})-(\d\d)-(0\d|1[0-2])T/, "$1-$3-$2T")),
  },
  {
    id: "until-2038",
    as: "as 2038-01-19 where it is later",
    types: ["timestamp"],
    edit: onText((text) => (Date.parse(text) > 2_147_483_647_000 ? "2038-01-19T03:14:07Z" : text)),
  },
  { id: "always-true", as: "as true", types: ["boolean"], edit: () => true },
  { id: "always-false", as: "as false", types: ["boolean"], edit: () => false },
  { id: "first-only", as: "with its first item only", types: ["array"], edit: (value) => part(value, 0, 1) },
  { id: "last-only", as: "with its last item only", types: ["array"], edit: (value) => part(value, -1) },
];

function part(value: unknown, from: number, to?: number): unknown {
  return Array.isArray(value) ? value.slice(from, to) : value;
}
