import { type Answer, type TestCase, testCase, type Verify } from "../../harness/index.ts";
import { readTarGz, type TarEntry } from "../support/tarGz.ts";
import { fileEntryRequirements, verifyFilesOfApps, verifySelectionCounts } from "./fileEntries.ts";
import { password, upload, verifyEncryptedByDefault } from "./support.ts";

/** Parameters with a default, given and left out; undefined is left out. */
const defaulted = [
  { encryption: false, hasPassword: true },
  { encryption: true, hasPassword: true },
  { encryption: undefined, hasPassword: true },
  { encryption: undefined, hasPassword: false },
] as const;

export const selectionCases: readonly TestCase[] = [
  testCase({
    id: "configuration/exports-of-a-selection",
    title: "A selection is exported with and without encryption, and can be uploaded again",
    group: "configuration",
    requirements: [
      "CORE-CONFIG-10",
      "CORE-CONFIG-12",
      "CORE-CONFIG-14",
      ...fileEntryRequirements,
      "CORE-CONFIG-19",
      "CORE-CONFIG-20",
      "CORE-CONFIG-21",
      "CORE-CONFIG-22",
      "CORE-CONFIG-24",
      "CORE-CONFIG-38",
    ],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run(context) {
      const { gateway, verify, random, unmet } = context;
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
      const { app } = random.pick(candidates);
      const select = JSON.stringify([{ app }]);
      const files = new Map<string, readonly TarEntry[]>();
      const selections = [{}, { select }, { filter }, { select, filter }] as const;
      for (const selection of selections) {
        if ("filter" in selection && remaining.length === 0) continue;
        const exported: Answer[] = [];
        for (const { encryption, hasPassword } of defaulted) {
          const query = { action: "download", ...selection, ...given({ encryption }) } as const;
          const headers = hasPassword ? { headers: { password } } : {};
          const file = await admin.call("exportConfiguration", { query, ...headers });
          if (!verify("CORE-CONFIG-10").accepted(file)) continue;
          exported.push(file);
          verify("CORE-CONFIG-10").that(file.bytes.length > 0, {
            what: `size in bytes of the file exported with ${JSON.stringify(query)}`,
            expected: "at least 1",
            observed: file.bytes.length,
            evidence: file,
          });
          const entries = encryption === false ? await readTarGz(file.bytes) : undefined;
          if (entries !== undefined) files.set(Object.keys(selection).join(), entries);
          const uploaded = await upload(gateway, file.bytes, {
            apply: false,
            ...given({ encryption }),
            ...(encryption !== false && hasPassword ? { password } : {}),
          });
          const requirement =
            encryption === undefined
              ? hasPassword
                ? "CORE-CONFIG-38"
                : "CORE-CONFIG-20"
              : encryption
                ? "CORE-CONFIG-21"
                : "CORE-CONFIG-22";
          if (!verify(requirement).accepted(uploaded)) continue;
          verify("CORE-CONFIG-24").equal(
            uploaded.data().fileSize,
            file.bytes.length,
            "`fileSize` of the uploaded file",
            uploaded,
          );
        }
        const [plain, explicit, ...byDefault] = exported;
        if (plain === undefined || explicit === undefined || exported.length < defaulted.length) continue;
        for (const one of byDefault)
          await verifyEncryptedByDefault(
            context,
            { plain, explicit, byDefault: one },
            `file exported without \`encryption\`, with ${Object.keys(selection).join(" and ") || "no selection"}`,
          );
      }
      await verifyFilesOfApps(context, sections);
      await verifySelectionCounts(context, sections);
      verifyEntries(verify("CORE-CONFIG-14"), sameEntries(files));
      const isSelecting = sections.some((section) => section.app !== app);
      verifyLeavesOut(verify("CORE-CONFIG-12"), files, "select", isSelecting);
      verifyLeavesOut(verify("CORE-CONFIG-13"), files, "filter", remaining.length < sections.length);
    },
  }),
];

/** Names whose content is the same wherever they occur: where entries are numbered in each file, a name stands for none. */
function sameEntries(
  files: ReadonlyMap<string, readonly TarEntry[]>,
): ReadonlyMap<string, readonly string[]> {
  const contents = Map.groupBy([...files.values()].flat(), ({ name }) => name);
  const isSame = ({ name }: TarEntry): boolean => {
    const [first, ...others] = contents.get(name) ?? [];
    return others.every(({ content }) => first?.content.equals(content) === true);
  };
  return new Map([...files].map(([key, entries]) => [key, entries.filter(isSame).map(({ name }) => name)]));
}

/**
 * The layout of a file is not shown. Where its entries are readable, and `select` and `filter` alone leave entries out, both
 * together leave out those of either.
 */
function verifyEntries(verify: Verify, files: ReadonlyMap<string, readonly string[]>): void {
  const [all, selected, filtered, both] = ["", "select", "filter", "select,filter"].map((key) =>
    files.get(key),
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

/** Where the entries of a file show its sections, since one parameter alone leaves some out, the other alone does too. */
function verifyLeavesOut(
  verify: Verify,
  files: ReadonlyMap<string, readonly TarEntry[]>,
  parameter: "select" | "filter",
  isExcluding: boolean,
): void {
  const other = parameter === "select" ? "filter" : "select";
  const [all = [], own, others = all] = ["", parameter, other].map((key) => files.get(key));
  const what = `number of entries of a file exported with \`${parameter}\``;
  if (!isExcluding || own === undefined || others.length >= all.length)
    return verify.notApplicable(
      what,
      `the ${parameter} excludes no section, or the files have no readable entries that differ by their selection`,
    );
  verify.that(own.length < all.length, {
    what,
    expected: `less than ${all.length}`,
    observed: own.length,
  });
}

/** The parameter, where it has a value. */
function given({ encryption }: { encryption: boolean | undefined }): { encryption?: boolean } {
  return encryption === undefined ? {} : { encryption };
}
