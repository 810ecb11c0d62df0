// Whether one sample of measurements is worse than another beyond noise: rank statistics, without an assumption on the
// distribution.
import { median } from "../../record/index.ts";

/** Difference of a sample from an earlier one; positive means larger. */
export interface Shift {
  /** Chance, by ranks alone, of a difference at least this large upwards between samples of the same kind. */
  readonly pValue: number;
  /** Hodges-Lehmann estimate: the median of all differences between a later and an earlier value. */
  readonly shift: number;
  /** Cliff's delta, -1 to 1: how much more often a later value is the larger one. */
  readonly effect: number;
}

const mostForExact = 60;

/** Compares two samples, neither of which may be empty; one-sided Mann-Whitney test for the later being larger. */
export function compareSamples(earlier: readonly number[], later: readonly number[]): Shift {
  const differences = later.flatMap((after) => earlier.map((before) => after - before));
  const above = differences.filter((one) => one > 0).length;
  const below = differences.filter((one) => one < 0).length;
  return {
    pValue: pValueOfLarger(earlier, later),
    shift: median(differences),
    effect: (above - below) / differences.length,
  };
}

/** The smallest chance that samples of these sizes can show at all: every later value above every earlier one. */
export function smallestPValue(earlierCount: number, laterCount: number): number {
  return 1 / choose(earlierCount + laterCount, laterCount);
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

function pValueOfLarger(earlier: readonly number[], later: readonly number[]): number {
  const ranks = doubledRanks([...earlier, ...later]);
  const rankSum = ranks.slice(earlier.length).reduce((sum, rank) => sum + rank, 0);
  return ranks.length <= mostForExact
    ? exactPValue(ranks, later.length, rankSum)
    : normalPValue(ranks, earlier.length, later.length, rankSum);
}

/** Twice the rank of each value, equal values sharing the mean of their ranks, so that all are whole numbers. */
function doubledRanks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const shared = new Map<number, number>();
  for (const [index, value] of sorted.entries()) {
    if (shared.has(value)) continue;
    const last = sorted.lastIndexOf(value);
    shared.set(value, index + 1 + last + 1);
  }
  return values.map((value) => shared.get(value) ?? 0);
}

/** Share of all choices of `count` ranks whose sum is at least this: exact, with ties as well. */
function exactPValue(ranks: readonly number[], count: number, rankSum: number): number {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  // ways[k][s]: in how many ways k of the ranks seen so far sum up to s.
  const ways = Array.from({ length: count + 1 }, () => new Float64Array(total + 1));
  const [none] = ways;
  if (none !== undefined) none[0] = 1;
  for (const rank of ranks) {
    for (let k = count; k >= 1; k--) {
      const into = ways[k];
      const from = ways[k - 1];
      if (into === undefined || from === undefined) continue;
      for (let sum = total; sum >= rank; sum--) into[sum] = (into[sum] ?? 0) + (from[sum - rank] ?? 0);
    }
  }
  const all = ways[count] ?? new Float64Array(0);
  const everything = all.reduce((sum, one) => sum + one, 0);
  return all.subarray(rankSum).reduce((sum, one) => sum + one, 0) / everything;
}

/** The normal approximation for large samples, corrected for ties and continuity. */
function normalPValue(
  ranks: readonly number[],
  earlierCount: number,
  laterCount: number,
  rankSum: number,
): number {
  const n = earlierCount + laterCount;
  const u = rankSum / 2 - (laterCount * (laterCount + 1)) / 2;
  const sizes = new Map<number, number>();
  for (const rank of ranks) sizes.set(rank, (sizes.get(rank) ?? 0) + 1);
  const ties = [...sizes.values()].reduce((sum, size) => sum + size ** 3 - size, 0);
  const variance = ((earlierCount * laterCount) / 12) * (n + 1 - ties / (n * (n - 1)));
  if (variance <= 0) return 1;
  return upperTail((u - (earlierCount * laterCount) / 2 - 0.5) / Math.sqrt(variance));
}

/** Chance that a standard normal value is above z (Abramowitz and Stegun 26.2.17, absolute error below 1e-7). */
export function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  return z >= 0 ? tail : 1 - tail;
}
