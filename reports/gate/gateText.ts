// What the three forms of a gate's result have in common.
import type { GateComparison, GateResult } from "../../record/index.ts";
import { counted } from "../text/visibleText.ts";

/** The answer in a sentence. */
export function gateTitle({ verdict, reasons, open }: GateResult): string {
  switch (verdict) {
    case "release":
      return "May be released";
    case "hold":
      return `Hold: ${counted(reasons.length, "reason")}`;
    case "undecided":
      return `Undecided: ${counted(open.length, "open question")}`;
  }
}

/** Candidate and baseline in a sentence. */
export function gateSubject({ subject, baseline }: GateResult): string {
  return baseline === undefined ? `${subject}, without a baseline` : `${subject} against ${baseline}`;
}

/** The cells of one comparison: quantity, before, now, difference, result. */
export function comparisonCells(one: GateComparison): readonly string[] {
  const { baselineMedian, median, unit, baselineCount, count, worseByPercent, result, pValue } = one;
  const size = Math.abs(worseByPercent);
  const by = Number.isFinite(size) ? `${size.toFixed(1)} %` : "any measure";
  const difference = worseByPercent === 0 ? "none" : `${by} ${worseByPercent > 0 ? "worse" : "better"}`;
  return [
    `${one.name}, ${one.case}`,
    `${figure(baselineMedian)} ${unit} (${baselineCount})`,
    `${figure(median)} ${unit} (${count})`,
    difference,
    result === "too few repetitions" ? result : `${result}, p ${pValue.toPrecision(2)}`,
  ];
}

export const comparisonColumns = ["Quantity", "Baseline, median", "Now, median", "Difference", "Result"];

/** Those that tell most first: worse ones, then by difference. */
export function inOrder(comparisons: readonly GateComparison[]): GateComparison[] {
  const rank = (one: GateComparison): number => (one.result === "worse" ? 0 : 1);
  return comparisons.toSorted((a, b) => rank(a) - rank(b) || b.worseByPercent - a.worseByPercent);
}

function figure(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}
