// The result of the gate for a pull request.
import type { GateResult } from "../../record/index.ts";
import { markdownTable, markdownText } from "../text/markdownText.ts";
import {
  comparisonCells,
  comparisonColumns,
  gateSubject,
  gateTitle,
  inOrder,
  reasonLine,
} from "./gateText.ts";

const sign = { release: "✅", hold: "❌", undecided: "❔" } as const;

/** The whole page as Markdown. */
export function gateMarkdown(result: GateResult): string {
  const { verdict, reasons, open, notes, comparisons } = result;
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`### ${title}`, "", ...lines.map((line) => `- ${markdownText(line)}`), ""];
  const table =
    comparisons.length === 0
      ? []
      : [
          "<details><summary>Measurements</summary>",
          "",
          markdownTable(comparisonColumns, inOrder(comparisons).map(comparisonCells)),
          "",
          "</details>",
          "",
        ];
  return [
    `## ${sign[verdict]} ${gateTitle(result)}`,
    "",
    markdownText(gateSubject(result)),
    "",
    ...list("Reasons", reasons.map(reasonLine)),
    ...list("Inconclusive", open.map(reasonLine)),
    ...table,
    ...list("Notes", notes),
  ].join("\n");
}
