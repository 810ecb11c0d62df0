// Tags that a gateway may take for another one: their names are similar, or the same in another source or provider.
import type { CaseContext } from "../../harness/index.ts";
import type { MonitoredValue, VirtualTagInput } from "../../interface/resources/tags.ts";
import { ifMet } from "../support/ifMet.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { keyOf, listed, nameOf } from "../support/virtualTag.ts";

/** A tag like another one except for the parts; undefined where the gateway rejects it. */
export async function similarTag(
  context: CaseContext,
  to: OwnTag,
  part: Partial<VirtualTagInput>,
): Promise<OwnTag | undefined> {
  const json = { ...nameOf(to), dataType: "int32", access: "rw", ...part } as const;
  context.scratch.removeTagLater(json);
  const { accepted } = await context.gateway.admin.call("createVirtualTag", { json });
  if (!accepted) return undefined;
  const { prvdName, srcName, tagName } = json;
  return { ...nameOf(json), path: { provider: prvdName, source: srcName, tag: tagName } };
}

/** A tag whose name begins with that of another one. */
export async function longerTag(
  context: CaseContext,
  to: OwnTag,
  part: Partial<VirtualTagInput> = {},
): Promise<OwnTag> {
  // Which characters a name may have is not stated; a letter more is none that the name has not already.
  for (const end of [" é", "a"]) {
    const tag = await similarTag(context, to, { ...part, tagName: `${to.tagName}${end}` });
    if (tag !== undefined) return tag;
  }
  return context.unmet(`no virtual tag whose name begins with ${to.tagName} was accepted`);
}

/** Tags of the same name in another source and under another provider, as far as clients may name these. */
export async function namesakes(context: CaseContext, tag: OwnTag): Promise<OwnTag[]> {
  const tags = [
    await similarTag(context, tag, { srcName: "rp-other" }),
    await similarTag(context, tag, { prvdName: "rp-own" }),
  ];
  return tags.filter((one) => one !== undefined);
}

/** Writes to tags that only exist beside the others. */
export async function writeBeside(
  context: CaseContext,
  tags: readonly OwnTag[],
  value: number,
): Promise<void> {
  for (const tag of tags) await ifMet(write(context, tag, value));
}

/** Two tags whose names differ in case only; undefined where case does not distinguish names. */
export async function caseTwins(context: CaseContext): Promise<readonly [OwnTag, OwnTag] | undefined> {
  const lower = await context.scratch.virtualTag({ dataType: "int32" });
  const upper = await similarTag(context, lower, { tagName: lower.tagName.toUpperCase() });
  if (upper === undefined) return undefined;
  const tags = await listed(context.gateway);
  return tags.has(keyOf(lower)) && tags.has(keyOf(upper)) ? [lower, upper] : undefined;
}

/** Checks that values have the provider and the source that were asked for. */
export function verifySource(
  { verify }: CaseContext,
  { path }: OwnTag,
  values: readonly MonitoredValue[],
  where: string,
): void {
  for (const [requirement, member, expected] of [
    ["CORE-TAG-08", "prvdName", path.provider],
    ["CORE-TAG-09", "srcName", path.source],
  ] as const)
    verify(requirement).equal(
      values
        .filter((value) => value[member] !== expected)
        .slice(0, 3)
        .map((value) => ({ tagName: value.tagName, [member]: value[member] })),
      [],
      `values ${where} whose \`${member}\` is not ${expected}`,
    );
}
