// Faults of lists: cut, counted wrongly, lacking an entry.
import type { OperationId } from "../../../interface/operations/index.ts";
import { at as valueAt, items, put } from "../../mechanism/edits.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived, replaced } from "./derivedFault.ts";

interface List {
  readonly operation: OperationId;
  readonly at: string;
  readonly complete: readonly string[];
  /** Requirements on `count`; empty where the answer has none. */
  readonly counted: readonly string[];
  /** Whether clients can make it long. */
  readonly grows: boolean;
}

const lists: readonly List[] = [
  list("listPermissions", ["CORE-ROLE-12", "CORE-ROLE-04", "CORE-ROLE-34"], "CORE-ROLE-13", false),
  list("listRoles", ["CORE-ROLE-16", "CORE-ROLE-20"], "CORE-ROLE-15", true),
  list("listUsers", ["CORE-USER-16", "CORE-USER-23"], "CORE-USER-15", true),
  list("listApps", ["CORE-APP-33", "CORE-APP-36"], "CORE-APP-34", false),
  // Which jobs it lists is not stated.
  list("listJobs", ["CORE-APP-45"], "CORE-APP-46", false),
  list("listUpgradeJobs", ["CORE-UPGRADE-66", "CORE-UPGRADE-47"], "CORE-UPGRADE-47", true),
  list(
    "exportConfiguration",
    ["CORE-CONFIG-11", "CORE-CONFIG-09", "CORE-CONFIG-12", "CORE-CONFIG-14", "CORE-CONFIG-15"],
    "CORE-CONFIG-39",
    false,
  ),
  {
    ...list(
      "listTags",
      ["CORE-TAG-27", "CORE-TAG-21", "CORE-FIELD-09", "CORE-TAG-28", "CORE-TAG-29"],
      "",
      true,
    ),
    counted: [],
  },
  {
    ...list("getEventCatalogue", ["CORE-EVENT-67", "CORE-EVENT-66"], "", false),
    at: "data.events",
    counted: [],
  },
];

function list(operation: OperationId, complete: readonly string[], counted: string, grows: boolean): List {
  return { operation, at: "data", complete, counted: [counted, "CORE-GENERAL-02"], grows };
}

/** What remains of the entries. */
const losses: readonly {
  readonly id: string;
  readonly what: string;
  readonly needsGrowth: boolean;
  readonly keep: (entries: readonly unknown[]) => readonly unknown[];
}[] = [
  { id: "newest-missing", what: "lacks its last entry", needsGrowth: false, keep: (all) => all.slice(0, -1) },
  { id: "oldest-missing", what: "lacks its first entry", needsGrowth: false, keep: (all) => all.slice(1) },
  {
    id: "last-twice",
    what: "contains its last entry twice",
    needsGrowth: false,
    keep: (all) => [...all, ...all.slice(-1)],
  },
  { id: "cut-at-20", what: "ends after 20 entries", needsGrowth: true, keep: (all) => all.slice(0, 20) },
  { id: "cut-at-100", what: "ends after 100 entries", needsGrowth: true, keep: (all) => all.slice(0, 100) },
  {
    id: "one-twice-past-20",
    what: "repeats entry 20 in place of entry 21",
    needsGrowth: true,
    keep: (all) => (all.length > 20 ? [...all.slice(0, 20), all[19], ...all.slice(21)] : all),
  },
];

/** Lists of which shorter runs create too few entries: a gateway needs long to make one. */
const isLongLater = (operation: OperationId, loss: string): boolean =>
  loss === "cut-at-100" && (operation === "listUsers" || operation === "listUpgradeJobs");

const lossFaults: readonly Fault[] = lists.flatMap(({ operation, at: path, complete, counted, grows }) =>
  losses
    .filter(({ needsGrowth }) => grows || !needsGrowth)
    // The interface does not name every job of a device, nor every app.
    .filter(({ id }) => !(id.endsWith("missing") && ["listJobs", "listApps"].includes(operation)))
    .map(({ id, what, keep }) =>
      derived({
        operator: `list-${id}`,
        place: operation,
        requirement: complete[0] ?? "CORE-GENERAL-01",
        also: [...complete, ...counted],
        ...(isLongLater(operation, id) ? { level: "certification" } : {}),
        what: `${operation} ${what}, with the matching count.`,
        install: (at) =>
          at.answer(operation, (body) => {
            const kept = keep(items(valueAt(body, path)));
            const whole = replaced(body, path, () => kept);
            return counted.length === 0 ? whole : put(whole, "count", kept.length);
          }),
      }),
    ),
);

const countFaults: readonly Fault[] = lists
  .filter(({ counted }) => counted.length > 0)
  .flatMap(({ operation, counted }) =>
    [
      { id: "one-less", what: "one less than", edit: (count: number) => count - 1 },
      {
        id: "at-most-10",
        what: "10 where there are more than",
        edit: (count: number) => Math.min(10, count),
      },
    ]
      .filter(
        ({ id }) => id === "one-less" || !["listPermissions", "listJobs", "listApps"].includes(operation),
      )
      .map(({ id, what, edit }) =>
        derived({
          operator: `count-${id}`,
          place: operation,
          requirement: counted[0] ?? "CORE-GENERAL-02",
          also: counted,
          what: `\`count\` of ${operation} is ${what} the entries.`,
          install: (at) =>
            at.answer(operation, (body) =>
              typeof body["count"] === "number" && body["count"] > 0
                ? { ...body, count: edit(body["count"]) }
                : body,
            ),
        }),
      ),
  );

export const listFaults: readonly Fault[] = [...lossFaults, ...countFaults];
