// Order of cases, mild side effects first, and which of them cannot run at the same time.
import { sideEffects } from "../../interface/operations/operation.ts";
import type { StateDomain, TestCase } from "../suite/case.ts";

/** Effects that make a gateway unavailable for a while: such cases run alone on it. */
export function isDisruptive(testCase: TestCase): boolean {
  return (
    testCase.effect === "reboots" || testCase.effect === "resets" || testCase.effect === "changes-firmware"
  );
}

/**
 * Cases in the order of their side effects; within one, those first that take long by what they measure, then those that
 * may keep the most others waiting the longest, otherwise the order of the suite.
 */
export function inOrder(cases: readonly TestCase[]): TestCase[] {
  const heldUpMs = new Map(cases.map((one) => [one, longestHoldUpMs(one, cases)]));
  return cases.toSorted(
    (a, b) =>
      sideEffects.indexOf(a.effect) - sideEffects.indexOf(b.effect) ||
      (b.leastMs ?? 0) - (a.leastMs ?? 0) ||
      (heldUpMs.get(b) ?? 0) - (heldUpMs.get(a) ?? 0),
  );
}

/** The deadlines of the case and of all that cannot run beside it; a case without one of its own is short. */
function longestHoldUpMs(testCase: TestCase, cases: readonly TestCase[]): number {
  return cases
    .filter((other) => other === testCase || (other.effect === testCase.effect && conflict(testCase, other)))
    .reduce((sum, { deadlineMs = 0 }) => sum + deadlineMs, 0);
}

export function conflict(a: TestCase, b: TestCase): boolean {
  if (a.alone === true || b.alone === true || isDisruptive(a) || isDisruptive(b)) return true;
  if (a.effect !== b.effect) return true;
  return sharedState(a, b).length > 0;
}

/** What one of them changes and the other changes or relies on. */
export function sharedState(a: TestCase, b: TestCase): StateDomain[] {
  return [...new Set([...changedFor(a, b), ...changedFor(b, a)])];
}

function changedFor({ touches, addsTo = [] }: TestCase, other: TestCase): StateDomain[] {
  const concerns = new Set([...other.touches, ...(other.reliesOn ?? []), ...(other.addsTo ?? [])]);
  return [
    ...touches.filter((domain) => domain === "everything" || concerns.has(domain)),
    ...addsTo.filter((domain) => other.touches.includes(domain)),
  ];
}
