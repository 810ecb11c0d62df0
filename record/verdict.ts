// Verdicts in the words of ISO/IEC 9646, worst last.

/**
 * `error` is a fault of the harness or the rig and never of the gateway; `not-applicable`: the profile does not declare
 * the capability; `advice`: a recommendation, or a default that nobody declared, is not met; `inconclusive`: neither pass nor fail, with a reason.
 */
export const verdicts = ["not-applicable", "pass", "advice", "inconclusive", "error", "fail"] as const;
export type Verdict = (typeof verdicts)[number];

/** Of a requirement; `not-covered`: no case of the selection tests it. */
export const requirementVerdicts = [...verdicts, "not-covered"] as const;

/** The worst of the verdicts; `undefined` for none, because no verdict is not a pass. */
export function worst(found: Iterable<Verdict>): Verdict | undefined {
  const indexes = [...found].map((verdict) => verdicts.indexOf(verdict));
  return indexes.length === 0 ? undefined : verdicts[Math.max(...indexes)];
}
