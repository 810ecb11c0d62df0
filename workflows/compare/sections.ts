// The expected answer of an export profile, by the sections of the gateway, and that of an upload.
import Type from "typebox";
import { configurationRules } from "../../interface/behaviour/system.ts";
import { ConfigurationSectionEntry } from "../../interface/resources/configuration.ts";
import { ListOf } from "../../interface/schema/schema.ts";
import { checker } from "../../interface/schema/validate.ts";
import { parseJson } from "../../record/index.ts";
import { valueAt } from "./observation.ts";
import type { ResolvedInputs } from "./subject.ts";
import type { Judged, World } from "./world.ts";

const isProfile = checker(ListOf(ConfigurationSectionEntry));
const Criteria = Type.Array(
  Type.Object({ app: Type.Optional(Type.String()), labels: Type.Optional(Type.Array(Type.String())) }),
);
const isCriteria = checker(Criteria);
const all = { thing: "sections", field: "all" } as const;

interface Entry {
  readonly app: string;
  readonly section: string;
  readonly labels: readonly string[];
}
type Criterion = Partial<Pick<Entry, "app" | "labels">>;

/** Judges the answer of an export profile. The first one without select and filter gives the sections of the gateway. */
export function judgeProfile(
  query: Readonly<Record<string, unknown>>,
  body: unknown,
  world: World,
  at: number,
): Judged[] {
  if (isProfile(body).length > 0) return [];
  const shown = namesOf((body as { data: Entry[] }).data);
  const select = criteriaOf(query["select"]);
  const filter = criteriaOf(query["filter"]);
  const known = world.fact(all.thing, all.field);
  if (known === undefined) {
    if (select.length + filter.length > 0) return [];
    world.expect(all.thing, all.field, JSON.stringify((body as { data: Entry[] }).data), "", at);
    return [];
  }
  const entries = JSON.parse(known.text) as Entry[];
  const expected = namesOf(
    entries.filter(
      (entry) =>
        (select.length === 0 || select.some((one) => matches(entry, one))) &&
        !filter.some((one) => matches(entry, one)),
    ),
  );
  const base = { thing: "profile", kind: "section", field: "sections", text: shown } as const;
  if (shown === expected) return [{ ...base, standing: "expected" }];
  return [{ ...base, standing: "contrary", expected, requirement: requirementOf(select, filter) }];
}

/** Judges the answer of an upload without `apply`. */
export function judgeUpload(form: ResolvedInputs["form"], body: unknown): Judged[] {
  const size = (valueAt(form, "/file/content") as Uint8Array | undefined)?.length;
  const rules = [
    ["fileSize", size, configurationRules.fileSize],
    ["diff", null, configurationRules.noDifference],
  ] as const;
  return rules.map(([field, expected, requirement]) => {
    const found = valueAt(body, `/data/${field}`);
    // The files of two gateways are of different sizes: only the correctness of the size is compared.
    const base = {
      thing: "upload",
      kind: "section",
      field,
      text: found === expected ? "right" : String(found),
    } as const;
    return found === expected
      ? { ...base, standing: "expected" }
      : { ...base, standing: "contrary", expected: String(expected), requirement };
  });
}

function namesOf(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map(({ app, section }) => `${app}/${section}`).toSorted());
}

function criteriaOf(text: unknown): Criterion[] {
  if (typeof text !== "string" || text === "") return [];
  const value = parseJson(text);
  return isCriteria(value).length === 0 ? (value as Criterion[]) : [];
}

function matches(entry: Entry, { app, labels }: Criterion): boolean {
  return (
    (app === undefined || entry.app === app) &&
    (labels === undefined || labels.some((label) => entry.labels.includes(label)))
  );
}

function requirementOf(select: readonly Criterion[], filter: readonly Criterion[]): string {
  if (select.length > 0 && filter.length > 0) return configurationRules.both;
  if (filter.length > 0) return configurationRules.filter;
  if (select.length > 1) return configurationRules.selectSeveral;
  return select.length === 1 ? configurationRules.select : configurationRules.everything;
}
