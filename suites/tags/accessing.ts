import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { TagDataType } from "../../interface/resources/tags.ts";

import { verifyMessage, verifyReadOnlyTags } from "./readOnlyTags.ts";
import { keyOf, listed } from "../support/virtualTag.ts";
import { verifyNotShown } from "./rejectedValues.ts";
import { dataTypes, goodValues, isSameValue, mayBeRejected, sizeFor, wrongValues } from "./values.ts";
import { type RawRead, verifyRawReads } from "./rawValues.ts";
import { verifyRecent } from "../support/recentTimes.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: [],
  addsTo: ["virtual-tags"],
  capabilities: ["tags", "virtual-tags"],
} as const;

/** Checks that a new `access` of a tag decides its direct reads and writes from then on. */
async function verifyChangedAccess({ gateway: { admin }, verify, scratch }: CaseContext): Promise<void> {
  const { path } = await scratch.virtualTag({ dataType: "int32", access: "rw" });
  const json = { dataType: "int32", dataValue: 8 } as const;
  (await admin.call("writeTag", { path, json })).body();
  let asReadOnly: Answer<"readTag"> | undefined;
  for (const access of ["w", "r", "rw"] as const) {
    const { provider: prvdName, source: srcName, tag: tagName } = path;
    const update = await admin.call("updateVirtualTag", {
      json: { prvdName, srcName, tagName, dataType: "int32", access },
    });
    if (!update.accepted) return;
    // A value that an update removes cannot be read with any access.
    if (access === "r") asReadOnly = await admin.call("readTag", { path });
    else if (asReadOnly !== undefined && (await admin.call("readTag", { path })).accepted)
      verify("CORE-TAG-34").accepted(asReadOnly);
    const written = await admin.call("writeTag", { path, json });
    if (access === "r") verify("CORE-TAG-33").refused(written, 400);
    else verify("CORE-TAG-35").accepted(written);
    if (access === "w") verify("CORE-TAG-32").refused(await admin.call("readTag", { path }), 400);
    if (access === "rw") verify("CORE-TAG-34").accepted(await admin.call("readTag", { path }));
  }
}

/** Checks that a direct read shows the names in its path, and the type of the tag. */
function verifyNames(
  { verify }: CaseContext,
  { path, dataType }: { path: { provider: string; source: string; tag: string }; dataType: TagDataType },
  read: Answer<"readTag">,
): void {
  for (const [requirement, member, expected] of [
    ["CORE-TAG-15", "prvdName", path.provider],
    ["CORE-TAG-16", "srcName", path.source],
    ["CORE-TAG-17", "tagName", path.tag],
    ["CORE-TAG-19", "dataType", dataType],
  ] as const)
    verify(requirement).equal(read.body()[member], expected, `\`${member}\` of a direct read`, read);
}

/** Checks that a direct read shows the listed type of a tag or that of its value, after a write with another type. */
async function verifyOtherType({ gateway, verify, scratch }: CaseContext): Promise<void> {
  const { admin } = gateway;
  const tag = await scratch.virtualTag({ dataType: "int32", access: "rw" });
  const { path } = tag;
  (await admin.call("writeTag", { path, json: { dataType: "int32", dataValue: 7 } })).body();
  // Whether a write with another type is accepted, and whether the value keeps it, is not stated.
  await admin.call("writeTag", { path, json: { dataType: "int16", dataValue: 8 } });
  const read = await admin.call("readTag", { path });
  const { dataType } = read.body();
  const listedType = (await listed(gateway)).get(keyOf(tag))?.dataType;
  verify("CORE-TAG-19").that(dataType === listedType || dataType === "int16", {
    what: "`dataType` of a direct read after a write with another type",
    expected: `${listedType} as in the list, or int16 as written`,
    observed: dataType,
    evidence: read,
  });
}

/** Checks that a write without a value is rejected, or stores none. */
async function verifyNoValue(
  { gateway: { admin }, verify }: CaseContext,
  path: { provider: string; source: string; tag: string },
  value: number,
): Promise<void> {
  for (const json of [{ dataType: "int32" }, { dataType: "int32", dataValue: null }]) {
    const answer = await admin.callInvalid("writeTag", { path, json });
    const read = await admin.call("readTag", { path });
    // Whether null is a value is not stated.
    const shown = read.accepted ? read.body().dataValue : null;
    verify("CORE-TAG-36").that(shown === value || shown === null || shown === undefined, {
      what: `value of a tag after a write of ${JSON.stringify(json)}`,
      expected: answer.accepted ? `${value}, unchanged, or none` : `${value}, unchanged`,
      observed: shown,
      evidence: answer,
    });
    if (!answer.accepted) verifyMessage(verify("CORE-TAG-36"), answer);
  }
}

export const accessCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "tags/written-values-are-read-back",
    title: "Values of every data type are read back exactly as written, including extremes",
    requirements: [
      "CORE-TAG-15",
      "CORE-TAG-16",
      "CORE-TAG-17",
      "CORE-TAG-19",
      "CORE-TAG-30",
      "CORE-TAG-31",
      "CORE-TAG-59",
    ],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, verify, scratch, note } = context;
      for (const dataType of dataTypes) {
        const { path } = await scratch.virtualTag({ dataType, access: "rw", ...sizeFor(dataType) });
        const raws: RawRead[] = [];
        for (const dataValue of goodValues[dataType]) {
          const written = await gateway.admin.call("writeTag", { path, json: { dataType, dataValue } });
          if (dataType === "raw" && !written.accepted) {
            // The wire form of raw values is not stated.
            note(`base64 text was rejected as a raw value: ${written.summary()}`);
            continue;
          }
          const requirement = dataType.endsWith("int64") ? "CORE-TAG-31" : "CORE-TAG-30";
          if (mayBeRejected(dataValue) && written.status >= 400 && written.status < 500) continue;
          if (!verify(requirement).accepted(written)) continue;
          const read = await gateway.admin.call("readTag", { path });
          const seen = read.body();
          if (dataValue === goodValues[dataType][0]) verifyNames(context, { path, dataType }, read);
          if (dataType === "raw") raws.push({ written: String(dataValue), seen: seen.dataValue });
          else
            verify(requirement).that(isSameValue(dataType, dataValue, seen.dataValue), {
              what: `direct read of a ${dataType} tag after a write`,
              expected: String(dataValue),
              observed: seen.dataValue,
              evidence: read,
            });
          verifyRecent(context, "CORE-TAG-59", {
            what: "`timestamp` of a direct read right after a write",
            shown: seen.timestamp,
            evidence: read,
          });
        }
        if (raws.length > 0) verifyRawReads(context, raws);
      }
      await verifyOtherType(context);
    },
  }),
  testCase({
    ...shared,
    id: "tags/access-is-kept",
    title: "`access` decides direct reads and writes; others are rejected with 400",
    requirements: [
      "CORE-TAG-32",
      "CORE-TAG-33",
      "CORE-TAG-34",
      "CORE-TAG-35",
      "CORE-TAG-36",
      "CORE-TAG-53",
      "CORE-TAG-60",
      "CORE-ROBUST-03",
    ],
    async run(context) {
      const { gateway, verify, scratch } = context;
      const { admin } = gateway;
      const json = { dataType: "int32", dataValue: 7 } as const;
      const readOnly = await scratch.virtualTag({ dataType: "int32", access: "r" });
      const writeOnly = await scratch.virtualTag({ dataType: "int32", access: "w" });
      const both = await scratch.virtualTag({ dataType: "int32", access: "rw" });
      for (const tag of [writeOnly, both])
        verify("CORE-TAG-35").accepted(await admin.call("writeTag", { path: tag.path, json }));
      const beforeWrite = await admin.call("readTag", { path: readOnly.path });
      const rejectedWrite = await admin.call("writeTag", { path: readOnly.path, json });
      verify("CORE-TAG-33").refused(rejectedWrite, 400);
      verifyMessage(verify("CORE-TAG-33"), rejectedWrite);
      const afterWrite = await admin.call("readTag", { path: readOnly.path });
      if (beforeWrite.accepted)
        verify("CORE-TAG-33").equal(
          afterWrite.accepted ? afterWrite.body().dataValue : afterWrite.summary(),
          beforeWrite.body().dataValue,
          "value of a tag with access r after a rejected write",
          rejectedWrite,
        );
      verify("CORE-TAG-32").refused(await admin.call("readTag", { path: writeOnly.path }), 400);
      for (const tag of [readOnly, both]) {
        const answer = await admin.call("readTag", { path: tag.path });
        // A tag that was never written may have no value to read, whatever its access.
        if (tag === both || answer.accepted) verify("CORE-TAG-34").accepted(answer);
      }
      await verifyChangedAccess(context);
      await verifyReadOnlyTags(context);
      for (const body of [
        { dataType: "nosuchtype", dataValue: 1 },
        { dataType: "int32", dataValue: "seven" },
        { dataType: "int32", dataValue: {} },
      ]) {
        const answer = await admin.callInvalid("writeTag", { path: both.path, json: body });
        verify("CORE-TAG-36").refused(answer, 400);
        verifyMessage(verify("CORE-TAG-36"), answer);
      }
      for (const content of ['{"dataType":"int32","dataValue":', ""]) {
        const raw = { contentType: "application/json", content };
        const answer = await admin.callInvalid("writeTag", { path: both.path, raw });
        verify("CORE-TAG-36").refused(answer, 400);
        verifyMessage(verify("CORE-TAG-36"), answer);
      }
      const after = await admin.call("readTag", { path: both.path });
      verify("CORE-TAG-36").equal(after.body().dataValue, 7, "value after malformed writes", after);
      await verifyNoValue(context, both.path, 7);
      for (const [dataType, values] of Object.entries(wrongValues)) {
        const { path } = await scratch.virtualTag({ dataType, access: "rw" });
        const type = dataType as TagDataType;
        // Neither end of any range: a value that was limited to the range is another one.
        const good = type === "boolean" ? true : 7;
        (await admin.callInvalid("writeTag", { path, json: { dataType, dataValue: good } })).body();
        for (const dataValue of values) {
          const answer = await admin.callInvalid("writeTag", { path, json: { dataType, dataValue } });
          if (!verify("CORE-TAG-60").refused(answer)) continue;
          // The status of this rejection is not stated; what a 400 holds is.
          if (answer.status === 400) verifyMessage(verify("CORE-TAG-36"), answer);
          const kept = await admin.call("readTag", { path });
          verify("CORE-ROBUST-03").that(isSameValue(type, good, kept.body().dataValue), {
            what: `value of a ${dataType} tag after a rejected write of ${String(dataValue)}`,
            expected: String(good),
            observed: kept.body().dataValue,
            evidence: kept,
          });
        }
      }
      await verifyNotShown(context);
    },
  }),
];
