// The reference gateway with an injected fault, with variations, or both:
//   node main.ts [--fault ID] [--variation ID,ID] and the options of reference-impl/main.ts
import { parseArgs } from "node:util";
import type { Edges } from "../reference-impl/edges.ts";
import { serve } from "../reference-impl/serve.ts";
import { findFault } from "./faults/index.ts";
import { GatewayAlterations } from "./mechanism/gatewayAlterations.ts";
import { installVariations, readVariations } from "./variations/index.ts";

const own = { fault: { type: "string" }, variation: { type: "string" } } as const;

/** The words for this program, and the others, which are for the gateway. */
function split(words: readonly string[]): { fault?: string; variation?: string; rest: readonly string[] } {
  const { values, tokens } = parseArgs({ args: [...words], options: own, strict: false, tokens: true });
  const taken = new Set(
    tokens.flatMap((token) =>
      token.kind === "option" && Object.hasOwn(own, token.name)
        ? [token.index, ...(token.inlineValue === true ? [] : [token.index + 1])]
        : [],
    ),
  );
  return {
    ...(typeof values.fault === "string" ? { fault: values.fault } : {}),
    ...(typeof values.variation === "string" ? { variation: values.variation } : {}),
    rest: words.filter((_word, index) => !taken.has(index)),
  };
}

const { fault, variation = "", rest } = split(process.argv.slice(2));

await serve(rest, (): Edges => {
  const alterations = new GatewayAlterations();
  if (fault !== undefined) findFault(fault).install(alterations);
  installVariations(alterations, readVariations(variation));
  return alterations.edges();
});
