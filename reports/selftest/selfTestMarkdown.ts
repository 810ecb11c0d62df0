// The self-test as a page: every fault with the case that detected it, and requirements that no fault violates.
import type { FaultResult, SelfTestRecord } from "../../record/index.ts";
import { markdownTable, markdownText } from "../text/markdownText.ts";
import { countsOf } from "./killTable.ts";
import { operatorRows } from "./operators.ts";

const outcomes: Readonly<Record<FaultResult["outcome"], string>> = {
  killed: "detected",
  "killed-by-another": "detected by another requirement",
  silent: "not detected",
  "not-reached": "not tested",
};

export function selfTestMarkdown(record: SelfTestRecord): string {
  const { all, killed, killedByAnother, survived } = countsOf(record.results);
  const minutes = (Date.parse(record.endedAt) - Date.parse(record.startedAt)) / 60_000;
  return [
    "# Injected faults and their detection",
    "",
    `Suite ${record.suite} at level ${record.level}, seed ${record.seed}, ${minutes.toFixed(1)} minutes on ${record.machine.cores} cores (${markdownText(record.machine.cpu)}).`,
    "",
    `- ${all} of ${record.faults} faults injected.`,
    `- ${killed} detected by the violated requirement, ${killedByAnother} by another requirement, ${survived} not detected.`,
    `- Stated requirements that no fault violates: ${record.gaps.length === 0 ? "none" : record.gaps.join(", ")}.`,
    `- Checks that no longer examine anything: ${record.fallenSilent.length === 0 ? "none" : record.fallenSilent.map(markdownText).join("; ")}.`,
    "",
    ...operatorTable(record),
    markdownTable(
      ["Requirement", "Fault", "Effect", "Kind", "Result", "Detected by", "Time, s"],
      record.results.map(({ requirement, fault, what, subtlety, outcome, noticedBy, durationMs }) => [
        requirement,
        fault,
        what,
        subtlety,
        outcomes[outcome],
        noticedBy ?? "",
        (durationMs / 1000).toFixed(1),
      ]),
    ),
    "",
  ].join("\n");
}

/** Derived faults by operator and kind of place; empty without any. */
function operatorTable({ results }: SelfTestRecord): string[] {
  const rows = operatorRows(results);
  if (rows.length === 0) return [];
  const [first] = rows;
  return [
    "## Derived faults by operator",
    "",
    "Detected of injected.",
    "",
    markdownTable(
      ["Operator", ...Object.keys(first?.cells ?? {})],
      rows.map(({ operator, cells }) => [operator, ...Object.values(cells)]),
    ),
    "",
    "## All injected faults",
    "",
  ];
}
