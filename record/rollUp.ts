// From case records to the verdict of every requirement and of the campaign.
import { requirements } from "../interface/requirements/index.ts";
import type { CampaignRecord, CaseRecord, RequirementRecord } from "./campaign.ts";
import { type Verdict, worst } from "./verdict.ts";

/** Verdict of every requirement of the register: the worst of the cases that decided it. */
export function rollUpRequirements(
  cases: readonly CaseRecord[],
  isDeclared: (requirement: string) => boolean,
): RequirementRecord[] {
  const deciding = new Map<string, { caseId: string; verdict: Verdict }[]>();
  for (const record of cases) {
    for (const { requirement, verdict } of record.decided) {
      const list = deciding.get(requirement) ?? [];
      list.push({ caseId: record.id, verdict });
      deciding.set(requirement, list);
    }
  }
  return requirements.map((requirement) => {
    const decisions = deciding.get(requirement.id) ?? [];
    const verdict = worst(decisions.map((decision) => decision.verdict)) ?? "not-covered";
    const reason =
      verdict === "not-covered" ? (requirement.untestable ?? uncoveredReason(requirement.needs)) : undefined;
    return {
      id: requirement.id,
      level: requirement.level,
      ...(requirement.level === "declared" ? { isDeclared: isDeclared(requirement.id) } : {}),
      ...(requirement.source === undefined ? {} : { source: requirement.source }),
      group: requirement.group,
      statement: requirement.statement,
      place: requirement.place,
      verdict,
      cases: [...new Set(decisions.map((decision) => decision.caseId))],
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

function uncoveredReason(needs: string | undefined): string {
  return needs === undefined
    ? "not tested by any case of this run"
    : `not tested by any case of this run; its cases need equipment: ${needs.replace("-", " ")}`;
}

/** Counts of case verdicts, and the verdict of the campaign: only stated requirements decide conformance. */
export function summarise(
  cases: readonly CaseRecord[],
  requirementRecords: readonly RequirementRecord[],
  isComplete: boolean,
): CampaignRecord["summary"] {
  const count = (verdict: Verdict): number => cases.filter((record) => record.verdict === verdict).length;
  const stated = requirementRecords
    .filter((record) => record.level === "stated")
    .map((record) => record.verdict);
  const undecided =
    stated.includes("inconclusive") || stated.includes("error") || count("error") > 0 || !isComplete;
  const nothingSeen = !stated.includes("pass") && !stated.includes("fail");
  const verdict = stated.includes("fail")
    ? "non-conformant"
    : undecided || nothingSeen
      ? "inconclusive"
      : "conformant";
  return {
    verdict,
    pass: count("pass"),
    fail: count("fail"),
    inconclusive: count("inconclusive"),
    error: count("error"),
    notApplicable: count("not-applicable"),
  };
}
