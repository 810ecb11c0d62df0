// Provider, source and name of a tag are three names: no character joins them.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { VirtualTagInput } from "../../interface/resources/tags.ts";

/** Characters by which a gateway may join the names of a tag to a key. */
const separators = [".", "/", ":", "_", "-", "|"];

/** Two tags whose joined names are the same text. */
function twins({ profile, scratch }: CaseContext, separator: string): [VirtualTagInput, VirtualTagInput] {
  const name = scratch.name("tag");
  const shared = { prvdName: profile.virtualTags.provider, dataType: "int32", access: "rw" } as const;
  return [
    { ...shared, srcName: `rp${separator}x`, tagName: name },
    { ...shared, srcName: "rp", tagName: `x${separator}${name}` },
  ];
}

async function isCreated({ gateway, scratch }: CaseContext, json: VirtualTagInput): Promise<boolean> {
  const { accepted } = await gateway.admin.call("createVirtualTag", { json });
  if (accepted)
    scratch.undo(`virtual tag ${json.tagName}`, async () => {
      await remove(gateway, json);
    });
  return accepted;
}

async function remove({ admin }: CaseContext["gateway"], tag: VirtualTagInput): Promise<void> {
  const { prvdName, srcName, tagName } = tag;
  await admin.call("deleteVirtualTag", { json: { prvdName, srcName, tagName } });
}

/** Writes a value of its own to each tag, then reads both. */
async function verifyOwnValues(
  { gateway, verify }: CaseContext,
  tags: readonly VirtualTagInput[],
): Promise<void> {
  const paths = tags.map(({ prvdName, srcName, tagName }) => ({
    provider: prvdName,
    source: srcName,
    tag: tagName,
  }));
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
  }
}

export const joinedNameCases: readonly TestCase[] = [
  testCase({
    id: "tags/names-are-three",
    title: "Tags whose provider, source and name differ are different, however the names are joined",
    group: "tags",
    requirements: ["CORE-TAG-62"],
    effect: "reversible",
    touches: ["virtual-tags"],
    capabilities: ["tags", "virtual-tags"],
    async run(context) {
      const { gateway, verify } = context;
      let pairs = 0;
      for (const separator of separators) {
        const [one, two] = twins(context, separator);
        // Which characters a name may have, and whether clients may name a source of their own, is not stated.
        if (!(await isCreated(context, one))) continue;
        if (await isCreated(context, two)) {
          pairs += 1;
          await verifyOwnValues(context, [one, two]);
          continue;
        }
        await remove(gateway, one);
        const isAloneAccepted = await isCreated(context, two);
        if (!isAloneAccepted) continue;
        pairs += 1;
        verify("CORE-TAG-62").that(false, {
          what: `creation of ${JSON.stringify(two)} while ${JSON.stringify(one)} exists`,
          expected: "accepted, as without that tag",
          observed: "rejected",
        });
      }
      if (pairs === 0)
        verify("CORE-TAG-62").notApplicable(
          "tags whose joined names are the same text",
          "the gateway rejects such names",
        );
    },
  }),
];
