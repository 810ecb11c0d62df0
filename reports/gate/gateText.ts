// Words that the forms of a gate result share.
import type { GateComparison, GateReason, GateResult } from "../../record/index.ts";
import { counted } from "../text/visibleText.ts";

/** The verdict of the gate. */
export function gateTitle({ verdict, reasons, open }: GateResult): string {
  switch (verdict) {
    case "release":
      return "May be released";
    case "hold":
      return `Hold: ${counted(reasons.length, "reason")}`;
    case "undecided":
      return `Inconclusive: ${counted(open.length, "open question")}`;
  }
}

/** Candidate and baseline. */
export function gateSubject({ subject, baseline }: GateResult): string {
  return baseline === undefined ? `${subject}, without a baseline` : `${subject} against ${baseline}`;
}

/** Cells of one comparison: quantity, baseline, candidate, difference, result. */
export function comparisonCells(one: GateComparison): readonly string[] {
  const { baselineMedian, median, unit, baselineCount, count, worseByPercent, result, pValue } = one;
  const size = Math.abs(worseByPercent);
  const by = Number.isFinite(size) ? `${size.toFixed(1)} %` : "unlimited";
  const difference = worseByPercent === 0 ? "none" : `${by} ${worseByPercent > 0 ? "worse" : "better"}`;
  return [
    `${one.name}, ${one.case}`,
    `${figure(baselineMedian)} ${unit} (${baselineCount})`,
    `${figure(median)} ${unit} (${count})`,
    difference,
    result === "too few repetitions" ? result : `${result}, p ${pValue.toPrecision(2)}`,
  ];
}

/** Words for each kind of reason. */
export const kindWords: Readonly<Record<GateReason["kind"], string>> = {
  "new-failure": "new failure",
  failure: "failure",
  "no-longer-decided": "no longer conclusive",
  slower: "slower",
  "expected-failure-passes": "expected failure passes",
  undecided: "inconclusive",
  "lab-trouble": "failure of the lab",
  "too-few-repetitions": "too few repetitions",
};

/** Kind and text of a reason on one line. */
export const reasonLine = ({ kind, text }: GateReason): string => `${kindWords[kind]}: ${text}`;

export const comparisonColumns = [
  "Quantity",
  "Baseline, median",
  "Candidate, median",
  "Difference",
  "Result",
];

/** Worse quantities first, then by difference. */
export function inOrder(comparisons: readonly GateComparison[]): GateComparison[] {
  const rank = (one: GateComparison): number => (one.result === "worse" ? 0 : 1);
  return comparisons.toSorted((a, b) => rank(a) - rank(b) || b.worseByPercent - a.worseByPercent);
}

function figure(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}
