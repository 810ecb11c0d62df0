// A virtual tag that was created before a reboot, in use after it: a list can have a tag that nothing else serves.
import type { CaseContext } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { laterReading } from "../support/createdThings.ts";
import { ifMet } from "../support/ifMet.ts";
import { notDeclared } from "../support/persisted.ts";
import { keyOf, listed, nameOf } from "../support/virtualTag.ts";

const views = {
  "direct read": "CORE-TAG-30",
  monitoring: "CORE-TAG-48",
  "stream of changes": "CORE-TAG-52",
} as const;
type Shown = Readonly<Record<keyof typeof views, unknown>>;
export const tagInUseRequirements = [...Object.values(views), "CORE-TAG-28", "CORE-TAG-29"];

/** Creates a tag; answers how to check after a reboot that it is written, read, monitored, updated and deleted. */
export async function tagInUse(context: CaseContext): Promise<() => Promise<void>> {
  const { gateway, profile, scratch, verify } = context;
  const { admin } = gateway;
  const canCreate = isOffered(profile, "createVirtualTag");
  const tag = canCreate ? await ifMet(scratch.virtualTag({ dataType: "int32" })) : undefined;
  return async () => {
    const isListed = tag !== undefined && (await listed(gateway)).has(keyOf(tag));
    if (!isListed) {
      const reason = tag === undefined ? notDeclared : "List tags does not contain it";
      for (const requirement of tagInUseRequirements)
        verify(requirement).notApplicable("a virtual tag of before the reboot", reason);
      return;
    }
    let dataValue = 0;
    const expected: Shown = {
      "direct read": "written",
      monitoring: "written",
      "stream of changes": "written",
    };
    const read = (): Promise<Shown> => shownAfterWrite(context, tag, ++dataValue);
    const what = "value of a virtual tag after the reboot and a write";
    const shown = (await laterReading(context, { kind: "virtual tag", what, expected, read })) as Shown;
    for (const [view, requirement] of Object.entries(views) as [keyof Shown, string][])
      if (view === "stream of changes" && !context.declares("tag-stream"))
        verify(requirement).notApplicable(what, "the profile declares no tag streams");
      else verify(requirement).equal(shown[view], expected[view], `${what}, by ${view}`);
    if (!isOffered(profile, "updateVirtualTag") || !isOffered(profile, "deleteVirtualTag")) {
      for (const requirement of ["CORE-TAG-28", "CORE-TAG-29"])
        verify(requirement).notApplicable("an update and a deletion after the reboot", notDeclared);
      return;
    }
    const updated = { ...nameOf(tag), dataType: "int32", access: "rw", dataUnit: "m/s" } as const;
    const update = await admin.call("updateVirtualTag", { json: updated });
    if (verify("CORE-TAG-28").accepted(update))
      verify("CORE-TAG-28").equal(
        (await listed(gateway)).get(keyOf(tag))?.dataUnit,
        updated.dataUnit,
        "listed `dataUnit` of a virtual tag of before the reboot, updated after it",
        update,
      );
    const deletion = await admin.call("deleteVirtualTag", { json: nameOf(tag) });
    if (verify("CORE-TAG-29").accepted(deletion))
      verify("CORE-TAG-29").equal(
        (await listed(gateway)).has(keyOf(tag)),
        false,
        "presence in the list of a virtual tag of before the reboot, deleted after it",
        deletion,
      );
  };
}

type Tag = Awaited<ReturnType<CaseContext["scratch"]["virtualTag"]>>;

/** Writes the value; answers what each view shows of it. */
async function shownAfterWrite(
  { gateway: { admin }, declares }: CaseContext,
  { path, tagName }: Tag,
  dataValue: number,
): Promise<Shown> {
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
  return {
    "direct read": word(read.accepted ? read.body().dataValue : undefined),
    monitoring: word(values.find((value) => value.tagName === tagName)?.dataValue),
    "stream of changes": stream === undefined ? "written" : word(streamed?.value.dataValue),
  };
}
