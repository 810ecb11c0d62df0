// The gateway's own JSON codec: 64-bit integers keep every digit. The harness has another: one mistake cannot
// hide in both.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Parses JSON; integers that a double cannot hold become bigint. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return /\d{16}/.test(text) ? parseNumbers(text, wholeNumber) : JSON.parse(text);
}

/** Parses JSON with numbers as the function makes them, which gets the text of each. Throws SyntaxError. */
export function parseNumbers(text: string, make: (value: number, source: string) => unknown): unknown {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? make(value, source) : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, revive);
}

/** A bigint where a double does not hold the integer. */
export function wholeNumber(value: number, source: string): number | bigint {
  return !Number.isSafeInteger(value) && /^-?\d{16,}$/.test(source) ? BigInt(source) : value;
}

/** Writes JSON; bigint as plain digits. */
export function stringifyJson(value: unknown): string {
  try {
    // A replacer makes every answer several times slower, and hardly any has a bigint.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? rawJSON(String(inner)) : inner,
    );
  }
}
