// The entries of exported files, compared with each other: the layout of a file is not shown.
import type { CaseContext } from "../../harness/index.ts";
import type { ConfigurationSectionEntry } from "../../interface/resources/configuration.ts";
import { readTarGz, type TarEntry } from "../support/tarGz.ts";

type Selection = { readonly select?: string; readonly filter?: string };
type Sections = readonly ConfigurationSectionEntry[];

export const fileEntryRequirements = ["CORE-CONFIG-11", "CORE-CONFIG-13", "CORE-CONFIG-15"] as const;

/** Bytes in which two exports of the same may differ: the time at which each was made. */
const bytesOfATime = 64;
const mostApps = 3;

/**
 * Checks that `select` leaves something out: the readable files of several single apps are not all like that of the whole
 * configuration, byte for byte but for a time.
 */
export async function verifySelectionCounts(context: CaseContext, sections: Sections): Promise<void> {
  const { verify } = context;
  const apps = [...new Set(sections.map(({ app }) => app))].slice(0, mostApps);
  const whole = await fileOf(context, {});
  const files: TarEntry[][] = [];
  for (const app of apps) {
    const file = await fileOf(context, { select: JSON.stringify([{ app }]) });
    if (file !== undefined) files.push(file);
  }
  const what = `files exported with \`select\` of ${apps.join(", ")} alone`;
  if (whole === undefined || files.length < mostApps)
    return verify("CORE-CONFIG-12").notApplicable(what, "the files are not readable, or there are few apps");
  verify("CORE-CONFIG-12").that(
    files.some((file) => !isLike(file, whole)),
    { what, expected: "other than the file of all sections", observed: "each like the file of all sections" },
  );
}

function isLike(some: readonly TarEntry[], others: readonly TarEntry[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, content }, index) => {
      const other = others[index];
      if (other?.name !== name || other.content.length !== content.length) return false;
      return content.filter((byte, place) => byte !== other.content[place]).length <= bytesOfATime;
    })
  );
}

/**
 * Checks that files contain every app that they should. An entry that only the export of one app has belongs to that app;
 * where files of several apps show those of some app, they show those of the others too.
 */
export async function verifyFilesOfApps(context: CaseContext, sections: Sections): Promise<void> {
  const { verify } = context;
  const apps = [...new Set(sections.map(({ app }) => app))];
  const ofApps = new Map<string, readonly string[]>();
  for (const app of apps)
    ofApps.set(app, (await entriesOf(context, { select: JSON.stringify([{ app }]) })) ?? []);
  const isOwn = (app: string, entry: string): boolean =>
    apps.every((one) => one === app || ofApps.get(one)?.includes(entry) !== true);
  const own = new Map(
    [...ofApps].map(([app, entries]) => [app, entries.filter((entry) => isOwn(app, entry))]),
  );
  const told = apps.filter((app) => (own.get(app)?.length ?? 0) > 0);
  const label = sections.flatMap(({ labels }) => labels)[0];
  const unlabelled = told.filter((app) =>
    sections.every((one) => one.app !== app || label === undefined || !one.labels.includes(label)),
  );
  for (const [requirement, selection, expected] of [
    ["CORE-CONFIG-11", {}, told],
    ["CORE-CONFIG-11", { select: "[]" }, told],
    ["CORE-CONFIG-13", { filter: JSON.stringify([{ labels: [label ?? "network"] }]) }, unlabelled],
    ["CORE-CONFIG-15", { select: JSON.stringify(told.map((app) => ({ app }))) }, told],
  ] as const) {
    const entries = await entriesOf(context, selection);
    const what = `apps with all their entries in the file exported with ${JSON.stringify(selection)}`;
    const isShown = (app: string): boolean => own.get(app)?.every((one) => entries?.includes(one)) === true;
    const shown = expected.filter(isShown);
    const changing = await changingApps(
      context,
      own,
      shown.length === 0 ? [] : expected.filter((app) => !isShown(app)),
    );
    if (shown.length === 0 || changing.length > 0)
      verify(requirement).notApplicable(what, "the entries of the files do not show the apps");
    else verify(requirement).equal(shown, expected, what);
  }
  await verifySeveralLabels(context, sections);
}

/** Checks that a filter of two labels, each in an object of its own, leaves out the entries that each alone leaves out. */
async function verifySeveralLabels(context: CaseContext, sections: Sections): Promise<void> {
  const { verify, scratch } = context;
  const filteredBy = async (labels: readonly string[]): Promise<string[] | undefined> =>
    entriesOf(context, { filter: JSON.stringify(labels.map((label) => ({ labels: [label] }))) });
  const [label, ...others] = new Set(sections.flatMap(({ labels }) => labels));
  const whole = new Set(await entriesOf(context, {}));
  const alone = label === undefined ? undefined : await filteredBy([label]);
  const left = new Set([...whole].filter((name) => alone?.includes(name) === false));
  // Names that say when a file was made are in no other file.
  const steady = new Set(await entriesOf(context, {}));
  const leftOut = [...left].filter((name) => steady.has(name));
  const what = "entries that a filter of several labels leaves out";
  if (label === undefined || leftOut.length === 0)
    return verify("CORE-CONFIG-13").notApplicable(what, "the entries of the files show no effect of a label");
  const pairs = [scratch.name("label"), ...others].flatMap((other) => [
    [label, other],
    [other, label],
  ]);
  for (const labels of pairs) {
    const entries = await filteredBy(labels);
    if (entries !== undefined)
      verify("CORE-CONFIG-13").equal(
        leftOut.filter((name) => entries.includes(name)),
        [],
        `entries that a filter of ${label} leaves out, in the file exported with \`filter\` of ${labels.join(" and ")}`,
      );
  }
}

/** The apps of which a second export has other entries: their names say when a file was made. */
async function changingApps(
  context: CaseContext,
  own: ReadonlyMap<string, readonly string[]>,
  apps: readonly string[],
): Promise<string[]> {
  const changing: string[] = [];
  for (const app of apps) {
    const again = await entriesOf(context, { select: JSON.stringify([{ app }]) });
    if (own.get(app)?.some((entry) => again?.includes(entry) !== true)) changing.push(app);
  }
  return changing;
}

/** Names of the entries; undefined where the export is rejected or its file cannot be read. */
async function entriesOf(context: CaseContext, selection: Selection): Promise<string[] | undefined> {
  return (await fileOf(context, selection))?.map(({ name }) => name);
}

async function fileOf({ gateway }: CaseContext, selection: Selection): Promise<TarEntry[] | undefined> {
  const query = { action: "download", encryption: false, ...selection } as const;
  const file = await gateway.admin.call("exportConfiguration", { query });
  return file.accepted ? readTarGz(file.bytes) : undefined;
}
