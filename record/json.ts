// JSON in which 64-bit integers keep every digit: tag values go up to 2^64 - 1.

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver?: Reviver) => unknown;
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

const longNumber = /\d{16}|\d[\d.]{14,}[eE]/;

/** Parses JSON text; integers that a double cannot hold become bigint. Throws SyntaxError like JSON.parse. */
export function parseJson(text: string): unknown {
  // The reviver makes parsing several times slower, so it runs only where a long number may need it.
  if (!longNumber.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_key, value, context) => {
    if (typeof value !== "number" || Number.isSafeInteger(value) || context?.source === undefined)
      return value;
    return exactInteger(context.source) ?? value;
  });
}

/** Digits of 2^64. */
const mostDigits = 20;

/** The integer that the text names: one in plain digits, or one of at most 64 bits with a fraction or an exponent. */
function exactInteger(source: string): bigint | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  if (whole === source.replace("-", "")) return BigInt(source);
  const decimals = fraction.replace(/0+$/, "");
  const zeros = Number(exponent) - decimals.length;
  if (zeros < 0 || whole.length + decimals.length + zeros > mostDigits) return undefined;
  return BigInt(`${sign}${whole}${decimals}${"0".repeat(zeros)}`);
}

/** Whether the parsed value is an integer, of any size. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Writes JSON text; bigint values become plain integers. */
export function stringifyJson(value: unknown): string {
  // The replacer is several times slower: it runs only where a bigint is, which it rejects without one.
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(value, (_key, v: unknown) => (typeof v === "bigint" ? rawJson(v.toString()) : v));
}
