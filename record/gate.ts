// The result of a release gate: whether a firmware may be released, and every reason against it.

/** A reason against a release, or an open question. */
export interface GateReason {
  readonly kind:
    | "new-failure"
    | "failure"
    | "no-longer-decided"
    | "slower"
    | "expected-failure-passes"
    | "undecided"
    | "lab-trouble"
    | "too-few-repetitions";
  /** What it is about: a case, a requirement or a measurement. */
  readonly subject: string;
  readonly text: string;
}

/** One quantity in the baseline and in the candidate. */
export interface GateComparison {
  readonly case: string;
  readonly name: string;
  readonly unit: string;
  readonly worse: "higher" | "lower" | "away";
  readonly baselineCount: number;
  readonly count: number;
  readonly baselineMedian: number;
  readonly median: number;
  /** Worse by this, in the unit; negative when better. */
  readonly worseBy: number;
  /** Uncertainty of the measurement, in the unit. */
  readonly uncertainty: number;
  /** Worse by this, in percent; negative when better. */
  readonly worseByPercent: number;
  readonly thresholdPercent: number;
  readonly pValue: number;
  /** Cliff's delta in the direction that is worse. */
  readonly effect: number;
  readonly result: "worse" | "within noise" | "too few repetitions";
}

export interface GateResult {
  readonly verdict: "release" | "hold" | "undecided";
  /** Reasons against the release. */
  readonly reasons: readonly GateReason[];
  /** Open questions: inconclusive results and missing repetitions. */
  readonly open: readonly GateReason[];
  /** Further remarks; they do not decide. */
  readonly notes: readonly string[];
  readonly comparisons: readonly GateComparison[];
  readonly subject: string;
  readonly baseline: string | undefined;
}
