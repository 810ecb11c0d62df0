// `select` and `filter` of an export: first the selected sections, then without the filtered ones.
import Type, { type Static } from "typebox";
import { checker } from "../../../interface/schema/validate.ts";
import type { ConfigurationSection } from "../../foundation/gateway.ts";
import { badInput } from "../../base/refusal.ts";

const Criterion = Type.Object(
  {
    app: Type.Optional(Type.String()),
    section: Type.Optional(Type.String()),
    labels: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
const Criteria = Type.Array(Criterion);
type Criterion = Static<typeof Criterion>;

/** The sections that `select` names (all for an empty one) without those that `filter` matches. */
export function chooseSections(
  sections: readonly ConfigurationSection[],
  select: string | undefined,
  filter: string | undefined,
): ConfigurationSection[] {
  const wanted = parse("select", select);
  const unwanted = parse("filter", filter);
  return sections.filter(
    (section) =>
      (wanted.length === 0 || wanted.some((criterion) => matches(section, criterion))) &&
      !unwanted.some((criterion) => matches(section, criterion)),
  );
}

function parse(field: string, text: string | undefined): Criterion[] {
  if (text === undefined || text === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badInput(`${field}: expected a JSON array, found text that is no JSON`);
  }
  const problem = checker(Criteria)(value)[0];
  if (problem !== undefined)
    throw badInput(`${field}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  return value as Criterion[];
}

/** Every member of the criterion must match; one of its labels is enough. An empty criterion matches nothing. */
function matches(section: ConfigurationSection, { app, section: name, labels }: Criterion): boolean {
  if (app === undefined && name === undefined && labels === undefined) return false;
  return (
    (app === undefined || section.app === app) &&
    (name === undefined || section.section === name) &&
    (labels === undefined || labels.some((label) => section.labels.includes(label)))
  );
}
