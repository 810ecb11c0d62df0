// Texts of which a gateway may accept the simpler ones only.
import { Unmet } from "../../record/index.ts";

/** Characters that a store with another character set, or one byte for each, loses at a restart. */
export const beyondAscii = "é説\u{1F600}";
export const withAndWithout = [` ${beyondAscii}`, ""] as const;

/** What the first attempt that succeeds returns: which characters a gateway accepts in a text is not stated. */
export async function firstAccepted<T, Text>(
  attempt: (text: Text) => Promise<T>,
  texts: readonly [Text, ...Text[]],
): Promise<T> {
  const [text, next, ...others] = texts;
  return attempt(text).catch((thrown: unknown) => {
    if (!(thrown instanceof Unmet) || next === undefined) throw thrown;
    return firstAccepted(attempt, [next, ...others]);
  });
}
