// Every legitimate variation by its id: the reference gateway can be told to look so, and the suite must not mind.
import { absentVariations } from "./absent.ts";
import { bindingVariations } from "./binding.ts";
import { contentVariations } from "./contents.ts";
import { notationVariations } from "./notation.ts";
import { refusalVariations } from "./refusals.ts";
import { streamVariations } from "./streams.ts";
import { transferVariations } from "./transfer.ts";
import type { ProfilePatch, VariationDefinition } from "./variation.ts";

// They take effect in this order: values before their notation, what is sent before how it is sent.
const table = {
  ...bindingVariations,
  ...contentVariations,
  ...notationVariations,
  ...refusalVariations,
  ...streamVariations,
  ...transferVariations,
  ...absentVariations,
};
export type VariationId = keyof typeof table;
export const variations: Readonly<Record<VariationId, VariationDefinition>> = table;
export const variationIds = Object.keys(table) as VariationId[];

/**
 * Reads ids joined by commas; answers them in the order in which they take effect. Throws an Error that says which word
 * is no variation, or which two exclude one another.
 */
export function readVariations(text: string): VariationId[] {
  const known = namedVariations(text);
  const clash = clashOf(known);
  if (clash !== undefined)
    throw new Error(
      `variations ${clash.join(" and ")} are two forms of the same thing: expected one of them`,
    );
  return known;
}

/** The same for ids that need not go together. */
export function namedVariations(text: string): VariationId[] {
  const ids = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const unknown = ids.filter((id) => !Object.hasOwn(variations, id));
  if (unknown.length > 0)
    throw new Error(
      `variation ${unknown.join(", ")}: there is no such variation; "rackproof list variations" shows them`,
    );
  return variationIds.filter((id) => ids.includes(id));
}

/** Two of the variations that exclude one another, if there are any. */
export function clashOf(ids: readonly VariationId[]): readonly VariationId[] | undefined {
  const byAspect = new Map<string, VariationId>();
  for (const id of ids) {
    const { aspect } = variations[id];
    if (aspect === undefined) continue;
    const other = byAspect.get(aspect);
    if (other !== undefined) return [other, id];
    byAspect.set(aspect, id);
  }
  return undefined;
}

/** What a gateway with these variations declares, laid over a profile's document. */
export function varyProfile(document: ProfilePatch, ids: readonly VariationId[]): ProfilePatch {
  return ids.reduce((sum, id) => merge(sum, variations[id].profile ?? {}), document);
}

function merge(base: ProfilePatch, patch: ProfilePatch): ProfilePatch {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    const present = base[name];
    merged[name] = isObject(present) && isObject(value) ? merge(present, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is ProfilePatch {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
