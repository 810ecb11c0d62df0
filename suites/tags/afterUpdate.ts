import type { CaseContext } from "../../harness/index.ts";
import { write } from "./ownTag.ts";

/** Checks that a new unit leaves the last written value of a tag, and that monitoring shows it. */
export async function verifyValueAfterUpdate(context: CaseContext): Promise<void> {
  const { gateway, scratch, random, verify } = context;
  const tag = await scratch.virtualTag({ dataType: "double", dataUnit: "bar" });
  const { path, tagName } = tag;
  const dataValue = random.integer(1, 9999) + 0.5;
  await write(context, tag, dataValue, "double");
  const shownNow = async (): Promise<{ dataValue: unknown; dataUnit?: unknown }> => {
    const answer = await gateway.admin.call("monitorTags", { path, query: { tags: tagName } });
    return (answer.accepted ? [answer.data()].flat().at(-1) : undefined) ?? { dataValue: answer.summary() };
  };
  const before = await shownNow();
  const names = { prvdName: path.provider, srcName: path.source, tagName };
  const update = await gateway.admin.call("updateVirtualTag", {
    json: { ...names, dataType: "double", access: "rw", dataUnit: "mbar" },
  });
  if (before.dataValue !== dataValue || !update.accepted) return;
  const after = await shownNow();
  verify("CORE-TAG-48").equal(
    after.dataValue,
    dataValue,
    "monitored value of a tag after an update of its `dataUnit`",
    update,
  );
  verify("CORE-TAG-13").equal(
    after.dataUnit,
    "mbar",
    "monitored `dataUnit` of a tag after its update",
    update,
  );
}
