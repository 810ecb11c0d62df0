// One virtual tag of a case: what is sent, what is listed, and its removal.
import type { Answer, CaseContext, GatewayUnderTest } from "../../harness/index.ts";
import { bytesByType } from "../../rigs/index.ts";
import type { Tag, TagDataType, VirtualTagInput } from "../../interface/resources/tags.ts";

export type Name = Pick<Tag, "prvdName" | "srcName" | "tagName">;
export const keyOf = ({ prvdName, srcName, tagName }: Name): string => `${prvdName}/${srcName}/${tagName}`;
export const nameOf = ({ prvdName, srcName, tagName }: Name): Name => ({ prvdName, srcName, tagName });

export const pathOf = ({ prvdName, srcName, tagName }: Name) => ({
  provider: prvdName,
  source: srcName,
  tag: tagName,
});

/** The stated members of a tag; a gateway may show more. With what was `sent`, the size is compared as by `sizeAsSent`. */
export function membersOf(tag: Tag | undefined, sent?: Partial<VirtualTagInput>): Tag | undefined {
  if (tag === undefined) return undefined;
  const { prvdName, srcName, tagName, dataType, dataUnit, access } = tag;
  const dataSize = (sent && sizeAsSent(tag, sent)) ?? tag.dataSize;
  return { prvdName, srcName, tagName, dataType, dataSize, dataUnit, access };
}

const sizedByClients: ReadonlySet<TagDataType> = new Set(["string", "raw"]);

/** The size of a tag, or the one sent where it shows that of its type: whether a client decides it then is not stated. */
export function sizeAsSent(tag: Tag | undefined, sent: Partial<VirtualTagInput>): number | undefined {
  const isOfType =
    tag !== undefined && !sizedByClients.has(tag.dataType) && bytesByType[tag.dataType] === tag.dataSize;
  return isOfType ? sent.dataSize : tag?.dataSize;
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
