// Values of every tag data type: extremes and ordinary ones, and the comparison of two values.
import { tagDataTypes, type TagDataType } from "../../interface/resources/tags.ts";

type Value = number | bigint | boolean | string;

// Neighbours follow each other: a view that compares with less precision misses the change.
const unsigned = (bits: bigint): Value[] => [
  0,
  1,
  (1n << (bits - 1n)) + 1n,
  (1n << bits) - 2n,
  (1n << bits) - 1n,
];
const signed = (bits: bigint): Value[] => [
  0,
  -1,
  -(1n << (bits - 1n)),
  (1n << (bits - 1n)) - 2n,
  (1n << (bits - 1n)) - 1n,
  (1n << (bits - 2n)) + 1n,
];

/** Some hundred characters, and beyond buffers of a few thousand. */
const longTexts = [25, 400].map((times) => `${"0123456789 é".repeat(times)} end`);

const textSize = 8000;

/** The size that a tag of the type needs for its values: what a tag of texts has without one is not stated. */
export const sizeFor = (type: TagDataType): { readonly dataSize?: number } =>
  type === "string" ? { dataSize: textSize } : {};

/** Whether a gateway may reject the value: how long a text may be is not stated. */
export function mayBeRejected(value: unknown): boolean {
  return longTexts.some((text) => text === value);
}

/** Values of the type; every tag of the type accepts them, unless they may be rejected. */
export const goodValues: Readonly<Record<TagDataType, readonly Value[]>> = {
  uint8: unsigned(8n).map(Number),
  uint16: unsigned(16n).map(Number),
  uint32: unsigned(32n).map(Number),
  uint64: [...unsigned(64n), 9_007_199_254_740_993n],
  int8: signed(8n).map(Number),
  int16: signed(16n).map(Number),
  int32: signed(32n).map(Number),
  int64: [...signed(64n), -9_007_199_254_740_993n, 9_007_199_254_740_993n],
  float: [
    0, 0.5, -1.25, 0.1, 0.100_000_01, 3.402_823_466_385_288_6e38, -3.402_823_466_385_288_6e38,
    1.175_494_350_822_287_5e-38,
  ],
  double: [
    0, 0.1, -2.5e-300, 1.797_693_134_862_315_7e308, 123_456.789, 123_456.789_000_1, 16_777_216.5,
    16_777_217.5,
  ],
  // Two of the same length follow each other.
  string: [
    "",
    // Texts that other types have as well.
    "true",
    "TRUE",
    "0070",
    "  between spaces\t ",
    'with "quotes", \\ and\nlines\r\nof\rtext <b>&amp;%41</b>',
    ...longTexts,
    "Größe 説明 🙂",
  ],
  boolean: [true, false],
  raw: ["AAEC/w==", "cmFja3Byb29m"],
};

/** Values just outside the range of the type, or of another JSON type. */
export const wrongValues: Partial<Record<TagDataType, readonly unknown[]>> = {
  uint8: [256, -1, 1.5],
  uint16: [65_536, -1, 1.5],
  uint32: [4_294_967_296, -1, 1.5],
  uint64: [18_446_744_073_709_551_616n, -1, 1.5],
  int8: [128, -129, 1.5],
  int16: [32_768, -32_769, 1.5],
  int32: [2_147_483_648, -2_147_483_649, 1.5],
  int64: [9_223_372_036_854_775_808n, -9_223_372_036_854_775_809n, 1.5],
  boolean: [{ value: true }],
  float: [1e39, -1e39, "text"],
  double: [{ value: 1 }, "text"],
};

export const dataTypes = tagDataTypes;

/** Whether the value read equals the value written; 64-bit integers may be decimal strings. */
export function isSameValue(type: TagDataType, written: unknown, seen: unknown): boolean {
  switch (type) {
    case "float":
      return isNumber(seen) && Math.fround(Number(seen)) === Math.fround(Number(written));
    case "double":
      // A large double may be sent with all its digits, which parse as an integer.
      return isNumber(seen) && Number(seen) === written;
    case "uint64":
    case "int64":
      return isWhole(seen) && BigInt(seen) === BigInt(written as bigint);
    case "uint8":
    case "uint16":
    case "uint32":
    case "int8":
    case "int16":
    case "int32":
    case "string":
    case "boolean":
    case "raw":
      return seen === written;
  }
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint";

function isWhole(value: unknown): value is number | bigint | string {
  return (
    typeof value === "bigint" ||
    Number.isSafeInteger(value) ||
    (typeof value === "string" && /^-?\d+$/.test(value))
  );
}
