import type { Answer, CaseContext } from "../../harness/index.ts";

/** A virtual tag of the case. */
export type OwnTag = Awaited<ReturnType<CaseContext["scratch"]["virtualTag"]>>;

/** Writes a number as a prerequisite. */
export async function write(
  { gateway }: CaseContext,
  tag: OwnTag,
  value: number,
  dataType: "int32" | "double" = "int32",
): Promise<Answer> {
  const answer = await gateway.admin.call("writeTag", {
    path: tag.path,
    json: { dataType, dataValue: value },
  });
  if (!answer.accepted) throw new Error(`prerequisite failed: write of a virtual tag: ${answer.summary()}`);
  return answer;
}
