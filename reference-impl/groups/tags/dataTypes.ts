// The 13 tag data types: which values each takes, exactly.
import type { TagDataType } from "../../../interface/resources/tags.ts";
import { badInput } from "../../base/refusal.ts";

export type TagValue = number | bigint | boolean | string;

const integerBits: Partial<Record<TagDataType, { bits: bigint; signed: boolean }>> = {
  uint8: { bits: 8n, signed: false },
  uint16: { bits: 16n, signed: false },
  uint32: { bits: 32n, signed: false },
  uint64: { bits: 64n, signed: false },
  int8: { bits: 8n, signed: true },
  int16: { bits: 16n, signed: true },
  int32: { bits: 32n, signed: true },
  int64: { bits: 64n, signed: true },
};
const maxTextBytes = 64 * 1024;

/** The value of a tag that was never written. */
export function zeroOf(type: TagDataType): TagValue {
  if (type === "boolean") return false;
  return type === "string" || type === "raw" ? "" : 0;
}

/**
 * Checks a value that came from outside and gives it the form in which it is stored: 64-bit integers as bigint where a
 * double cannot hold them, floats rounded to single precision, raw as base64. Throws a Refusal that names the rule.
 */
export function toTagValue(type: TagDataType, dataSize: number, value: unknown): TagValue {
  const integer = integerBits[type];
  if (integer !== undefined) return toInteger(type, integer, value);
  switch (type) {
    case "float":
    case "double":
      return toFloat(type, value);
    case "boolean":
      if (typeof value !== "boolean") throw wrong(type, "true or false", value);
      return value;
    case "string":
      if (typeof value !== "string") throw wrong(type, "a string", value);
      return bounded(type, value, Buffer.byteLength(value), dataSize);
    case "raw": {
      if (typeof value !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(value) || value.length % 4 !== 0) {
        throw wrong(type, "bytes in base64", value);
      }
      return bounded(type, value, Buffer.from(value, "base64").length, dataSize);
    }
    // The integers have been dealt with above.
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
    case "int8":
    case "int16":
    case "int32":
    case "int64":
      throw wrong(type, "an integer", value);
  }
}

function toInteger(
  type: TagDataType,
  { bits, signed }: { bits: bigint; signed: boolean },
  value: unknown,
): TagValue {
  const low = signed ? -(1n << (bits - 1n)) : 0n;
  const high = signed ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n;
  const text =
    typeof value === "string" && bits === 64n && /^-?\d{1,20}$/.test(value) ? BigInt(value) : value;
  const isInteger = typeof text === "bigint" || (typeof text === "number" && Number.isInteger(text));
  if (!isInteger) throw wrong(type, `an integer from ${low} to ${high}`, value);
  const exact = BigInt(text);
  if (exact < low || exact > high) throw wrong(type, `an integer from ${low} to ${high}`, value);
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(exact)
    : exact;
}

function toFloat(type: "float" | "double", value: unknown): number {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) throw wrong(type, "a finite number", value);
  if (type === "double") return number;
  const single = Math.fround(number);
  if (!Number.isFinite(single)) throw wrong(type, "a number that single precision holds", value);
  return fromSingle(single);
}

/** The shortest decimal of the single, so that 0.1 is read back as 0.1. */
export function fromSingle(single: number): number {
  if (!Number.isFinite(single) || (Number.isInteger(single) && Math.abs(single) <= 2 ** 24)) return single;
  for (let digits = 1; digits <= 9; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return candidate;
  }
  return single;
}

function bounded(type: TagDataType, value: string, bytes: number, dataSize: number): string {
  const limit = dataSize === 0 ? maxTextBytes : Math.min(dataSize, maxTextBytes);
  if (bytes > limit) throw wrong(type, `at most ${limit} bytes`, `${bytes} bytes`);
  return value;
}

function wrong(type: TagDataType, expected: string, found: unknown): Error {
  const shown = typeof found === "bigint" ? found.toString() : (JSON.stringify(found) ?? "no value");
  return badInput(`dataValue: ${type} takes ${expected}, found ${shown.slice(0, 80)}`);
}
