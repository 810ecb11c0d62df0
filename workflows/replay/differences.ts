// Verdicts that differ between two records of the same run, a line each.
import { type CampaignRecord, type CaseRecord, type Verdict, worst } from "../../record/index.ts";

export function differencesOf(before: CampaignRecord, after: CampaignRecord): string[] {
  return [
    ...changes(verdictsOf(before.cases), verdictsOf(after.cases), "case "),
    ...changes(decisionsOf(before.cases), decisionsOf(after.cases), ""),
    ...changes(checksOf(before.cases), checksOf(after.cases), "checks of "),
    ...changes(verdictsOf(before.requirements), verdictsOf(after.requirements), "requirement "),
    ...changes(
      new Map([["verdict", before.summary.verdict]]),
      new Map([["verdict", after.summary.verdict]]),
      "",
    ),
  ];
}

function verdictsOf(
  items: readonly { readonly id: string; readonly verdict: string }[],
): Map<string, string> {
  return new Map(items.map(({ id, verdict }) => [id, verdict]));
}

/** The worst check of each requirement in each case. */
function checksOf(cases: readonly CaseRecord[]): Map<string, string> {
  const found = new Map<string, Verdict[]>();
  for (const { id, checks } of cases) {
    for (const { requirement, verdict } of checks) {
      const key = `${requirement} in ${id}`;
      found.set(key, [...(found.get(key) ?? []), verdict]);
    }
  }
  return new Map([...found].map(([key, verdicts]) => [key, worst(verdicts) ?? "absent"]));
}

function decisionsOf(cases: readonly CaseRecord[]): Map<string, string> {
  return new Map(
    cases.flatMap(({ id, decided }) =>
      decided.map(({ requirement, verdict }) => [`${requirement} in ${id}`, verdict] as const),
    ),
  );
}

function changes(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  what: string,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const was = before.get(id) ?? "absent";
    const is = after.get(id) ?? "absent";
    return was === is ? [] : [`${what}${id}: was ${was}, is ${is}`];
  });
}
