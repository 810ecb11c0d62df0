// When two values count as equal: as values of JSON, however they were parsed, and instants in whichever notation.
import { isDeepStrictEqual } from "node:util";
import { isRfc3339 } from "../../interface/schema/validate.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Whether both are the same value; date-times of one instant are, in any offset and with any digits after the seconds. */
export function sameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(normalise(a), normalise(b));
}

/** One form for integers, whichever way they were parsed, and for instants. */
function normalise(value: unknown): unknown {
  if (typeof value === "string") return isRfc3339(value) ? instantOf(value) : value;
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

function instantOf(text: string): object | string {
  const epochMs = epochMsOf(text);
  return Number.isNaN(epochMs) ? text : { epochMs };
}
