// A line that a command line impairs, such as that of a router or a switch of the lab, or `tc` on the machine before it.
// Tried with: Node.js in command.test.ts. No router.
import { execa } from "execa";
import Type, { type Static } from "typebox";
import type { NetworkControl } from "../gateway/gateway.ts";
import type { Impairment } from "../gateway/impairment.ts";
import { timed } from "../host/instant.ts";

const Words = Type.Array(Type.String(), { minItems: 1 });

export const NetworkSettings = Type.Object(
  {
    driver: Type.Literal("command"),
    /** Programs and words, without a shell. */
    cut: Words,
    /** Ends a cut and an impairment. */
    restore: Words,
    /** With the parts of the impairment in braces, such as `{delayMs}ms`; absent for a line that can only be cut. */
    impair: Type.Optional(Words),
  },
  { additionalProperties: false },
);
export type NetworkSettings = Static<typeof NetworkSettings>;

const doneWithinMs = 10_000;
const parts = [
  "delayMs",
  "jitterMs",
  "lossPercent",
  "reorderPercent",
  "duplicatePercent",
  "rateKbit",
  "largestBytes",
] as const satisfies readonly (keyof Impairment)[];
/** The cases on a bad line use these. */
const leastParts = ["delayMs", "lossPercent", "rateKbit"] as const;

/** What the schema cannot say; undefined when the settings are complete. */
export function networkProblem({ impair }: NetworkSettings): string | undefined {
  if (impair === undefined) return undefined;
  const missing = leastParts.filter((part) => !impair.some((word) => word.includes(`{${part}}`)));
  if (missing.length > 0)
    return `impair: expected ${missing.map((part) => `{${part}}`).join(" and ")}, found none`;
  const names = impair.flatMap((word) => [...word.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const unknown = names.find((name) => !parts.some((part) => part === name));
  return unknown === undefined
    ? undefined
    : `impair: {${unknown}}: expected ${parts.map((part) => `{${part}}`).join(", ")}`;
}

export function commandedNetwork({ cut, restore, impair }: NetworkSettings): NetworkControl {
  const run = ([program = "", ...words]: readonly string[]) =>
    timed(() => execa(program, words, { timeout: doneWithinMs, stdin: "ignore" }));
  return {
    cut: () => run(cut),
    restore: () => run(restore),
    ...(impair === undefined ? {} : { impair: (wanted) => run(filled(impair, wanted)) }),
  };
}

/** The words with the numbers of the impairment, 0 for parts that it does not have. */
function filled(words: readonly string[], impairment: Impairment): string[] {
  const left = parts.find(
    (part) => (impairment[part] ?? 0) > 0 && !words.some((word) => word.includes(`{${part}}`)),
  );
  if (left !== undefined)
    throw new Error(
      `the line cannot be impaired: its command has no {${left}}. Fix: add it to network.impair`,
    );
  return words.map((word) =>
    parts.reduce((text, part) => text.replaceAll(`{${part}}`, String(impairment[part] ?? 0)), word),
  );
}
