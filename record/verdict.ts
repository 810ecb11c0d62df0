// Verdicts in the words of ISO/IEC 9646 and their order, worst last.

/**
 * `error` is the harness's or the rig's fault and never the gateway's; `not-applicable` means that the profile does
 * not declare the capability; `inconclusive` that something could not be decided, with a reason.
 */
export type Verdict = "not-applicable" | "pass" | "inconclusive" | "error" | "fail";

const order: readonly Verdict[] = ["not-applicable", "pass", "inconclusive", "error", "fail"];

/** The worst of the verdicts; `undefined` for none, because no verdict is not a pass. */
export function worst(verdicts: Iterable<Verdict>): Verdict | undefined {
  let found: Verdict | undefined;
  for (const verdict of verdicts) {
    if (found === undefined || order.indexOf(verdict) > order.indexOf(found)) found = verdict;
  }
  return found;
}
