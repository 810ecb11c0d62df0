// When two values count as equal: as values of JSON, however they were parsed.
import { isDeepStrictEqual } from "node:util";

export function sameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(normalise(a), normalise(b));
}

/** One form for integers, whichever way they were parsed. */
function normalise(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === "number") return Object.is(value, -0) ? 0 : value;
  if (Array.isArray(value)) return value.map(normalise);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => [key, normalise(inner)]),
    );
  }
  return value;
}
