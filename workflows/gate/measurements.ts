// Measurements of several runs against those of a baseline: worse, within noise, or too few.
import { type CaseRecord, type GateComparison, type Measurement, median } from "../../record/index.ts";
import { type GatePolicy, ruleFor } from "./policy.ts";
import { compareSamples, smallestPValue } from "./statistics.ts";

// A band such as 4.5 to 5.5 s surrounds an intended value; one such as 1 to 12 s only permits delays.
const narrowBand = 0.25;

/** The compared part of a run. */
export interface MeasuredRun {
  readonly cases: readonly Pick<CaseRecord, "id" | "measurements">[];
}

interface Series {
  readonly caseId: string;
  readonly name: string;
  readonly unit: string;
  readonly limits: Pick<Measurement, "limitLow" | "limitHigh">;
  /** Middles of the measured intervals. */
  readonly values: number[];
  /** Half widths of the measured intervals: the uncertainty of the measurement. */
  readonly halfWidths: number[];
}

interface Pair {
  readonly before: Series;
  readonly after: Series;
  readonly worse: GateComparison["worse"];
  readonly thresholdPercent: number;
}

/** Compares every quantity that was measured in both and that the policy does not exclude. */
export function compareMeasurements(
  candidate: readonly MeasuredRun[],
  baseline: readonly MeasuredRun[],
  policy: GatePolicy,
): GateComparison[] {
  const before = seriesOf(baseline);
  const pairs = [...seriesOf(candidate)].flatMap(([key, after]) => {
    const earlier = before.get(key);
    const rule = ruleFor(policy, after.caseId, after.name);
    const worse = rule?.worse ?? directionOf(after);
    if (earlier === undefined || worse === "ignore") return [];
    const thresholdPercent = rule?.thresholdPercent ?? policy.thresholdPercent;
    return [{ before: earlier, after, worse, thresholdPercent }];
  });
  return judge(
    pairs.map((pair) => figures(pair)),
    policy,
  );
}

function seriesOf(records: readonly MeasuredRun[]): Map<string, Series> {
  const found = new Map<string, Series>();
  for (const { id: caseId, measurements } of records.flatMap((record) => record.cases)) {
    for (const { name, unit, low, high, limitLow, limitHigh } of measurements) {
      const key = JSON.stringify([caseId, name, unit]);
      const limits = {
        ...(limitLow === undefined ? {} : { limitLow }),
        ...(limitHigh === undefined ? {} : { limitHigh }),
      };
      const series = found.get(key) ?? { caseId, name, unit, limits, values: [], halfWidths: [] };
      series.halfWidths.push((high - low) / 2);
      series.values.push((low + high) / 2);
      found.set(key, series);
    }
  }
  return found;
}

/** More of a rate is better, less of everything else; the middle of a narrow band is best. */
function directionOf({ unit, limits: { limitLow, limitHigh } }: Series): GateComparison["worse"] {
  if (unit.endsWith("/s")) return "lower";
  if (limitLow === undefined || limitHigh === undefined) return "higher";
  return limitHigh - limitLow <= narrowBand * (limitHigh + limitLow) ? "away" : "higher";
}

function figures({ before, after, worse, thresholdPercent }: Pair): GateComparison {
  const { limitLow = 0, limitHigh = 0 } = after.limits;
  const middle = (limitLow + limitHigh) / 2;
  const badness = (value: number): number => {
    if (worse === "lower") return -value;
    return worse === "higher" ? value : Math.abs(value - middle);
  };
  const { pValue, shift, effect } = compareSamples(before.values.map(badness), after.values.map(badness));
  const baselineMedian = median(before.values);
  const whole = worse === "away" ? (limitHigh - limitLow) / 2 : Math.abs(baselineMedian);
  return {
    case: after.caseId,
    name: after.name,
    unit: after.unit,
    worse,
    baselineCount: before.values.length,
    count: after.values.length,
    baselineMedian,
    median: median(after.values),
    worseBy: shift,
    uncertainty: median([...before.halfWidths, ...after.halfWidths]),
    worseByPercent: shift === 0 ? 0 : (shift / whole) * 100,
    thresholdPercent,
    pValue,
    effect,
    result: "within noise",
  };
}

/**
 * Worse: unlikely to be chance (Holm's correction over all quantities), more than the threshold and the uncertainty of
 * the measurement, and present in most repetitions. Too few repetitions: even the clearest difference could be chance.
 */
function judge(comparisons: readonly GateComparison[], policy: GatePolicy): GateComparison[] {
  const { alpha, minEffect } = policy;
  const isTooFew = ({ baselineCount, count }: GateComparison): boolean =>
    smallestPValue(baselineCount, count) > alpha / comparisons.length;
  const tested = comparisons.filter((one) => !isTooFew(one)).toSorted((a, b) => a.pValue - b.pValue);
  const unlikely = new Set<GateComparison>();
  for (const [index, one] of tested.entries()) {
    if (one.pValue > alpha / (tested.length - index)) break;
    unlikely.add(one);
  }
  return comparisons.map((one) => {
    if (isTooFew(one)) return { ...one, result: "too few repetitions" };
    const isLarge = one.worseByPercent > one.thresholdPercent && one.worseBy > one.uncertainty;
    const isWorse = unlikely.has(one) && isLarge && one.effect >= minEffect;
    return isWorse ? { ...one, result: "worse" } : one;
  });
}

/** Repetitions in each set that suffice for this number of quantities. */
export function neededRepetitions(alpha: number, quantities: number): number {
  let count = 1;
  while (smallestPValue(count, count) > alpha / quantities) count++;
  return count;
}
