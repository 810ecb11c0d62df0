// The entries of exported files, compared with each other: the layout of a file is not shown.
import type { CaseContext } from "../../harness/index.ts";
import type { ConfigurationSectionEntry } from "../../interface/resources/configuration.ts";
import { readTarGz } from "../support/tarGz.ts";

type Selection = { readonly select?: string; readonly filter?: string };
type Sections = readonly ConfigurationSectionEntry[];

export const fileEntryRequirements = ["CORE-CONFIG-11", "CORE-CONFIG-13", "CORE-CONFIG-15"] as const;

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
async function entriesOf({ gateway }: CaseContext, selection: Selection): Promise<string[] | undefined> {
  const query = { action: "download", encryption: false, ...selection } as const;
  const file = await gateway.admin.call("exportConfiguration", { query });
  return file.accepted ? (await readTarGz(file.bytes))?.map(({ name }) => name) : undefined;
}
