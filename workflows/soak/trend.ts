// Whether a quantity rises over time: Theil-Sen slope and Mann-Kendall test, without an assumption on the distribution.
import { median } from "../../record/index.ts";
import { upperTail } from "../gate/statistics.ts";

interface Point {
  readonly t: number;
  readonly y: number;
}

/** Points between two restarts; values of different segments are never compared. */
export type Segment = readonly Point[];

export interface Trend {
  readonly count: number;
  /** Change of y for each unit of t, and its confidence interval of 95 %. */
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  /** Kendall's S and its variance without autocorrelation. */
  readonly s: number;
  readonly variance: number;
  /** Factor on the variance for autocorrelation. */
  readonly inflation: number;
  /** Chance of an S at least this high without a trend, one-sided. */
  readonly pValue: number;
}

const z95 = 1.959963984540054;
const mostCorrelation = 0.9;

/** The trend of all segments together; undefined with fewer than four points that can be compared. */
export function trendOf(segments: readonly Segment[]): Trend | undefined {
  const long = segments.filter((segment) => segment.length > 1);
  const count = sum(long.map(({ length }) => length));
  if (count < 4) return undefined;
  const { s, variance } = kendall(long);
  const middle = median(long.flatMap(pairSlopes));
  const inflation = inflationOf(long, middle, count);
  const sigma = Math.sqrt(variance * inflation);
  return {
    count,
    ...theilSen(long, sigma),
    s,
    variance,
    inflation,
    pValue: sigma === 0 ? 1 : upperTail((s - Math.sign(s)) / sigma),
  };
}

/** Kendall's S and its variance under independence, summed over the segments. */
export function kendall(segments: readonly Segment[]): { readonly s: number; readonly variance: number } {
  return { s: sum(segments.map(kendallS)), variance: sum(segments.map(varianceOfS)) };
}

/** The median slope of all pairs within a segment, and its confidence interval for a deviation `sigma` of S (Sen 1968). */
export function theilSen(
  segments: readonly Segment[],
  sigma: number,
): { readonly slope: number; readonly low: number; readonly high: number } {
  const slopes = segments.flatMap(pairSlopes).toSorted((a, b) => a - b);
  const slope = median(slopes);
  const upper = Math.min(Math.round((slopes.length + z95 * sigma) / 2), slopes.length - 1);
  const lower = Math.max(Math.round((slopes.length - z95 * sigma) / 2) - 1, 0);
  return { slope, low: slopes[lower] ?? slope, high: slopes[upper] ?? slope };
}

/**
 * Chance of steps from value to value with a mean at least this high when each is as likely down as up: Student's t,
 * one-sided. Independent of how long a deviation lasts, because the steps of a random walk are independent; noise around
 * a level makes the chance larger.
 */
export function stepsPValue(segments: readonly Segment[]): number {
  const steps = segments.flatMap((segment) =>
    segment.slice(1).map(({ y }, index) => y - (segment[index]?.y ?? y)),
  );
  const degrees = steps.length - 1;
  if (degrees < 3) return 1;
  const mean = sum(steps) / steps.length;
  const variance = sum(steps.map((step) => (step - mean) ** 2)) / degrees;
  if (variance === 0) return mean > 0 ? 0 : 1;
  const t = mean / Math.sqrt(variance / steps.length);
  // Wallace (1959): a normal deviate with the same chance, within 0.1 % of it for these degrees of freedom.
  const z =
    ((8 * degrees + 1) / (8 * degrees + 3)) *
    Math.sqrt(degrees * Math.log1p(t ** 2 / degrees)) *
    Math.sign(t);
  return upperTail(z);
}

function pairSlopes(segment: Segment): number[] {
  return segment.flatMap((late, index) =>
    segment
      .slice(0, index)
      .flatMap((early) => (late.t > early.t ? [(late.y - early.y) / (late.t - early.t)] : [])),
  );
}

function kendallS(segment: Segment): number {
  return sum(
    segment.flatMap((late, index) => segment.slice(0, index).map((early) => Math.sign(late.y - early.y))),
  );
}

/** Corrected for equal values. */
function varianceOfS(segment: Segment): number {
  const term = (n: number): number => n * (n - 1) * (2 * n + 5);
  const ties = [...Map.groupBy(segment, ({ y }) => y).values()];
  return (term(segment.length) - sum(ties.map(({ length }) => term(length)))) / 18;
}

/**
 * Neighbouring values that deviate alike hold less information than independent ones: the factor for a process with
 * the lag-1 correlation of the residuals (Yue and Wang 2004), which a short series underestimates by about 2/n.
 */
function inflationOf(segments: readonly Segment[], slope: number, count: number): number {
  let products = 0;
  let squares = 0;
  for (const segment of segments) {
    const rest = segment.map(({ t, y }) => y - slope * t);
    const middle = median(rest);
    for (const [index, one] of rest.entries()) {
      squares += (one - middle) ** 2;
      const next = rest[index + 1];
      if (next !== undefined) products += (one - middle) * (next - middle);
    }
  }
  if (squares === 0) return 1;
  // One standard error more: an estimate that is too low reports rises that are noise.
  const estimated = ((products / squares) * count + 2) / Math.max(1, count - 4) + 1 / Math.sqrt(count);
  const r = Math.min(mostCorrelation, Math.max(0, estimated));
  return 1 + (2 * (r ** (count + 1) - count * r ** 2 + (count - 1) * r)) / (count * (r - 1) ** 2);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Holm's correction: each p-value as if it were the only one of the family. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const adjusted = [...pValues];
  let highest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    highest = Math.min(1, Math.max(highest, p * (order.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
