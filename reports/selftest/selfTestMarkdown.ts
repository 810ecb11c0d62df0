// The self-test as a page: every fault with what noticed it, and the requirements that none breaks.
import type { FaultResult, SelfTestRecord } from "../../record/index.ts";
import { markdownTable, markdownText } from "../text/markdownText.ts";
import { countsOf } from "./killTable.ts";

const outcomes: Readonly<Record<FaultResult["outcome"], string>> = {
  killed: "noticed",
  "killed-by-another": "noticed by another requirement",
  silent: "silent",
  "not-reached": "not reached",
};

export function selfTestMarkdown(record: SelfTestRecord): string {
  const { all, killed, killedByAnother, survived } = countsOf(record.results);
  const minutes = (Date.parse(record.endedAt) - Date.parse(record.startedAt)) / 60_000;
  return [
    "# Faults and what noticed them",
    "",
    `Suite ${record.suite} at level ${record.level}, seed ${record.seed}, ${minutes.toFixed(1)} minutes on ${record.machine.cores} cores (${markdownText(record.machine.cpu)}).`,
    "",
    `- ${all} of ${record.faults} faults were tried.`,
    `- ${killed} were noticed by the requirement that they break, ${killedByAnother} by another, ${survived} by none.`,
    `- Stated requirements that no fault breaks: ${record.gaps.length === 0 ? "none" : record.gaps.join(", ")}.`,
    `- Checks that fell silent: ${record.fallenSilent.length === 0 ? "none" : record.fallenSilent.map(markdownText).join("; ")}.`,
    "",
    markdownTable(
      ["Requirement", "Fault", "What it does", "Kind", "Outcome", "Noticed by", "s"],
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
