// A measured quantity is an interval that must contain the true value; decisions follow from where it lies.
import type { Verdict } from "../../record/index.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Limits of a quantity; an absent one is open. */
export interface Band {
  readonly low?: number;
  readonly high?: number;
}

/** Guarded acceptance (JCGM 106): pass when wholly inside, fail when wholly outside, else inconclusive. */
export function decide(measured: Interval, limits: Band): Extract<Verdict, "pass" | "fail" | "inconclusive"> {
  const low = limits.low ?? Number.NEGATIVE_INFINITY;
  const high = limits.high ?? Number.POSITIVE_INFINITY;
  if (measured.low >= low && measured.high <= high) return "pass";
  if (measured.high < low || measured.low > high) return "fail";
  return "inconclusive";
}

/** The interval of `b - a` when both instants are known as intervals. */
export function difference(a: Interval, b: Interval): Interval {
  return { low: b.low - a.high, high: b.high - a.low };
}
