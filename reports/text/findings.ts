// What failed or stayed undecided, put together from the requirement's and the case's side.
import type { CampaignRecord, CaseRecord, CheckRecord, RequirementRecord } from "../../record/index.ts";
import { reasonOf } from "./findingText.ts";

/** One check that did not hold, or a case that broke a requirement without naming a check. */
export interface Finding {
  readonly case: CaseRecord;
  readonly check?: CheckRecord;
}

/** A failed requirement with everything that shows it. */
export interface BrokenRequirement {
  readonly id: string;
  /** Absent when the register does not know the id. */
  readonly requirement?: RequirementRecord;
  readonly findings: readonly Finding[];
}

const levels: readonly (RequirementRecord["level"] | undefined)[] = ["stated", "published", "declared"];

/** Failed requirements, those that decide conformance first, otherwise in the order of the register. */
export function brokenRequirements(record: CampaignRecord): BrokenRequirement[] {
  const found = new Map<string, Finding[]>();
  const add = (id: string, finding: Finding): void => void found.set(id, [...(found.get(id) ?? []), finding]);
  for (const one of record.cases) {
    for (const check of one.checks) {
      if (check.verdict === "fail") add(check.requirement, { case: one, check });
    }
    for (const id of failedWithoutCheck(one)) add(id, { case: one });
  }
  const known = new Map(record.requirements.map((requirement) => [requirement.id, requirement]));
  const position = new Map(record.requirements.map((requirement, index) => [requirement.id, index]));
  const order = ({ id, requirement }: BrokenRequirement): number =>
    levels.indexOf(requirement?.level) * record.requirements.length + (position.get(id) ?? 0);
  return [...found]
    .map(([id, findings]) => {
      const requirement = known.get(id);
      return { id, findings, ...(requirement === undefined ? {} : { requirement }) };
    })
    .toSorted((a, b) => order(a) - order(b));
}

function failedWithoutCheck(one: CaseRecord): string[] {
  const failed = one.checks.filter((check) => check.verdict === "fail").map((check) => check.requirement);
  const decided = one.decided
    .filter(({ verdict }) => verdict === "fail")
    .map(({ requirement }) => requirement);
  if (decided.length + failed.length > 0) return decided.filter((id) => !failed.includes(id));
  return one.verdict === "fail" ? [one.requirements[0] ?? "no requirement named"] : [];
}

/** Cases that are open for the same reason. */
export interface UndecidedGroup {
  readonly verdict: "error" | "inconclusive";
  readonly reason: string;
  readonly cases: readonly CaseRecord[];
}

/** Cases that ended in an error or undecided, errors first, those with the same reason together. */
export function undecidedGroups(record: CampaignRecord): UndecidedGroup[] {
  return (["error", "inconclusive"] as const).flatMap((verdict) => {
    const cases = record.cases.filter((one) => one.verdict === verdict);
    return [...Map.groupBy(cases, reasonOf)].map(([reason, alike]) => ({ verdict, reason, cases: alike }));
  });
}

/** How many checks stand behind the failed requirements. */
export function findingCount(broken: readonly BrokenRequirement[]): number {
  return broken.reduce((sum, one) => sum + one.findings.length, 0);
}
