// The closing summary on a terminal: the verdict, what failed and how to see it again.
import picocolors from "picocolors";
import type { CampaignRecord, CaseRecord } from "../harness/record/campaign.ts";

const shown = 20;

export function printSummary(
  record: CampaignRecord,
  reportFile: string,
  output: NodeJS.WritableStream & { isTTY?: boolean },
): void {
  const colours = picocolors.createColors(output.isTTY === true);
  const { summary } = record;
  const paint =
    summary.verdict === "conformant"
      ? colours.green
      : summary.verdict === "non-conformant"
        ? colours.red
        : colours.yellow;
  const lines = ["", paint(colours.bold(verdictWords(record))), countWords(record), ""];
  const open = record.cases.filter((one) => one.verdict !== "pass" && one.verdict !== "not-applicable");
  for (const one of open.slice(0, shown)) lines.push(...describe(record, one), "");
  if (open.length > shown) lines.push(`and ${open.length - shown} more in the report`, "");
  const seconds = (Date.parse(record.endedAt) - Date.parse(record.startedAt)) / 1000;
  lines.push(`seed ${record.seed}, ${seconds.toFixed(0)} s, report: ${reportFile}`, "");
  output.write(lines.join("\n"));
}

/** The verdict as a sentence. */
export function verdictWords(record: CampaignRecord): string {
  const failed = record.requirements.filter((one) => one.level === "stated" && one.verdict === "fail").length;
  const open = record.requirements.filter(
    (one) => one.level === "stated" && (one.verdict === "inconclusive" || one.verdict === "error"),
  ).length;
  switch (record.summary.verdict) {
    case "conformant":
      return "Conformant: no stated requirement of this run failed or was left undecided";
    case "non-conformant":
      return `Not conformant: ${plural(failed, "stated requirement")} failed`;
    case "inconclusive":
      return record.complete
        ? `Inconclusive: ${plural(open, "stated requirement")} could not be decided`
        : "Inconclusive: the campaign was interrupted";
  }
}

export function countWords(record: CampaignRecord): string {
  const { pass, fail, inconclusive, error, notApplicable } = record.summary;
  const decided = record.requirements.filter(
    (one) => one.verdict === "pass" || one.verdict === "fail",
  ).length;
  return `${plural(record.cases.length, "case")}: ${pass} pass, ${fail} fail, ${inconclusive} inconclusive, ${error} error, ${notApplicable} not applicable; ${decided} of ${record.requirements.length} requirements decided`;
}

function describe(record: CampaignRecord, one: CaseRecord): string[] {
  const checks = one.checks.filter((check) => check.verdict === one.verdict).slice(0, 5);
  const lines = [`${one.verdict}  ${one.id}: ${one.title}`];
  for (const check of checks) {
    const requirement = record.requirements.find((candidate) => candidate.id === check.requirement);
    lines.push(
      `  ${check.requirement} ${requirement?.statement ?? ""}`,
      `    ${check.what}: expected ${check.expected}`,
      `    observed ${check.observed.slice(0, 300)}`,
    );
  }
  if (checks.length === 0) lines.push(`  ${one.reason ?? ""}`);
  if (one.reproduce !== undefined) lines.push(`  again: ${one.reproduce}`);
  return lines;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
