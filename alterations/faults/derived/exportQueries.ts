// Faults of the query of Export configurations: parts of select and filter that are not regarded.
import { type Fields, fields, items, text } from "../../mechanism/edits.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

const forms = [
  { id: "profile", is: "get-profile", isMeant: (query: Fields) => query["action"] === "get-profile" },
  { id: "download", is: "download", isMeant: (query: Fields) => query["action"] !== "get-profile" },
] as const;

/** Objects of `select` or `filter`; undefined where the text is no JSON. */
function objectsOf(value: unknown): Fields[] | undefined {
  try {
    return value === undefined || value === "" ? undefined : items(JSON.parse(text(value)));
  } catch {
    return undefined;
  }
}

const edits: readonly {
  readonly operator: string;
  readonly place: string;
  readonly requirement: string;
  readonly what: string;
  readonly name: "select" | "filter";
  readonly edit: (objects: readonly Fields[], query: Fields) => readonly Fields[];
}[] = [
  ...(["first", "last"] as const).flatMap((end) => {
    const one = <T>(all: readonly T[]): readonly T[] => (end === "first" ? all.slice(0, 1) : all.slice(-1));
    return [
      {
        operator: `${end}-of-several`,
        place: "select",
        requirement: "CORE-CONFIG-15",
        what: `regards only the ${end} object of \`select\``,
        name: "select" as const,
        edit: one,
      },
      {
        operator: `${end}-of-several`,
        place: "filter",
        requirement: "CORE-CONFIG-13",
        what: `regards only the ${end} object of \`filter\``,
        name: "filter" as const,
        edit: one,
      },
    ];
  }),
  {
    operator: "filter-ignored",
    place: "select",
    requirement: "CORE-CONFIG-12",
    what: "ignores `select`",
    name: "select",
    edit: () => [],
  },
  {
    operator: "filter-ignored",
    place: "filter",
    requirement: "CORE-CONFIG-13",
    what: "ignores `filter`",
    name: "filter",
    edit: () => [],
  },
  {
    operator: "ignored-together",
    place: "filter+select",
    requirement: "CORE-CONFIG-14",
    what: "ignores `filter` when `select` is given",
    name: "filter",
    edit: (objects, query) => (objectsOf(query["select"]) === undefined ? objects : []),
  },
  {
    operator: "ignored-together",
    place: "select+filter",
    requirement: "CORE-CONFIG-14",
    what: "ignores `select` when `filter` is given",
    name: "select",
    edit: (objects, query) => (objectsOf(query["filter"]) === undefined ? objects : []),
  },
];

const queryFaults: readonly Fault[] = forms.flatMap((form) =>
  edits.map(({ operator, place, requirement, what, name, edit }) =>
    derived({
      operator,
      place: `exportConfiguration.${place}-${form.id}`,
      requirement,
      also: ["CORE-CONFIG-12", "CORE-CONFIG-13", "CORE-CONFIG-14", "CORE-CONFIG-15", "CORE-CONFIG-11"],
      what: `Export with action ${form.is} ${what}.`,
      install: (at) =>
        at.query("exportConfiguration", (query) => {
          const objects = objectsOf(query[name]);
          if (!form.isMeant(query) || objects === undefined) return query;
          const kept = edit(objects, query);
          return { ...query, [name]: kept.length === 0 ? undefined : JSON.stringify(kept) };
        }),
    }),
  ),
);

const totals: readonly Fault[] = [
  derived({
    operator: "total-unfiltered",
    place: "exportConfiguration.count",
    requirement: "CORE-CONFIG-39",
    also: ["CORE-GENERAL-02"],
    what: "`count` of get-profile counts every section, whatever `select` and `filter` say.",
    install: (at) =>
      at.around("exportConfiguration", async (call, proceed, ask) => {
        const answer = await proceed(call);
        if (answer.kind !== "json") return answer;
        const all = await ask("exportConfiguration", { query: { action: "get-profile" } });
        const count = all.kind === "json" ? fields(all.body)["count"] : undefined;
        return { ...answer, body: { ...fields(answer.body), count } };
      }),
  }),
];

export const exportQueryFaults: readonly Fault[] = [...queryFaults, ...totals];
