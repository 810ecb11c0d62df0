// Failed requirements, advice and inconclusive cases, collected from the records of requirements and cases.
import type { CampaignRecord, CaseRecord, CheckRecord, RequirementRecord } from "../../record/index.ts";
import { reasonOf } from "./findingText.ts";
import { counted } from "./visibleText.ts";

/** One failed check, or a case in which a requirement failed without a check. */
export interface Finding {
  readonly case: CaseRecord;
  readonly check?: CheckRecord;
}

/** A failed or advised requirement with its findings. */
export interface FailedRequirement {
  readonly id: string;
  /** Absent when the record does not list the id. */
  readonly requirement?: RequirementRecord;
  readonly findings: readonly Finding[];
}

/** Whether the gateway's profile or rack file itself declares the requirement. */
export function isOwnDeclaration(
  requirement: Pick<RequirementRecord, "level" | "isDeclared"> | undefined,
): boolean {
  return requirement?.level === "declared" && requirement.isDeclared === true;
}

/** Requirements of the gateway's own declarations that failed. */
export function failedDeclarations(record: Pick<CampaignRecord, "requirements">): RequirementRecord[] {
  return record.requirements.filter((one) => one.verdict === "fail" && isOwnDeclaration(one));
}

/** What a failure of the requirement decides, for the reader of one that is not stated. */
export function besideNote(requirement: RequirementRecord | undefined): string {
  if (requirement?.level === "stated") return "";
  if (isOwnDeclaration(requirement)) return "its own declaration, does not decide conformance";
  return `${requirement?.level ?? "unknown"}, does not decide conformance`;
}

const order = (requirement: RequirementRecord | undefined): number =>
  requirement?.level === "stated" ? 0 : isOwnDeclaration(requirement) ? 1 : 2;

/** Failed requirements: stated ones first, then the gateway's own declarations, then in the order of the record. */
export function failedRequirements(record: CampaignRecord): FailedRequirement[] {
  const found = new Map<string, Finding[]>();
  const add = (id: string, finding: Finding): void => void found.set(id, [...(found.get(id) ?? []), finding]);
  for (const one of record.cases) {
    for (const check of one.checks) {
      if (check.verdict === "fail") add(check.requirement, { case: one, check });
    }
    for (const id of failedWithoutCheck(one)) add(id, { case: one });
  }
  return inOrder(found, record);
}

/** Requirements with advice: recommended ones, and defaults that nobody declared. */
export function advisedRequirements(record: CampaignRecord): FailedRequirement[] {
  const found = new Map<string, Finding[]>();
  for (const one of record.cases) {
    for (const check of one.checks) {
      if (check.verdict === "advice")
        found.set(check.requirement, [...(found.get(check.requirement) ?? []), { case: one, check }]);
    }
  }
  return inOrder(found, record);
}

/** Origin of advice: the standard or guide, or the default of the profile. */
export function sourceOf(requirement: RequirementRecord | undefined): string {
  return requirement?.source ?? "a default; the profile and the rack file declare nothing else";
}

function inOrder(
  found: ReadonlyMap<string, readonly Finding[]>,
  { requirements }: CampaignRecord,
): FailedRequirement[] {
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const position = new Map(requirements.map(({ id }, index) => [id, index]));
  const rank = ({ id, requirement }: FailedRequirement): number =>
    order(requirement) * requirements.length + (position.get(id) ?? 0);
  return [...found]
    .map(([id, findings]) => {
      const requirement = known.get(id);
      return { id, findings, ...(requirement === undefined ? {} : { requirement }) };
    })
    .toSorted((a, b) => rank(a) - rank(b));
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

/** Whether one message about the run stands for the case: it was left out because the lab failed. */
export function isFolded({ reasonCode }: Pick<CaseRecord, "reasonCode">): boolean {
  return reasonCode === "not-run";
}

/** The cases of a run, without those that its trouble explains. */
function reportedCases({ cases, trouble }: CampaignRecord): readonly CaseRecord[] {
  return trouble === undefined ? cases : cases.filter((one) => !isFolded(one));
}

/** Cases that are inconclusive or ended in an error: errors first, grouped by reason. */
export function inconclusiveGroups(record: CampaignRecord): InconclusiveGroup[] {
  return (["error", "inconclusive"] as const).flatMap((verdict) => {
    const cases = reportedCases(record).filter((one) => one.verdict === verdict);
    return [...Map.groupBy(cases, reasonOf)].map(([reason, alike]) => ({ verdict, reason, cases: alike }));
  });
}

/** Cases that failed, each with the requirements that have no verdict because of it. */
export function leftOpenByFailures(
  record: CampaignRecord,
): { readonly case: CaseRecord; readonly requirements: readonly string[] }[] {
  const open = new Set(
    record.requirements.filter(({ verdict }) => verdict === "inconclusive").map(({ id }) => id),
  );
  for (const { cases } of inconclusiveGroups(record))
    for (const { requirement, verdict } of cases.flatMap(({ decided }) => decided))
      if (verdict !== "pass") open.delete(requirement);
  return record.cases
    .filter(({ verdict }) => verdict === "fail")
    .map((one) => ({
      case: one,
      requirements: one.decided
        .filter(({ requirement, verdict }) => verdict === "inconclusive" && open.has(requirement))
        .map(({ requirement }) => requirement),
    }))
    .filter(({ requirements }) => requirements.length > 0);
}

/** Number of findings of the failed requirements. */
export function findingCount(failed: readonly FailedRequirement[]): number {
  return failed.reduce((sum, one) => sum + one.findings.length, 0);
}

/** `2 errors, 3 cases inconclusive`. */
export function inconclusiveTitle(record: CampaignRecord): string {
  const cases = reportedCases(record);
  const count = (verdict: CaseRecord["verdict"]): number =>
    cases.filter((one) => one.verdict === verdict).length;
  const [errors, inconclusive] = [count("error"), count("inconclusive")];
  return [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(inconclusive > 0 ? [`${counted(inconclusive, "case")} inconclusive`] : []),
  ].join(", ");
}
