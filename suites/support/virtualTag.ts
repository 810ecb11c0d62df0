// One virtual tag of a case: what is sent, what is listed, and its removal.
import type { Answer, CaseContext, GatewayUnderTest } from "../../harness/index.ts";
import type { Tag, TagDataType, VirtualTagInput } from "../../interface/resources/tags.ts";

export type Name = Pick<Tag, "prvdName" | "srcName" | "tagName">;
export const keyOf = ({ prvdName, srcName, tagName }: Name): string => `${prvdName}/${srcName}/${tagName}`;
export const nameOf = ({ prvdName, srcName, tagName }: Name): Name => ({ prvdName, srcName, tagName });

export const pathOf = ({ prvdName, srcName, tagName }: Name) => ({
  provider: prvdName,
  source: srcName,
  tag: tagName,
});

/** The stated members of a tag; a gateway may show more. */
export function membersOf(tag: Tag | undefined): Tag | undefined {
  if (tag === undefined) return undefined;
  const { prvdName, srcName, tagName, dataType, dataSize, dataUnit, access } = tag;
  return { prvdName, srcName, tagName, dataType, dataSize, dataUnit, access };
}

export async function listed(gateway: GatewayUnderTest): Promise<Map<string, Tag>> {
  return new Map((await gateway.admin.call("listTags")).data().map((tag) => [keyOf(tag), tag]));
}

export function wish(
  { profile, scratch }: CaseContext,
  part: Partial<VirtualTagInput> = {},
): VirtualTagInput {
  return {
    prvdName: profile.virtualTags.provider,
    srcName: profile.virtualTags.source,
    tagName: scratch.name("tag"),
    dataType: "int32",
    access: "rw",
    ...part,
  };
}

/** Updates a tag. Whether its `dataType` can change is not stated: a rejected update is repeated with the present one. */
export async function updateTag(
  { admin }: GatewayUnderTest,
  json: VirtualTagInput,
  present: TagDataType,
): Promise<{ readonly json: VirtualTagInput; readonly answer: Answer<"updateVirtualTag"> }> {
  const answer = await admin.call("updateVirtualTag", { json });
  if (answer.accepted || json.dataType === present) return { json, answer };
  const kept = { ...json, dataType: present };
  return { json: kept, answer: await admin.call("updateVirtualTag", { json: kept }) };
}
