// Lines about a case for the plain formats (JUnit, Allure).
import type { CaseRecord, CheckRecord, RequirementRecord } from "../../record/index.ts";
import { measurementText } from "./measurementText.ts";
import { transcriptLines } from "./transcriptText.ts";
import { counted, oneLine } from "./visibleText.ts";
import { verdictWords } from "./verdictWords.ts";

/** Why the case did not pass, on one line. */
export function reasonOf(one: CaseRecord): string {
  const open = openChecks(one).find((check) => check.verdict !== "advice");
  const reason = one.reason ?? (open === undefined ? undefined : checkLine(open));
  return oneLine(reason ?? `${verdictWords[one.verdict].word} without a recorded reason`);
}

/** Checks that failed, have no verdict or give advice. */
export function openChecks(one: CaseRecord): CheckRecord[] {
  return one.checks.filter((check) => check.verdict !== "pass" && check.verdict !== "not-applicable");
}

/** The case as plain lines: checks with their requirements, measurements, notes, and how to reproduce it. */
export function caseText(
  one: CaseRecord,
  requirements: readonly Pick<RequirementRecord, "id" | "statement" | "place" | "source">[] = [],
): string {
  const known = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const lines = [one.title, ""];
  for (const check of openChecks(one)) {
    const requirement = known.get(check.requirement);
    if (requirement !== undefined)
      lines.push(
        `${requirement.id}: ${oneLine(requirement.statement)} (${requirement.source ?? requirement.place})`,
      );
    lines.push(`${check.requirement}: ${oneLine(check.what)}: ${verdictWords[check.verdict].word}`);
    lines.push(`  expected: ${check.expected}`, `  observed: ${check.observed}`);
    if (check.transcript !== undefined)
      lines.push("  stream:", ...transcriptLines(check.transcript).map((line) => `    ${line}`));
  }
  for (const measurement of one.measurements) {
    const { measured, allowed, relation } = measurementText(measurement);
    lines.push(`${measurement.name}: ${measured}, allowed ${allowed} (${relation})`);
  }
  for (const note of one.notes) lines.push(`note: ${note}`);
  if (one.reproduce !== undefined) lines.push("", `reproduce: ${one.reproduce}`);
  if (one.curl !== undefined) lines.push(`curl: ${one.curl}`);
  lines.push("", `${counted(one.checks.length, "check")}, seed ${one.seed}`);
  return lines.join("\n");
}

function checkLine(check: CheckRecord): string {
  return `${check.what}: expected ${check.expected}, observed ${check.observed}`;
}
