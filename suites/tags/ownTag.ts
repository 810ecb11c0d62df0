import type { Answer, CaseContext } from "../../harness/index.ts";
import type { TagDataType } from "../../interface/resources/tags.ts";

/** A virtual tag of the case. */
export type OwnTag = Awaited<ReturnType<CaseContext["scratch"]["virtualTag"]>>;

/** Writes a number as a prerequisite; Unmet when it is rejected. */
export async function write(
  { gateway, unmet }: CaseContext,
  tag: OwnTag,
  value: number | bigint,
  dataType: TagDataType = "int32",
): Promise<Answer> {
  const answer = await gateway.admin.call("writeTag", {
    path: tag.path,
    json: { dataType, dataValue: value },
  });
  return answer.accepted ? answer : unmet(`the write of a virtual tag was rejected: ${answer.summary()}`);
}
