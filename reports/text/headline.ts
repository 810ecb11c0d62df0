import type { CampaignRecord, RequirementRecord } from "../../record/index.ts";
import { counted } from "./visibleText.ts";

export interface Headline {
  /** `Not conformant: 3 stated requirements failed`. */
  readonly title: string;
  /** What else a reader must know before believing the title, a sentence each. */
  readonly reasons: readonly string[];
}

/** The verdict of a campaign in plain words. */
export function headline(record: CampaignRecord): Headline {
  const stated = record.requirements.filter((requirement) => requirement.level === "stated");
  const failed = withVerdict(stated, "fail");
  const undecided = withVerdict(stated, "inconclusive") + withVerdict(stated, "error");
  return { title: title(record, failed, undecided), reasons: reasons(record, stated, failed, undecided) };
}

function title(record: CampaignRecord, failed: number, undecided: number): string {
  switch (record.summary.verdict) {
    case "conformant":
      return "Conformant";
    case "non-conformant":
      return failed === 0
        ? "Not conformant"
        : `Not conformant: ${counted(failed, "stated requirement")} failed`;
    case "inconclusive":
      if (undecided > 0) return `Undecided: ${counted(undecided, "stated requirement")} could not be decided`;
      return record.complete ? "Undecided" : "Undecided: the campaign was interrupted";
  }
}

function reasons(
  record: CampaignRecord,
  stated: readonly RequirementRecord[],
  failed: number,
  undecided: number,
): string[] {
  const held = withVerdict(stated, "pass");
  const notCovered = withVerdict(stated, "not-covered");
  const notApplicable = withVerdict(stated, "not-applicable");
  const beside = record.requirements.filter((one) => one.level !== "stated" && one.verdict === "fail").length;
  const lines: string[] = [];
  if (!record.complete) {
    lines.push("The campaign was interrupted; what had been measured by then is here.");
  }
  const looked = held + failed + undecided;
  lines.push(
    looked === 0
      ? "No stated requirement was looked at."
      : held === looked
        ? `All ${counted(looked, "stated requirement")} looked at held.`
        : `${held} of the ${counted(looked, "stated requirement")} looked at held.`,
  );
  if (failed > 0 && undecided > 0) {
    lines.push(`${counted(undecided, "further stated requirement")} could not be decided.`);
  }
  if (record.summary.error > 0) {
    lines.push(
      `${counted(record.summary.error, "case")} ended in an error of the harness or the rig, which says nothing about the gateway.`,
    );
  }
  if (beside > 0) {
    lines.push(
      `${counted(beside, "published or declared requirement")} failed; these do not decide conformance.`,
    );
  }
  if (notCovered + notApplicable > 0) lines.push(aside(notCovered, notApplicable));
  return lines;
}

function aside(notCovered: number, notApplicable: number): string {
  const parts: string[] = [];
  if (notCovered > 0) parts.push(`${notCovered} not covered by this run`);
  if (notApplicable > 0) parts.push(`${notApplicable} not applicable to what the profile declares`);
  return `Stated requirements left aside: ${parts.join(", ")}.`;
}

function withVerdict(requirements: readonly RequirementRecord[], verdict: string): number {
  return requirements.filter((requirement) => requirement.verdict === verdict).length;
}
