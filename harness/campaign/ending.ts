// How a case ended: its verdict from its checks, also after an early end.
import { type CheckRecord, type Verdict, worst } from "../../record/index.ts";

/** A case's verdict with its reason. */
export interface Ending {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly reasonCode?: string;
}

/** No requirement of the case had a value to check. The text stays, because stored records have it. */
export const noSubject = "nothing-to-look-at";

/** The ending of a case that ran to its end; every requirement it lists must have been verified. */
export function endOf(requirements: readonly string[], checks: readonly CheckRecord[]): Ending {
  const verified = new Set(checks.map((check) => check.requirement));
  const unchecked = requirements.filter((id) => !verified.has(id));
  const worstCheck = worst(checks.map((check) => check.verdict));
  // Advice is for the requirement alone: the case has passed.
  const verdict = worstCheck === "advice" ? "pass" : worstCheck;
  if (verdict === "fail") return failed(checks);
  // A case may leave out what rests on a check without a result.
  if (verdict === "inconclusive") {
    const check = checks.find((one) => one.verdict === "inconclusive");
    return {
      verdict,
      reasonCode: "undecided-check",
      reason: `${check?.what}: expected ${check?.expected}, observed ${check?.observed}`,
    };
  }
  if (unchecked.length > 0) {
    return {
      verdict: "error",
      reasonCode: "not-verified",
      reason: `no check was made of ${unchecked.join(", ")}`,
    };
  }
  if (verdict === "not-applicable") {
    const reasons = new Set(checks.map((check) => `${check.what}: ${check.observed}`));
    return { verdict, reasonCode: noSubject, reason: [...reasons].join("; ") };
  }
  return {
    verdict: verdict ?? "error",
    ...(verdict === undefined ? { reasonCode: "no-checks", reason: "the case made no check" } : {}),
  };
}

/** The ending of a case with a failed check, whatever happened afterwards. */
export function failed(checks: readonly CheckRecord[]): Ending {
  const first = checks.find((check) => check.verdict === "fail");
  return {
    verdict: "fail",
    reasonCode: "check-failed",
    reason: `${first?.what}: expected ${first?.expected}, observed ${first?.observed}`,
  };
}

/** The verdict of one requirement; one that the case did not reach has the ending of the case. */
export function verdictFor(requirement: string, checks: readonly CheckRecord[], ending: Ending): Verdict {
  const own = worst(
    checks.filter((check) => check.requirement === requirement).map((check) => check.verdict),
  );
  const openEnd: Verdict = ending.verdict === "fail" ? "inconclusive" : ending.verdict;
  if (own === undefined) return openEnd;
  // Advice is a finding like a failure: what comes after it does not take it back.
  if (own === "advice") return own;
  // After an early end a passed check may have been followed by others that never ran.
  return ending.verdict === "inconclusive" || ending.verdict === "error"
    ? (worst([own, openEnd]) ?? own)
    : own;
}
