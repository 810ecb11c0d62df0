// Tags of the system are not user-defined: the operations on virtual tags leave them as they are.
import type { CaseContext, GatewayUnderTest } from "../../harness/index.ts";
import { sameValue } from "../../harness/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { keyOf, membersOf, type Name, nameOf } from "../support/virtualTag.ts";

const systemProvider = "system";

/**
 * Checks that neither an update nor a deletion of a virtual tag changes a tag of the system. `virtual`: all virtual tags,
 * which may have any provider.
 */
export async function verifySystemTag(context: CaseContext, virtual: readonly Name[]): Promise<void> {
  const { gateway, verify, profile } = context;
  const { admin } = gateway;
  const users = new Set(virtual.map(keyOf));
  const isSystem = (tag: Tag): boolean =>
    tag.prvdName === systemProvider &&
    tag.access === "r" &&
    !users.has(keyOf(tag)) &&
    !profile.liveTags?.tags.includes(tag.tagName);
  const tag = membersOf((await admin.call("listTags")).data().findLast(isSystem));
  if (tag === undefined || profile.virtualTags.provider === systemProvider) return;
  const changed = { ...tag, dataUnit: tag.dataUnit === "rp" ? "pr" : "rp" };
  const update = await admin.call("updateVirtualTag", { json: changed });
  // Neither a status nor a rejection is stated: what the list shows decides.
  const isKept = verify("CORE-TAG-58").that(await isListed(gateway, tag), {
    what: `list entry of the system tag ${keyOf(tag)} after Update virtual tag with its name`,
    expected: "unchanged",
    observed: update.summary(),
    evidence: update,
  });
  if (!isKept) {
    await admin.call("updateVirtualTag", { json: tag });
    return;
  }
  const deletion = await admin.call("deleteVirtualTag", { json: nameOf(tag) });
  verify("CORE-TAG-58").that(await isListed(gateway, tag), {
    what: `list entry of the system tag ${keyOf(tag)} after Delete virtual tag with its name`,
    expected: "unchanged",
    observed: deletion.summary(),
    evidence: deletion,
  });
}

/** Whether one of the listed tags is this one, in all members. */
async function isListed({ admin }: GatewayUnderTest, tag: Tag): Promise<boolean> {
  return (await admin.call("listTags")).data().some((one) => sameValue(membersOf(one), tag));
}
