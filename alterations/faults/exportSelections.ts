// Faults of the selection of an export that show beside another export at the same time, or with several labels.
import { type Fields, items } from "../mechanism/edits.ts";
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
]);

function withFirstLabel(criterion: Fields): Fields {
  const { labels } = criterion;
  return Array.isArray(labels) ? { ...criterion, labels: labels.slice(0, 1) } : criterion;
}
