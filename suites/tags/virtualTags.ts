import { type TestCase, testCase } from "../../harness/index.ts";
import {
  maxTagDataSize,
  maxTagNameLength,
  maxTagUnitLength,
  type VirtualTagInput,
} from "../../interface/resources/tags.ts";
import { verifyValueAfterUpdate } from "./afterUpdate.ts";
import { verifyMissing } from "./missingTags.ts";
import { verifyRejectedTags } from "./rejectedTags.ts";
import { dataTypes } from "./values.ts";
import { keyOf, listed, membersOf, nameOf, removeLater, wish } from "./virtualTag.ts";

type TagMembers = Pick<VirtualTagInput, "dataType" | "access" | "dataSize" | "dataUnit">;

const plainMembers = { dataType: "int32", access: "rw", dataSize: 8, dataUnit: "bar" } as const;
const accesses = ["r", "w", "rw"] as const;
const longestUnits = ["u", "µ"].map((letter) => letter.repeat(maxTagUnitLength));

/** Members of virtual tags: each data type, then each limit of the others; with the requirement that one which is rejected violates. */
const memberForms: readonly { readonly requirement: string; readonly members: TagMembers }[] = [
  ...dataTypes.map((dataType, index) => ({
    requirement: "CORE-TAG-27",
    members: { ...plainMembers, dataType, access: accesses[index % accesses.length] ?? "rw" },
  })),
  ...["", ...longestUnits].map((dataUnit) => ({
    requirement: "CORE-TAG-41",
    members: { ...plainMembers, dataUnit },
  })),
  ...[0, maxTagDataSize].map((dataSize) => ({
    requirement: "CORE-TAG-43",
    members: { ...plainMembers, dataSize },
  })),
];

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["virtual-tags"],
  capabilities: ["tags", "virtual-tags"],
} as const;

/** Ends of names that escaping in a path may change. */
const oddNames = ["100%", "%41%2B", " +a+ b", "?q=1&r#s", "ÄÖ説", ".", "/a/b"] as const;

export const virtualTagCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "tags/virtual-tags-of-every-type",
    title: "A virtual tag of every data type is returned and listed as created",
    requirements: ["CORE-TAG-27", "CORE-TAG-28", "CORE-TAG-41", "CORE-TAG-43", "CORE-TAG-61"],
    async run(context) {
      const { gateway, verify } = context;
      for (const [index, { requirement, members }] of memberForms.entries()) {
        const json = wish(context, members);
        removeLater(context, json);
        const answer = await gateway.admin.call("createVirtualTag", { json });
        if (!verify(requirement).accepted(answer)) continue;
        const tag = (await listed(gateway)).get(keyOf(json));
        for (const [how, seen] of [
          ["returned", answer.data()],
          ["listed", tag],
        ] as const) {
          verify("CORE-TAG-27").equal(
            seen && { ...nameOf(seen), dataType: seen.dataType, access: seen.access },
            { ...nameOf(json), dataType: json.dataType, access: json.access },
            `virtual tag as ${how}`,
            answer,
          );
          verify("CORE-TAG-41").equal(seen?.dataUnit, json.dataUnit, `\`dataUnit\` as ${how}`, answer);
          verify("CORE-TAG-43").equal(seen?.dataSize, json.dataSize, `\`dataSize\` as ${how}`, answer);
        }
        const changed = { ...json, ...(memberForms[index + 1]?.members ?? plainMembers) };
        const update = await gateway.admin.call("updateVirtualTag", { json: changed });
        if (!verify("CORE-TAG-28").accepted(update)) continue;
        const list = await gateway.admin.call("listTags", { query: { provider: json.prvdName } });
        const now = new Map(list.data().map((one) => [keyOf(one), one]));
        for (const [how, seen] of [
          ["returned", update.data()],
          ["listed", now.get(keyOf(json))],
        ] as const)
          verify("CORE-TAG-28").equal(membersOf(seen), changed, `updated virtual tag as ${how}`, update);
        verify("CORE-TAG-61").equal(
          list.data().filter(({ prvdName }) => prvdName !== json.prvdName),
          [],
          `tags of other providers in List tags with \`provider\` ${json.prvdName}`,
          list,
        );
      }
    },
  }),
  testCase({
    ...shared,
    id: "tags/virtual-tags-are-updated-and-deleted",
    title: "Updating or deleting one virtual tag leaves all others unchanged",
    requirements: [
      "CORE-TAG-13",
      "CORE-TAG-27",
      "CORE-TAG-28",
      "CORE-TAG-29",
      "CORE-TAG-48",
      "CORE-TAG-57",
      "CORE-TAG-58",
    ],
    async run(context) {
      const { gateway, verify } = context;
      const { admin } = gateway;
      const middle = wish(context);
      // One neighbour is a prefix of its name, the other has its name as prefix.
      const tags = [
        wish(context, { tagName: middle.tagName.slice(0, -1) }),
        middle,
        wish(context, { tagName: `${middle.tagName}a` }),
      ] as const;
      for (const json of tags) {
        removeLater(context, json);
        (await admin.call("createVirtualTag", { json })).body();
      }
      const [first, second, third] = tags;
      const elsewhere = { ...middle, srcName: "rp-other" };
      removeLater(context, elsewhere);
      // Whether clients may name a source of their own is not stated.
      const isElsewhere = (await admin.call("createVirtualTag", { json: elsewhere })).accepted;
      const upper = { ...middle, tagName: middle.tagName.toUpperCase() };
      removeLater(context, upper);
      await admin.call("createVirtualTag", { json: upper });
      const tagsNow = await listed(gateway);
      // Whether case distinguishes names is not stated; where both are listed, they are two tags.
      const isTwo = tagsNow.has(keyOf(upper)) && tagsNow.has(keyOf(middle));
      const neighbours = [first, third, ...(isElsewhere ? [elsewhere] : []), ...(isTwo ? [upper] : [])];
      const others = async (): Promise<unknown[]> => {
        const now = await listed(gateway);
        return neighbours.map((one) => membersOf(now.get(keyOf(one))));
      };
      const othersBefore = await others();
      const changed: VirtualTagInput = {
        ...second,
        dataType: "double",
        access: "r",
        dataSize: 8,
        dataUnit: "bar",
      };
      // All members, then each of them alone.
      for (const json of [
        changed,
        { ...changed, dataType: "uint16" },
        { ...changed, access: "w" },
        { ...changed, dataSize: 4 },
        { ...changed, dataUnit: "𝄞/h <°C>" },
      ] as const) {
        const update = await admin.call("updateVirtualTag", { json });
        if (!verify("CORE-TAG-28").accepted(update)) continue;
        const now = await listed(gateway);
        for (const [how, seen, wanted] of [
          ["updated tag as returned", update.data(), json],
          ["updated tag as listed", now.get(keyOf(second)), json],
        ] as const)
          verify("CORE-TAG-28").equal(membersOf(seen), wanted, how, update);
        verify("CORE-TAG-28").equal(await others(), othersBefore, "other tags after the update", update);
      }
      await verifyValueAfterUpdate(context);
      const answer = await admin.call("deleteVirtualTag", { json: nameOf(second) });
      verify("CORE-TAG-29").equal(await others(), othersBefore, "other tags after the deletion", answer);
      if (verify("CORE-TAG-29").accepted(answer)) {
        const now = await listed(gateway);
        verify("CORE-TAG-29").equal(
          { first: now.has(keyOf(first)), second: now.has(keyOf(second)), third: now.has(keyOf(third)) },
          { first: true, second: false, third: true },
          "presence of three tags in the list after deleting the second",
          answer,
        );
        const remaining = answer.data().map(keyOf);
        verify("CORE-TAG-57").equal(
          {
            first: remaining.includes(keyOf(first)),
            second: remaining.includes(keyOf(second)),
            third: remaining.includes(keyOf(third)),
          },
          { first: true, second: false, third: true },
          "presence of three tags in the answer to deleting the second",
          answer,
        );
      }
      await verifyMissing(context, nameOf(second), [first, third]);
      const anew = { ...second, dataType: "string", access: "w", dataSize: 3, dataUnit: "anew" } as const;
      const again = await admin.call("createVirtualTag", { json: anew });
      if (verify("CORE-TAG-27").accepted(again))
        verify("CORE-TAG-27").equal(
          membersOf((await listed(gateway)).get(keyOf(anew))),
          anew,
          "listed virtual tag that was deleted and created again with other members",
          again,
        );
    },
  }),
  testCase({
    ...shared,
    id: "tags/limits-of-virtual-tags",
    title: "Names, units and sizes are accepted at their limits and rejected beyond",
    requirements: [
      "CORE-TAG-37",
      "CORE-TAG-38",
      "CORE-TAG-39",
      "CORE-TAG-40",
      "CORE-TAG-42",
      "CORE-TAG-44",
      "CORE-TAG-45",
      "CORE-TAG-46",
      "CORE-TAG-47",
    ],
    async run(context) {
      const { gateway, verify } = context;
      const { admin } = gateway;
      const long = (name: string, length: number): string => name.padEnd(length, "x");
      const atLimit = wish(context);
      const whole = { ...atLimit, tagName: long(atLimit.tagName, maxTagNameLength) };
      removeLater(context, whole);
      const created = await admin.call("createVirtualTag", { json: whole });
      if (verify("CORE-TAG-37").accepted(created)) {
        verify("CORE-TAG-37").equal(
          (await listed(gateway)).has(keyOf(whole)),
          true,
          "presence of a tag with a name of 1024 characters in the list",
        );
      }
      for (const name of ["prvdName", "srcName"] as const) {
        const json = wish(context, { [name]: long("rp", maxTagNameLength) });
        const created = await admin.call("createVirtualTag", { json });
        removeLater(context, json);
        // Whether clients may name a provider or source of their own is not stated.
        const short = created.accepted ? json : wish(context, { [name]: "rp-own" });
        if (!created.accepted && !(await admin.call("createVirtualTag", { json: short })).accepted) continue;
        removeLater(context, short);
        if (verify("CORE-TAG-37").accepted(created))
          verify("CORE-TAG-37").equal(
            (await listed(gateway)).get(keyOf(json))?.[name],
            json[name],
            `\`${name}\` of 1024 characters in the list`,
            created,
          );
      }
      const own = wish(context, { prvdName: "rp-own", srcName: "rp-own" });
      if ((await admin.call("createVirtualTag", { json: own })).accepted) {
        removeLater(context, own);
        const longest = {
          ...own,
          prvdName: long("rp", maxTagNameLength),
          srcName: long("rp", maxTagNameLength),
        };
        const json = { ...longest, tagName: whole.tagName };
        const together = await admin.call("createVirtualTag", { json });
        removeLater(context, json);
        if (verify("CORE-TAG-37").accepted(together))
          verify("CORE-TAG-37").equal(
            (await listed(gateway)).has(keyOf(json)),
            true,
            "presence of a tag with three names of 1024 characters in the list",
            together,
          );
      }
      const pathOf = ({ prvdName, srcName, tagName }: VirtualTagInput) => ({
        provider: prvdName,
        source: srcName,
        tag: tagName,
      });
      const isReadBack = async (json: VirtualTagInput, dataValue: number): Promise<void> => {
        const path = pathOf(json);
        const written = await admin.call("writeTag", { path, json: { dataType: "int32", dataValue } });
        const read = await admin.call("readTag", { path });
        const isSame = written.accepted && read.accepted && read.body().dataValue === dataValue;
        const name = JSON.stringify([json.prvdName, json.srcName, json.tagName]);
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
      for (const [index, end] of oddNames.entries()) {
        const plain = wish(context);
        for (const json of [
          { ...plain, tagName: `${plain.tagName}${end}` },
          { ...plain, srcName: `rp-other${end}` },
        ]) {
          removeLater(context, json);
          // Which characters a name may have is not stated; an accepted name names the tag everywhere.
          if ((await admin.call("createVirtualTag", { json })).accepted) await isReadBack(json, index + 40);
        }
      }
      const lower = wish(context);
      const upper = { ...lower, tagName: lower.tagName.toUpperCase() };
      for (const json of [lower, upper]) {
        removeLater(context, json);
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
      removeLater(context, json);
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
          removeLater(context, accents);
          if (isAccepted)
            verify("CORE-TAG-37").accepted(await admin.call("createVirtualTag", { json: accents }));
          else verify("CORE-TAG-40").refused(await admin.callInvalid("createVirtualTag", { json: accents }));
        }
      const target = wish(context);
      removeLater(context, target);
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
    },
  }),
];
