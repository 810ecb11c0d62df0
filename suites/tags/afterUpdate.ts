import type { Answer, CaseContext } from "../../harness/index.ts";
import { keyOf, listed } from "../support/virtualTag.ts";
import { write } from "./ownTag.ts";

const valuesOfTypes = [
  { dataType: "double", dataSize: 8, dataValue: 1.5 },
  { dataType: "string", dataSize: 16, dataValue: "7a" },
  { dataType: "uint8", dataSize: 1, dataValue: 200 },
] as const;

/** Checks that direct writes, direct reads and monitoring follow each new `dataType` of a tag. */
export async function verifyNewTypes({ gateway, scratch, verify }: CaseContext): Promise<void> {
  const { admin } = gateway;
  const { path, prvdName, srcName, tagName } = await scratch.virtualTag({ dataType: "int32", dataSize: 4 });
  await admin.call("writeTag", { path, json: { dataType: "int32", dataValue: 7 } });
  let updated = 0;
  for (const { dataType, dataSize, dataValue } of valuesOfTypes) {
    const json = { prvdName, srcName, tagName, dataType, dataSize, access: "rw" } as const;
    if (!(await admin.call("updateVirtualTag", { json })).accepted) continue;
    updated += 1;
    const written = await admin.call("writeTag", { path, json: { dataType, dataValue } });
    if (!verify("CORE-TAG-30").accepted(written)) continue;
    const read = await admin.call("readTag", { path });
    const what = `of a tag after an update of its \`dataType\` to ${dataType} and a write`;
    verify("CORE-TAG-30").equal(read.body().dataValue, dataValue, `directly read value ${what}`, read);
    verify("CORE-TAG-19").equal(read.body().dataType, dataType, `directly read \`dataType\` ${what}`, read);
    const monitored = await admin.call("monitorTags", { path, query: { tags: tagName } });
    const shown = [monitored.data()].flat().at(-1);
    verify("CORE-TAG-11").equal(shown?.dataType, dataType, `monitored \`dataType\` ${what}`, monitored);
    const entry = (await listed(gateway)).get(keyOf(json));
    verify("CORE-TAG-28").equal(entry?.dataSize, dataSize, `listed \`dataSize\` ${what}`, written);
  }
  if (updated === 0)
    for (const requirement of ["CORE-TAG-11", "CORE-TAG-19", "CORE-TAG-30"])
      verify(requirement).notApplicable("values after an update", "the gateway rejects a new `dataType`");
}

/** Checks that a tag with a new unit or access has its last written value or begins anew, and that monitoring shows the unit. */
export async function verifyValueAfterUpdate(context: CaseContext): Promise<void> {
  const { gateway, scratch, random, verify } = context;
  const tag = await scratch.virtualTag({ dataType: "double", dataUnit: "bar" });
  const { path, tagName } = tag;
  const dataValue = random.integer(1, 9999) + 0.5;
  await write(context, tag, dataValue + 1, "double");
  await write(context, tag, dataValue, "double");
  const shownNow = async () => {
    const answer = await gateway.admin.call("monitorTags", { path, query: { tags: tagName } });
    return answer.accepted ? [answer.data()].flat().at(-1) : undefined;
  };
  // Whether the value outlives an update is not stated; no other value was written.
  const verifyValue = (shown: Awaited<ReturnType<typeof shownNow>>, what: string, evidence: Answer): void => {
    verify("CORE-TAG-48").that([dataValue, 0, null, undefined].includes(shown?.dataValue as number), {
      what: `monitored value of a tag after an update of its ${what}`,
      expected: `${dataValue}, 0 or no value`,
      observed: shown?.dataValue ?? "no value",
      evidence,
    });
  };
  const before = await shownNow();
  const names = { prvdName: path.provider, srcName: path.source, tagName };
  const json = { ...names, dataType: "double", access: "rw", dataUnit: "mbar" } as const;
  const update = await gateway.admin.call("updateVirtualTag", { json });
  if (before?.dataValue !== dataValue || !update.accepted) return;
  verifyValue(await shownNow(), "`dataUnit`", update);
  await write(context, tag, dataValue, "double");
  verify("CORE-TAG-13").equal(
    (await shownNow())?.dataUnit,
    "mbar",
    "monitored `dataUnit` of a tag after its update and a write",
    update,
  );
  const closed = await gateway.admin.call("updateVirtualTag", { json: { ...json, access: "r" } });
  if (closed.accepted) verifyValue(await shownNow(), "`access` to r", closed);
}
