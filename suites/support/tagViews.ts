// What each view shows of a virtual tag that was written: a list can have a tag that nothing else serves.
import type { CaseContext } from "../../harness/index.ts";
import { laterReading } from "./createdThings.ts";
import { ifMet } from "./ifMet.ts";
import { type Name, pathOf } from "./virtualTag.ts";

/** The requirement that each view decides. */
export const tagViews = {
  "direct read": "CORE-TAG-30",
  monitoring: "CORE-TAG-48",
  "stream of changes": "CORE-TAG-52",
} as const;
type View = keyof typeof tagViews;
type Shown = Readonly<Record<View, unknown>>;
const rejected = "rejected";

/** Writes the readable and writable int32 tag until every view shows a written value, and checks each view. */
export async function verifyViews(
  context: CaseContext,
  tag: Name,
  what: string,
  { isStreamOwed }: { readonly isStreamOwed: boolean },
): Promise<void> {
  let dataValue = 0;
  const expected: Shown = { "direct read": "written", monitoring: "written", "stream of changes": "written" };
  const read = (): Promise<Shown> => shownAfterWrite(context, tag, ++dataValue);
  const shown = (await laterReading(context, { kind: "virtual tag", what, expected, read })) as Shown;
  for (const [view, requirement] of Object.entries(tagViews) as [View, string][]) {
    const verify = context.verify(requirement);
    if (view !== "stream of changes") verify.equal(shown[view], expected[view], `${what}, by ${view}`);
    else if (!context.declares("tag-stream"))
      verify.notApplicable(what, "the profile declares no tag streams");
    // How many streams may be open at a time is not stated.
    else if (shown[view] === rejected && !isStreamOwed)
      verify.notApplicable(what, "the gateway rejects the stream");
    else verify.equal(shown[view], expected[view], `${what}, by ${view}`);
  }
}

/** Writes the value; answers what each view shows of it. */
async function shownAfterWrite(
  { gateway: { admin }, declares }: CaseContext,
  tag: Name,
  dataValue: number,
): Promise<Shown> {
  const [path, { tagName }] = [pathOf(tag), tag];
  await using stream = declares("tag-stream")
    ? await admin.openTagStream(path, { tags: tagName, onChanged: true })
    : undefined;
  (await admin.call("writeTag", { path, json: { dataType: "int32", dataValue } })).body();
  const next = stream?.next("the written value", ({ value }) => value.dataValue === dataValue);
  const streamed = next && (await ifMet(next));
  const read = await admin.call("readTag", { path });
  const monitored = await admin.call("monitorTags", { path, query: { tags: tagName } });
  const values = monitored.accepted ? [monitored.data()].flat() : [];
  const word = (shown: unknown): unknown => (shown === dataValue ? "written" : (shown ?? "no value"));
  const isRejected = stream !== undefined && stream.status !== 200;
  return {
    "direct read": word(read.accepted ? read.body().dataValue : undefined),
    monitoring: word(values.find((value) => value.tagName === tagName)?.dataValue),
    "stream of changes":
      stream === undefined ? "written" : isRejected ? rejected : word(streamed?.value.dataValue),
  };
}
