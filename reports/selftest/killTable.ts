// The self-test on the terminal: a line for each finished fault, and the summary.
import type { FaultResult, SelfTestRecord } from "../../record/index.ts";
import { textTable } from "../text/textTable.ts";
import { oneLine } from "../text/visibleText.ts";

const words: Readonly<Record<FaultResult["outcome"], string>> = {
  killed: "detected",
  "killed-by-another": "detected by another requirement",
  silent: "NOT DETECTED",
  "not-reached": "NOT TESTED",
};

/** `12/624 0:41 detected  fault  requirement  case  1.2 s`. */
export function killLine(result: FaultResult, count: number, total: number, elapsedMs: number): string {
  const { fault, requirement, outcome, noticedBy, failed, durationMs } = result;
  const by = outcome === "killed-by-another" ? ` (${failed.slice(0, 3).join(", ")})` : "";
  const seconds = Math.round(elapsedMs / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return `${count}/${total} ${clock}  ${words[outcome]}${by}  ${fault}  ${requirement}  ${noticedBy ?? "-"}  ${(durationMs / 1000).toFixed(1)} s`;
}

export interface KillCounts {
  readonly all: number;
  readonly killed: number;
  readonly killedByAnother: number;
  readonly survived: number;
}

export function countsOf(results: readonly FaultResult[]): KillCounts {
  const count = (outcome: FaultResult["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    all: results.length,
    killed: count("killed"),
    killedByAnother: count("killed-by-another"),
    survived: count("silent") + count("not-reached"),
  };
}

/** The counts, and each fault that its own requirement did not detect. */
export function selfTestSummary(record: SelfTestRecord): string {
  const { all, killed, killedByAnother, survived } = countsOf(record.results);
  const open = record.results.filter(({ outcome }) => outcome !== "killed");
  const share = all === 0 ? 0 : (100 * killed) / all;
  const table = textTable(
    ["FAULT", "REQUIREMENT", "RESULT", "FAILED OR INCONCLUSIVE"],
    open.map(({ fault, requirement, outcome, failed, undecided }) => [
      fault,
      requirement,
      words[outcome],
      oneLine([...failed.slice(0, 4), ...undecided.slice(0, 2)].join("; ") || "none"),
    ]),
    { width: process.stdout.columns },
  );
  return [
    "",
    `${all} of ${record.faults} faults: ${killed} detected by the violated requirement (${share.toFixed(1)} %), ${killedByAnother} by another, ${survived} not detected`,
    ...(open.length === 0 ? [] : ["", table.trimEnd()]),
    ...(record.gaps.length === 0
      ? []
      : ["", `stated requirements that no fault violates: ${record.gaps.join(", ")}`]),
    ...(record.fallenSilent.length === 0
      ? []
      : ["", "checks that no longer examine anything:", ...record.fallenSilent.map((line) => `  ${line}`)]),
  ].join("\n");
}
