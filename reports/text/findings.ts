// Failed requirements and inconclusive cases, collected from the records of requirements and cases.
import type { CampaignRecord, CaseRecord, CheckRecord, RequirementRecord } from "../../record/index.ts";
import { reasonOf } from "./findingText.ts";
import { counted } from "./visibleText.ts";

/** One failed check, or a case in which a requirement failed without a check. */
export interface Finding {
  readonly case: CaseRecord;
  readonly check?: CheckRecord;
}

/** A failed requirement with its findings. */
export interface FailedRequirement {
  readonly id: string;
  /** Absent when the record does not list the id. */
  readonly requirement?: RequirementRecord;
  readonly findings: readonly Finding[];
}

const levels: readonly (RequirementRecord["level"] | undefined)[] = ["stated", "published", "declared"];

/** Failed requirements: stated ones first, then in the order of the record. */
export function failedRequirements(record: CampaignRecord): FailedRequirement[] {
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
  const order = ({ id, requirement }: FailedRequirement): number =>
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

/** Cases without a verdict for the same reason. */
export interface InconclusiveGroup {
  readonly verdict: "error" | "inconclusive";
  readonly reason: string;
  readonly cases: readonly CaseRecord[];
}

/** Cases that are inconclusive or ended in an error: errors first, grouped by reason. */
export function inconclusiveGroups(record: CampaignRecord): InconclusiveGroup[] {
  return (["error", "inconclusive"] as const).flatMap((verdict) => {
    const cases = record.cases.filter((one) => one.verdict === verdict);
    return [...Map.groupBy(cases, reasonOf)].map(([reason, alike]) => ({ verdict, reason, cases: alike }));
  });
}

/** Number of findings of the failed requirements. */
export function findingCount(failed: readonly FailedRequirement[]): number {
  return failed.reduce((sum, one) => sum + one.findings.length, 0);
}

/** `2 errors, 3 cases inconclusive`. */
export function inconclusiveTitle({ cases }: CampaignRecord): string {
  const count = (verdict: CaseRecord["verdict"]): number =>
    cases.filter((one) => one.verdict === verdict).length;
  const [errors, inconclusive] = [count("error"), count("inconclusive")];
  return [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(inconclusive > 0 ? [`${counted(inconclusive, "case")} inconclusive`] : []),
  ].join(", ");
}
