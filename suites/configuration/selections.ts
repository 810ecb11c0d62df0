import { type TestCase, testCase, type Verify } from "../../harness/index.ts";
import { readTarGz } from "../support/tarGz.ts";
import { password, upload } from "./support.ts";

/** Each parameter of an export with and without every other one. */
const combinations = [false, true].flatMap((encryption) =>
  [false, true].flatMap((hasSelect) =>
    [false, true].map((hasFilter) => ({ encryption, hasSelect, hasFilter })),
  ),
);

export const selectionCases: readonly TestCase[] = [
  testCase({
    id: "configuration/exports-of-a-selection",
    title: "A selection is exported with and without encryption, and can be uploaded again",
    group: "configuration",
    requirements: ["CORE-CONFIG-10", "CORE-CONFIG-14", "CORE-CONFIG-21", "CORE-CONFIG-22", "CORE-CONFIG-24"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run({ gateway, verify, random, unmet }) {
      const { admin } = gateway;
      const sections = (await admin.call("exportConfiguration", { query: { action: "get-profile" } })).data();
      if (sections.length === 0) unmet("the gateway has no sections to export");
      const labels = [...new Set(sections.flatMap((section) => section.labels))];
      const label = labels[0] ?? "network";
      const filter = JSON.stringify([{ labels: [label] }]);
      // A section that the filter leaves in: an export without any section is not stated.
      const remaining = sections.filter((section) => !section.labels.includes(label));
      const isBoth = (app: string): boolean =>
        remaining.some((section) => section.app === app) &&
        sections.some((section) => section.app === app && section.labels.includes(label));
      const telling = remaining.filter(({ app }) => isBoth(app));
      const [candidates = sections] = [telling, remaining].filter(({ length }) => length > 0);
      const select = JSON.stringify([{ app: random.pick(candidates).app }]);
      const files = new Map<string, readonly string[]>();
      for (const { encryption, hasSelect, hasFilter } of combinations) {
        if (hasFilter && remaining.length === 0) continue;
        const query = {
          action: "download",
          encryption,
          ...(hasSelect ? { select } : {}),
          ...(hasFilter ? { filter } : {}),
        } as const;
        const headers = { headers: { password } };
        const file = await admin.call("exportConfiguration", { query, ...headers });
        if (!verify("CORE-CONFIG-10").accepted(file)) continue;
        verify("CORE-CONFIG-10").that(file.bytes.length > 0, {
          what: `size in bytes of the file exported with ${JSON.stringify(query)}`,
          expected: "at least 1",
          observed: file.bytes.length,
          evidence: file,
        });
        const entries = encryption ? undefined : await readTarGz(file.bytes);
        if (entries !== undefined)
          files.set(
            `${hasSelect} ${hasFilter}`,
            entries.map(({ name }) => name),
          );
        const uploaded = await upload(gateway, file.bytes, {
          apply: false,
          encryption,
          ...(encryption ? { password } : {}),
        });
        if (!verify(encryption ? "CORE-CONFIG-21" : "CORE-CONFIG-22").accepted(uploaded)) continue;
        verify("CORE-CONFIG-24").equal(
          uploaded.data().fileSize,
          file.bytes.length,
          "`fileSize` of the uploaded file",
          uploaded,
        );
      }
      verifyEntries(verify("CORE-CONFIG-14"), files);
    },
  }),
];

/**
 * The layout of a file is not shown. Where its entries are readable, and `select` and `filter` alone leave entries out, both
 * together leave out those of either.
 */
function verifyEntries(verify: Verify, files: ReadonlyMap<string, readonly string[]>): void {
  const [all, selected, filtered, both] = ["false false", "true false", "false true", "true true"].map(
    (key) => files.get(key),
  );
  const isPart = (some: readonly string[] | undefined): some is readonly string[] =>
    some !== undefined && some.length < (all?.length ?? 0) && some.every((name) => all?.includes(name));
  if (!isPart(selected) || !isPart(filtered) || both === undefined)
    return verify.notApplicable(
      "entries of a file exported with `select` and `filter`",
      "the files have no readable entries that differ by their selection",
    );
  verify.equal(
    both.toSorted(),
    selected.filter((name) => filtered.includes(name)).toSorted(),
    "entries of a file exported with `select` and `filter`, compared with those of each alone",
  );
}
