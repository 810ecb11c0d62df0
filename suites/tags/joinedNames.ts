// Provider, source and name of a tag are three names: no character joins them.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { VirtualTagInput } from "../../interface/resources/tags.ts";
import { nameOf, pathOf, wish } from "../support/virtualTag.ts";
import { namedSourceRequirements, noNamedSource, verifyStreamsAndHistory } from "./namedSources.ts";
import { verifyMessageOf400 } from "./readOnlyTags.ts";

/** Characters by which a gateway may join the names of a tag to a key. */
const separators = [".", "/", ":", "_", "-", "|"];

const otherSource = "rp-other";
const otherProvider = "rp-own";

/** Two tags whose joined names are the same text. */
function twins({ profile, scratch }: CaseContext, separator: string): [VirtualTagInput, VirtualTagInput] {
  const name = scratch.name("tag");
  const shared = { prvdName: profile.virtualTags.provider, dataType: "int32", access: "rw" } as const;
  return [
    { ...shared, srcName: `rp${separator}x`, tagName: name },
    { ...shared, srcName: "rp", tagName: `x${separator}${name}` },
  ];
}

/** Pairs of tags, the second of which differs from the first in one or two of its names. */
function pairs(context: CaseContext): [VirtualTagInput, VirtualTagInput][] {
  const plain = wish(context);
  const alone = wish(context);
  return [
    [plain, { ...plain, srcName: otherSource }],
    [alone, { ...alone, prvdName: otherProvider }],
    ...separators.map((separator) => twins(context, separator)),
  ];
}

async function isCreated({ gateway, scratch }: CaseContext, json: VirtualTagInput): Promise<boolean> {
  const { accepted } = await gateway.admin.call("createVirtualTag", { json });
  if (accepted) scratch.removeTagLater(json);
  return accepted;
}

async function remove({ admin }: CaseContext["gateway"], tag: VirtualTagInput): Promise<void> {
  await admin.call("deleteVirtualTag", { json: nameOf(tag) });
}

/** Writes a value of its own to each tag, then reads both. */
async function verifyOwnValues(
  { gateway, verify }: CaseContext,
  tags: readonly VirtualTagInput[],
): Promise<void> {
  const paths = tags.map(pathOf);
  for (const [index, path] of paths.entries())
    (
      await gateway.admin.call("writeTag", { path, json: { dataType: "int32", dataValue: index + 1 } })
    ).body();
  for (const [index, path] of paths.entries()) {
    const read = await gateway.admin.call("readTag", { path });
    verify("CORE-TAG-62").equal(
      read.body().dataValue,
      index + 1,
      `value of ${JSON.stringify(path)} after other values were written to two tags`,
      read,
    );
    const monitored = await gateway.admin.call("monitorTags", { path });
    if (!monitored.accepted) continue;
    const shown = [monitored.data()].flat().findLast(({ tagName }) => tagName === path.tag);
    verify("CORE-TAG-62").equal(
      shown?.dataValue,
      index + 1,
      `monitored value of ${JSON.stringify(path)} after other values were written to two tags`,
      monitored,
    );
  }
}

/** Checks that neither a write, a read nor monitoring in another place reaches a tag of that name. */
async function verifyElsewhere(context: CaseContext): Promise<void> {
  const { gateway, scratch, verify } = context;
  const { admin } = gateway;
  const value = 8101;
  const { path, ...tag } = await scratch.virtualTag({ dataType: "int32" });
  (await admin.call("writeTag", { path, json: { dataType: "int32", dataValue: value } })).body();
  for (const part of [{ source: scratch.name("source") }, { provider: scratch.name("provider") }]) {
    const elsewhere = { ...path, ...part };
    const where = `a ${Object.keys(part).join()} that does not exist`;
    const read = await admin.call("readTag", { path: elsewhere });
    const monitored = await admin.call("monitorTags", { path: elsewhere, query: { tags: path.tag } });
    for (const [how, values, evidence] of [
      ["direct reads", read.accepted ? [read.body().dataValue as unknown] : [], read],
      [
        "monitoring",
        monitored.accepted ? [monitored.data()].flat().map((one) => one.dataValue as unknown) : [],
        monitored,
      ],
    ] as const)
      verify("CORE-TAG-62").equal(
        values.filter((one) => one === value),
        [],
        `values of a tag shown by ${how} of its name in ${where}`,
        evidence,
      );
    // A write that creates its tag is not excluded.
    context.scratch.removeTagLater({ ...tag, prvdName: elsewhere.provider, srcName: elsewhere.source });
    const written = await admin.call("writeTag", {
      path: elsewhere,
      json: { dataType: "int32", dataValue: value + 1 },
    });
    verifyMessageOf400(verify("CORE-TAG-36"), written);
    verify("CORE-TAG-62").equal(
      (await admin.call("readTag", { path })).body().dataValue,
      value,
      `value of a tag after a write to its name in ${where}`,
      written,
    );
  }
}

/** Checks that monitoring of a source shows no tag of another one, also where it has none of the name. */
async function verifyOtherSource(
  { gateway, scratch, verify }: CaseContext,
  { prvdName, srcName }: VirtualTagInput,
): Promise<void> {
  const { path } = await scratch.virtualTag({ dataType: "int32" });
  const { tag } = path;
  (await gateway.admin.call("writeTag", { path, json: { dataType: "int32", dataValue: 8201 } })).body();
  const answer = await gateway.admin.call("monitorTags", {
    path: { provider: prvdName, source: srcName },
    query: { tags: tag },
  });
  // Whether a name that does not exist is rejected is not stated.
  if (!answer.accepted) return;
  verify("CORE-TAG-62").equal(
    [answer.data()].flat().filter(({ tagName, dataValue }) => tagName === tag || dataValue === 8201),
    [],
    `values of a tag in monitoring of ${JSON.stringify([prvdName, srcName])}, which does not have it`,
    answer,
  );
}

export const joinedNameCases: readonly TestCase[] = [
  testCase({
    id: "tags/names-are-three",
    title: "Tags whose provider, source and name differ are different, however the names are joined",
    group: "tags",
    requirements: ["CORE-TAG-36", "CORE-TAG-62", ...namedSourceRequirements],
    effect: "reversible",
    touches: ["virtual-tags"],
    capabilities: ["tags", "virtual-tags"],
    async run(context) {
      const { gateway, verify } = context;
      await verifyElsewhere(context);
      let compared = 0;
      let isStreamed = false;
      for (const [one, two] of pairs(context)) {
        // Which characters a name may have, and whether clients may name a source of their own, is not stated.
        if (!(await isCreated(context, one))) continue;
        if (await isCreated(context, two)) {
          compared += 1;
          await verifyOwnValues(context, [one, two]);
          if (two.srcName === otherSource) await verifyOtherSource(context, two);
          if (two.srcName !== otherSource && two.prvdName !== otherProvider) continue;
          await verifyStreamsAndHistory(context, two);
          isStreamed = true;
          continue;
        }
        await remove(gateway, one);
        const isAloneAccepted = await isCreated(context, two);
        if (!isAloneAccepted) continue;
        compared += 1;
        verify("CORE-TAG-62").that(false, {
          what: `creation of ${JSON.stringify(two)} while ${JSON.stringify(one)} exists`,
          expected: "accepted, as without that tag",
          observed: "rejected",
        });
      }
      if (!isStreamed) noNamedSource(context);
      if (compared === 0)
        verify("CORE-TAG-62").notApplicable(
          "tags that differ in one name, or whose joined names are the same text",
          "the gateway rejects such names",
        );
    },
  }),
];
