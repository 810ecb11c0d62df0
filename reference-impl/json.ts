// The gateway's own JSON codec: 64-bit integers keep every digit. The harness has another, so that one mistake cannot
// hide in both.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Parses JSON; integers that a double cannot hold become bigint. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const keep: Reviver = (_key, value, { source }) =>
    typeof value === "number" &&
    source !== undefined &&
    /^-?\d{16,}$/.test(source) &&
    !Number.isSafeInteger(value)
      ? BigInt(source)
      : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, keep);
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
