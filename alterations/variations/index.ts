// Every legitimate variation by its id: a gateway with any of them conforms, and every case must pass on it.
import { isOperationId } from "../../interface/operations/index.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { DeclaredBinding } from "../wire/routes.ts";
import { absentVariations } from "./absent.ts";
import { accountVariations } from "./accounts.ts";
import { bindingVariations } from "./binding.ts";
import { conductVariations } from "./conduct.ts";
import { clockReactions } from "./clockReactions.ts";
import { contentVariations } from "./contents.ts";
import { inputVariations } from "./inputs.ts";
import { laterListVariations } from "./laterLists.ts";
import { limitVariations } from "./limits.ts";
import { listenerVariations } from "./listeners.ts";
import { ownRecordVariations } from "./ownRecord.ts";
import { rangeVariations } from "./ranges.ts";
import { logVariations } from "./logs.ts";
import { notationVariations } from "./notation.ts";
import { oneAtATimeVariations } from "./oneAtATime.ts";
import { refusalVariations } from "./refusals.ts";
import { smallHistoryVariations } from "./smallHistories.ts";
import { stateNameVariations } from "./stateNames.ts";
import { streamVariations } from "./streams.ts";
import { tagValueVariations } from "./tagValues.ts";
import { transferVariations } from "./transfer.ts";
import { upgradeJobVariations } from "./upgradeJobs.ts";
import type { ProfilePatch, Variation } from "./variation.ts";

// They take effect in this order: values before their notation, what is sent before how it is sent.
const table = {
  ...bindingVariations,
  ...conductVariations,
  ...upgradeJobVariations,
  ...clockReactions,
  ...laterListVariations,
  ...oneAtATimeVariations,
  ...logVariations,
  ...inputVariations,
  ...limitVariations,
  ...accountVariations,
  ...listenerVariations,
  ...ownRecordVariations,
  ...rangeVariations,
  ...tagValueVariations,
  ...smallHistoryVariations,
  ...contentVariations,
  ...stateNameVariations,
  ...notationVariations,
  ...refusalVariations,
  ...streamVariations,
  ...transferVariations,
  ...absentVariations,
};
export type VariationId = keyof typeof table;
export const variations: Readonly<Record<VariationId, Variation>> = table;
export const variationIds = Object.keys(table) as VariationId[];

/**
 * Reads ids joined by commas; answers them in the order in which they take effect. Throws an Error that names unknown ids,
 * or two that exclude each other.
 */
export function readVariations(text: string): VariationId[] {
  const known = namedVariations(text);
  const clash = clashOf(known);
  if (clash !== undefined)
    throw new Error(`variations ${clash.join(" and ")} exclude each other: expected one of them`);
  return known;
}

/** The same for ids that may exclude each other. */
export function namedVariations(text: string): VariationId[] {
  const ids = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const unknown = ids.filter((id) => !Object.hasOwn(variations, id));
  if (unknown.length > 0) throw new Error(`variation ${unknown.join(", ")}: not found`);
  return variationIds.filter((id) => ids.includes(id));
}

/** Two of the variations that exclude each other, if any do. */
export function clashOf(ids: readonly VariationId[]): readonly VariationId[] | undefined {
  const byAspect = new Map<string, VariationId>();
  for (const id of ids) {
    for (const aspect of [variations[id].aspect ?? []].flat()) {
      const other = byAspect.get(aspect);
      if (other !== undefined) return [other, id];
      byAspect.set(aspect, id);
    }
  }
  return undefined;
}

/** What a gateway with these variations declares, laid over a profile's document. */
export function varyProfile(document: ProfilePatch, ids: readonly VariationId[]): ProfilePatch {
  return ids.reduce((sum, id) => merge(sum, variations[id].profile ?? {}), document);
}

/** Puts the variations in place at the edges of the reference gateway. */
export function installVariations(at: GatewayAlterations, ids: readonly VariationId[]): void {
  const { binding } = varyProfile({}, ids) as { readonly binding?: DeclaredBinding };
  if (binding !== undefined) at.binding(binding);
  for (const [id, operation] of Object.entries(binding?.operations ?? {}))
    if (operation.permission !== undefined && isOperationId(id)) at.permission(id, operation.permission);
  for (const id of ids) variations[id].install?.(at);
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
