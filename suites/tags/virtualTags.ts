import { type TestCase, testCase } from "../../harness/index.ts";
import {
  maxTagDataSize,
  maxTagUnitLength,
  type Tag,
  type VirtualTagInput,
} from "../../interface/resources/tags.ts";
import { verifyNewTypes, verifyValueAfterUpdate } from "./afterUpdate.ts";
import { giveValue, verifyDeleted, verifyForgotten, verifyInUseAgain, watchValues } from "./deleted.ts";
import { verifyMissing } from "./missingTags.ts";
import { verifyProviders } from "./providers.ts";
import { verifySystemTag } from "./systemTags.ts";
import { dataTypes } from "./values.ts";
import { keyOf, listed, membersOf, nameOf, sizeAsSent, updateTag, wish } from "../support/virtualTag.ts";

type TagMembers = Pick<VirtualTagInput, "dataType" | "access" | "dataSize" | "dataUnit">;

const plainMembers = { dataType: "int32", access: "rw", dataSize: 8, dataUnit: "bar" } as const;
const accesses = ["r", "w", "rw"] as const;
const longestUnits = ["u", "µ"].map((letter) => letter.repeat(maxTagUnitLength));
/** Whether the length of a unit counts characters or bytes is not stated. */
const isLongInBytes = ({ dataUnit = "" }: TagMembers): boolean =>
  Buffer.byteLength(dataUnit) > maxTagUnitLength;
const longInBytes = `\`dataUnit\` of ${maxTagUnitLength} characters in more bytes`;

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
    members: { ...plainMembers, dataType: "string", dataSize } as const,
  })),
];

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["virtual-tags"],
  capabilities: ["tags", "virtual-tags"],
} as const;

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
        context.scratch.removeTagLater(json);
        const answer = await gateway.admin.call("createVirtualTag", { json });
        if (!answer.accepted && isLongInBytes(json)) {
          verify(requirement).notApplicable(longInBytes, "the gateway rejects it");
          continue;
        }
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
          verify("CORE-TAG-43").equal(
            sizeAsSent(seen, json),
            json.dataSize,
            `\`dataSize\` as ${how}`,
            answer,
          );
        }
        const { json: changed, answer: update } = await updateTag(
          gateway,
          { ...json, ...(memberForms[index + 1]?.members ?? plainMembers) },
          json.dataType,
        );
        if (!update.accepted && isLongInBytes(changed)) continue;
        if (!verify("CORE-TAG-28").accepted(update)) continue;
        const list = await gateway.admin.call("listTags", { query: { provider: json.prvdName } });
        const now = new Map(list.data().map((one) => [keyOf(one), one]));
        for (const [how, seen] of [
          ["returned", update.data()],
          ["listed", now.get(keyOf(json))],
        ] as const)
          verify("CORE-TAG-28").equal(
            membersOf(seen, changed),
            changed,
            `updated virtual tag as ${how}`,
            update,
          );
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
      "CORE-TAG-11",
      "CORE-TAG-13",
      "CORE-TAG-19",
      "CORE-TAG-27",
      "CORE-TAG-28",
      "CORE-TAG-29",
      "CORE-TAG-30",
      "CORE-TAG-36",
      "CORE-TAG-48",
      "CORE-TAG-52",
      "CORE-TAG-57",
      "CORE-TAG-58",
      "CORE-TAG-61",
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
        context.scratch.removeTagLater(json);
        (await admin.call("createVirtualTag", { json })).body();
      }
      const [first, second, third] = tags;
      const elsewhere: VirtualTagInput[] = [];
      // Whether clients may name a source or provider of their own is not stated.
      for (const part of [{ srcName: "rp-other" }, { prvdName: `${middle.prvdName}a` }]) {
        const json = { ...middle, ...part };
        context.scratch.removeTagLater(json);
        if ((await admin.call("createVirtualTag", { json })).accepted) elsewhere.push(json);
      }
      const upper = { ...middle, tagName: middle.tagName.toUpperCase() };
      context.scratch.removeTagLater(upper);
      await admin.call("createVirtualTag", { json: upper });
      const tagsNow = await listed(gateway);
      // Whether case distinguishes names is not stated; where both are listed, they are two tags.
      const isTwo = tagsNow.has(keyOf(upper)) && tagsNow.has(keyOf(middle));
      const neighbours = [first, third, ...elsewhere, ...(isTwo ? [upper] : [])];
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
      let present = second.dataType;
      // All members, then each of them alone.
      for (const wanted of [
        changed,
        { ...changed, dataType: "uint16" },
        { ...changed, access: "w" },
        { ...changed, dataSize: 4 },
        { ...changed, dataUnit: "𝄞/h <°C>" },
      ] as const) {
        const { json, answer: update } = await updateTag(gateway, wanted, present);
        if (!verify("CORE-TAG-28").accepted(update)) continue;
        present = json.dataType;
        const now = await listed(gateway);
        for (const [how, seen] of [
          ["updated tag as returned", update.data()],
          ["updated tag as listed", now.get(keyOf(second))],
        ] as const)
          verify("CORE-TAG-28").equal(membersOf(seen, json), json, how, update);
        verify("CORE-TAG-28").equal(await others(), othersBefore, "other tags after the update", update);
      }
      await verifyProviders(
        context,
        [middle, ...elsewhere].map(({ prvdName }) => prvdName),
      );
      await verifyValueAfterUpdate(context);
      await verifyNewTypes(context);
      await giveValue(context, second);
      const verifyValues = await watchValues(context, [first, third]);
      const answer = await admin.call("deleteVirtualTag", { json: nameOf(second) });
      verify("CORE-TAG-29").equal(await others(), othersBefore, "other tags after the deletion", answer);
      await verifyValues();
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
        const members = (tags: readonly Tag[]): unknown[] =>
          [first, third].map((one) => membersOf(tags.find((tag) => keyOf(tag) === keyOf(one))));
        verify("CORE-TAG-57").equal(
          members(answer.data()),
          members([...now.values()]),
          "members of two tags in the answer to deleting another, compared with the list",
          answer,
        );
        await verifyDeleted(context, second);
        // Only where the answer shows all virtual tags is another one certain not to be one.
        if ([first, third].every((one) => remaining.includes(keyOf(one))))
          await verifySystemTag(context, answer.data());
      }
      await verifyMissing(context, nameOf(second), [first, third]);
      const anew = { ...second, dataType: "string", access: "r", dataSize: 3, dataUnit: "anew" } as const;
      const again = await admin.call("createVirtualTag", { json: anew });
      if (verify("CORE-TAG-27").accepted(again))
        verify("CORE-TAG-27").equal(
          membersOf((await listed(gateway)).get(keyOf(anew))),
          anew,
          "listed virtual tag that was deleted and created again with other members",
          again,
        );
      if (again.accepted) await verifyForgotten(context, anew);
      await verifyInUseAgain(context, nameOf(anew));
    },
  }),
];
