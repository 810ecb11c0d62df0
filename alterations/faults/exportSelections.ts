// Faults of the selection of an export that show beside another export at the same time, or with several labels.
import { type Fields, fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const exportSelectionFaults: readonly Fault[] = faults([
  [
    "exports-at-the-same-time-share-their-selection",
    "CORE-CONFIG-12",
    "subtle",
    "Of exports at the same time, each has the selection of the last request.",
    (at) => {
      let latest: unknown;
      at.around("exportConfiguration", async (call, proceed) => {
        latest = call.query["select"];
        // Until the other requests that have come by now are read as well.
        await new Promise((resolve) => setTimeout(resolve, 20));
        return proceed(changed(call, { query: { ...call.query, select: latest } }));
      });
    },
  ],
  [
    "filter-matches-by-the-first-label-only",
    "CORE-CONFIG-13",
    "subtle",
    "Of several labels in one object of `filter`, only the first excludes sections.",
    (at) =>
      at.query("exportConfiguration", (query) =>
        typeof query["filter"] === "string" && query["filter"].startsWith("[{")
          ? { ...query, filter: JSON.stringify(items(JSON.parse(query["filter"])).map(withFirstLabel)) }
          : query,
      ),
  ],
  [
    "filter-takes-a-part-of-a-label",
    "CORE-CONFIG-13",
    "subtle",
    "`filter` with a part of a label excludes the sections that have the label.",
    (at) =>
      at.query("exportConfiguration", (query) =>
        typeof query["filter"] === "string"
          ? { ...query, filter: query["filter"].replace(/"\w*etwor\w*"/g, '"network"') }
          : query,
      ),
  ],
  ...(
    [
      ["select-ends-at-an-unknown-app", "Apps that follow an unknown one in `select` are not exported", cut],
      [
        "unknown-app-beside-another-selects-everything",
        "`select` of a known and an unknown app exports every section",
        () => [],
      ],
    ] as const
  ).map(([id, what, kept]) => [id, "CORE-CONFIG-15", "subtle", `${what}.`, selecting(kept)] as const),
]);

/** A selection of several, one of them unknown, counts as that of the apps that remain. */
function selecting(kept: (apps: Fields[], unknown: number) => readonly Fields[]): Fault["install"] {
  return (at) =>
    at.around("exportConfiguration", async (call, proceed, ask) => {
      const { select } = call.query;
      const apps = typeof select === "string" && select.startsWith("[{") ? items(JSON.parse(select)) : [];
      const all = await ask("exportConfiguration", { query: { action: "get-profile" } });
      const known = items(all.kind === "json" ? fields(all.body)["data"] : undefined).map(
        (one) => one["app"],
      );
      const unknown = apps.findIndex(({ app }) => !known.includes(app));
      if (unknown < 0 || apps.every(({ app }) => !known.includes(app))) return proceed(call);
      return proceed(
        changed(call, { query: { ...call.query, select: JSON.stringify(kept(apps, unknown)) } }),
      );
    });
}

function cut(apps: Fields[], end: number): Fields[] {
  return apps.slice(0, end + 1);
}

function withFirstLabel(criterion: Fields): Fields {
  const { labels } = criterion;
  return Array.isArray(labels) ? { ...criterion, labels: labels.slice(0, 1) } : criterion;
}
