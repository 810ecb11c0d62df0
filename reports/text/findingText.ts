// The lines about a case that the plain formats (JUnit, Allure) share.
import type { CaseRecord, CheckRecord } from "../../record/index.ts";
import { measurementText } from "./measurementText.ts";
import { counted, oneLine } from "./visibleText.ts";
import { verdictWords } from "./verdictWords.ts";

/** One sentence: why the case did not pass. */
export function reasonOf(one: CaseRecord): string {
  const open = openChecks(one)[0];
  const reason = one.reason ?? (open === undefined ? undefined : checkLine(open));
  return oneLine(reason ?? `the case ended as ${verdictWords[one.verdict].word} and gave no reason`);
}

/** The checks that did not hold. */
export function openChecks(one: CaseRecord): CheckRecord[] {
  return one.checks.filter((check) => check.verdict !== "pass" && check.verdict !== "not-applicable");
}

/** Everything a reader needs about a case, as plain lines. */
export function caseText(one: CaseRecord): string {
  const lines = [one.title, ""];
  for (const check of openChecks(one)) {
    lines.push(`${check.requirement}: ${oneLine(check.what)} (${verdictWords[check.verdict].word})`);
    lines.push(`  expected: ${check.expected}`, `  observed: ${check.observed}`);
  }
  for (const measurement of one.measurements) {
    const { measured, allowed, relation } = measurementText(measurement);
    lines.push(`${measurement.name}: ${measured}, allowed ${allowed} (${relation})`);
  }
  for (const note of one.notes) lines.push(`note: ${note}`);
  if (one.reproduce !== undefined) lines.push("", `again: ${one.reproduce}`);
  if (one.curl !== undefined) lines.push(`by hand: ${one.curl}`);
  lines.push("", `${counted(one.checks.length, "check")}, seed ${one.seed}`);
  return lines.join("\n");
}

function checkLine(check: CheckRecord): string {
  return `${check.what}: expected ${check.expected}, observed ${check.observed}`;
}
