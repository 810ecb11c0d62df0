// The words of a program that alters the gateway: `--fault ID` and `--variation ID,ID`, the others are for the gateway.
import { parseArgs } from "node:util";
import type { Edges } from "../reference-impl/edges.ts";
import { findFault } from "./faults/index.ts";
import { GatewayAlterations } from "./mechanism/gatewayAlterations.ts";
import { installVariations, readVariations } from "./variations/index.ts";

const own = { fault: { type: "string" }, variation: { type: "string" } } as const;

export interface AlteredWords {
  /** The edges with the fault and the variations; throws an Error for an unknown id. */
  readonly edges: () => Edges;
  readonly rest: readonly string[];
}

export function readWords(words: readonly string[]): AlteredWords {
  const { values, tokens } = parseArgs({ args: [...words], options: own, strict: false, tokens: true });
  const taken = new Set(
    tokens.flatMap((token) =>
      token.kind === "option" && Object.hasOwn(own, token.name)
        ? [token.index, ...(token.inlineValue === true ? [] : [token.index + 1])]
        : [],
    ),
  );
  const { fault, variation } = values;
  return {
    edges() {
      const alterations = new GatewayAlterations();
      if (typeof fault === "string") findFault(fault).install(alterations);
      installVariations(alterations, readVariations(typeof variation === "string" ? variation : ""));
      return alterations.edges();
    },
    rest: words.filter((_word, index) => !taken.has(index)),
  };
}
