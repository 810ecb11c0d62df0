// Limits of the names, units and sizes of virtual tags.
import { type TestCase, testCase } from "../../harness/index.ts";
import {
  maxTagDataSize,
  maxTagNameLength,
  maxTagUnitLength,
  type VirtualTagInput,
} from "../../interface/resources/tags.ts";
import { verifyRejectedChanges, verifyRejectedTags } from "./rejectedTags.ts";
import { keyOf, listed, nameOf, pathOf, wish } from "../support/virtualTag.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["virtual-tags"],
  capabilities: ["tags", "virtual-tags"],
} as const;

/** Ends of names that escaping in a path may change. */
const oddNames = ["100%", "%41%2B", " +a+ b", "?q=1&r#s", "ÄÖ説", ".", "/a/b"] as const;

const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 57)}...` : name);

export const tagLimitCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "tags/limits-of-virtual-tags",
    title: "Names, units and sizes are accepted at their limits and rejected beyond",
    requirements: [
      "CORE-TAG-29",
      "CORE-TAG-37",
      "CORE-TAG-38",
      "CORE-TAG-39",
      "CORE-TAG-40",
      "CORE-TAG-42",
      "CORE-TAG-44",
      "CORE-TAG-45",
      "CORE-TAG-46",
      "CORE-TAG-47",
      "CORE-TAG-58",
    ],
    async run(context) {
      const { gateway, verify } = context;
      const { admin } = gateway;
      const isReadBack = async (json: VirtualTagInput, dataValue: number): Promise<void> => {
        const path = pathOf(json);
        const written = await admin.call("writeTag", { path, json: { dataType: "int32", dataValue } });
        const read = await admin.call("readTag", { path });
        const isSame = written.accepted && read.accepted && read.body().dataValue === dataValue;
        const name = JSON.stringify([json.prvdName, json.srcName, json.tagName].map(shortened));
        verify("CORE-TAG-37").that(isSame, {
          what: `value of the tag ${name}, written and read directly`,
          expected: String(dataValue),
          observed: written.accepted ? read.summary() : written.summary(),
          evidence: read,
        });
        const unescaped = await admin.call("readTag", { path, escapes: "needed" });
        verify("CORE-TAG-37").that(unescaped.accepted && unescaped.body().dataValue === dataValue, {
          what: `value of the tag ${name}, read with a path in which only what must be is percent-encoded`,
          expected: String(dataValue),
          observed: unescaped.summary(),
          evidence: unescaped,
        });
        const monitored = await admin.call("monitorTags", { path });
        const shown = monitored.accepted ? [monitored.data()].flat() : [];
        verify("CORE-TAG-37").that(
          shown.findLast((one) => one.tagName === json.tagName)?.dataValue === dataValue,
          {
            what: `monitored value of the tag ${name}`,
            expected: String(dataValue),
            observed: shown.findLast((one) => one.tagName === json.tagName)?.dataValue ?? monitored.summary(),
            evidence: monitored,
          },
        );
      };
      const isDeleted = async (json: VirtualTagInput, what: string, by = "CORE-TAG-37"): Promise<void> => {
        const deleted = await admin.call("deleteVirtualTag", { json: nameOf(json) });
        if (verify(by).accepted(deleted))
          verify(by).equal(
            (await listed(gateway)).has(keyOf(json)),
            false,
            `presence in the list of a deleted tag with ${what}`,
            deleted,
          );
      };
      const long = (name: string, length: number): string => name.padEnd(length, "x");
      const ordinary = wish(context);
      context.scratch.removeTagLater(ordinary);
      if ((await admin.call("createVirtualTag", { json: ordinary })).accepted)
        await isDeleted(ordinary, "an ordinary name", "CORE-TAG-29");
      const atLimit = wish(context);
      const whole = { ...atLimit, tagName: long(atLimit.tagName, maxTagNameLength) };
      context.scratch.removeTagLater(whole);
      const created = await admin.call("createVirtualTag", { json: whole });
      if (verify("CORE-TAG-37").accepted(created)) {
        verify("CORE-TAG-37").equal(
          (await listed(gateway)).has(keyOf(whole)),
          true,
          "presence of a tag with a name of 1024 characters in the list",
        );
        await isReadBack(whole, 31);
        await isDeleted(whole, "a name of 1024 characters");
      }
      for (const name of ["prvdName", "srcName"] as const) {
        const json = wish(context, { [name]: long("rp", maxTagNameLength) });
        const created = await admin.call("createVirtualTag", { json });
        context.scratch.removeTagLater(json);
        // Whether clients may name a provider or source of their own is not stated.
        const short = created.accepted ? json : wish(context, { [name]: "rp-own" });
        if (!created.accepted && !(await admin.call("createVirtualTag", { json: short })).accepted) continue;
        context.scratch.removeTagLater(short);
        if (verify("CORE-TAG-37").accepted(created))
          verify("CORE-TAG-37").equal(
            (await listed(gateway)).get(keyOf(json))?.[name],
            json[name],
            `\`${name}\` of 1024 characters in the list`,
            created,
          );
        if (created.accepted) await isReadBack(json, 32);
      }
      const own = wish(context, { prvdName: "rp-own", srcName: "rp-own" });
      if ((await admin.call("createVirtualTag", { json: own })).accepted) {
        context.scratch.removeTagLater(own);
        const longest = {
          ...own,
          prvdName: long("rp", maxTagNameLength),
          srcName: long("rp", maxTagNameLength),
        };
        const json = { ...longest, tagName: whole.tagName };
        const together = await admin.call("createVirtualTag", { json });
        context.scratch.removeTagLater(json);
        if (verify("CORE-TAG-37").accepted(together)) {
          verify("CORE-TAG-37").equal(
            (await listed(gateway)).has(keyOf(json)),
            true,
            "presence of a tag with three names of 1024 characters in the list",
            together,
          );
          await isDeleted(json, "three names of 1024 characters");
        }
      }
      for (const [index, end] of oddNames.entries()) {
        const plain = wish(context);
        for (const json of [
          { ...plain, tagName: `${plain.tagName}${end}` },
          { ...plain, srcName: `rp-other${end}` },
        ]) {
          context.scratch.removeTagLater(json);
          // Which characters a name may have is not stated; an accepted name names the tag everywhere.
          if (!(await admin.call("createVirtualTag", { json })).accepted) continue;
          await isReadBack(json, index + 40);
          await isDeleted(json, `a name that ends with ${end}`, "CORE-TAG-29");
        }
      }
      const lower = wish(context);
      const upper = { ...lower, tagName: lower.tagName.toUpperCase() };
      for (const json of [lower, upper]) {
        context.scratch.removeTagLater(json);
        await admin.call("createVirtualTag", { json });
      }
      const tags = await listed(gateway);
      // Whether case distinguishes names is not stated; where both are listed, each has its own value.
      if (tags.has(keyOf(lower)) && tags.has(keyOf(upper)))
        for (const [json, value] of [
          [lower, 61],
          [upper, 62],
        ] as const) {
          const other = json === lower ? upper : lower;
          const before = await admin.call("readTag", { path: pathOf(other) });
          await isReadBack(json, value);
          const after = await admin.call("readTag", { path: pathOf(other) });
          verify("CORE-TAG-37").equal(
            after.accepted ? after.body().dataValue : "rejected",
            before.accepted ? before.body().dataValue : "rejected",
            "value of a tag after a write to the tag whose name differs in case only",
            after,
          );
        }
      const accented = wish(context);
      const json = { ...accented, tagName: `${accented.tagName} é説` };
      context.scratch.removeTagLater(json);
      const unicode = await admin.call("createVirtualTag", { json });
      // Which characters a name may have is not stated; an accepted name is shown as sent.
      if (unicode.accepted)
        verify("CORE-TAG-37").equal(
          (await listed(gateway)).get(keyOf(json))?.tagName,
          json.tagName,
          "`tagName` with characters outside ASCII in the list",
          unicode,
        );
      if (unicode.accepted)
        for (const [length, isAccepted] of [
          [maxTagNameLength, true],
          [maxTagNameLength + 1, false],
        ] as const) {
          const accents = { ...accented, tagName: accented.tagName.padEnd(length, "é") };
          context.scratch.removeTagLater(accents);
          if (isAccepted)
            verify("CORE-TAG-37").accepted(await admin.call("createVirtualTag", { json: accents }));
          else verify("CORE-TAG-40").refused(await admin.callInvalid("createVirtualTag", { json: accents }));
        }
      const target = wish(context);
      context.scratch.removeTagLater(target);
      (await admin.call("createVirtualTag", { json: target })).body();
      for (const [requirement, part] of [
        ["CORE-TAG-42", { dataUnit: "u".repeat(maxTagUnitLength + 1) }],
        ["CORE-TAG-44", { dataSize: -1 }],
        ["CORE-TAG-44", { dataSize: maxTagDataSize + 1 }],
      ] as const) {
        verify(requirement).refused(
          await admin.callInvalid("updateVirtualTag", { json: { ...target, ...part } }),
        );
        const after = (await listed(gateway)).get(keyOf(target));
        verify(requirement).equal(
          { dataType: after?.dataType, access: after?.access },
          { dataType: target.dataType, access: target.access },
          `tag after a rejected update with ${Object.keys(part).join()} beyond its limit`,
        );
      }
      await verifyRejectedTags(context);
      await verifyRejectedChanges(context);
    },
  }),
];
