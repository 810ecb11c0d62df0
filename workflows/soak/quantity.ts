// The verdict on one quantity: does it rise, beyond noise and beyond what the machine of the harness explains?
import { median } from "../../record/index.ts";
import type { SoakFinding, SoakTrend } from "../../record/index.ts";
import { join, mergeNeighbours, type Series, type Stretch } from "./series.ts";
import { holm, type Segment, stepsPValue, type Trend, trendOf } from "./trend.ts";

/** What counts as a rise of a quantity. */
export interface Quantity {
  readonly id: string;
  readonly series: Series;
  /** Smallest rise over the time of the soak that counts: the larger of the two. */
  readonly leastChange: number;
  readonly leastShare: number;
  /** Whether a busy machine of the harness changes it too, by a factor. */
  readonly isTime: boolean;
  /** Quantities of one family share its chance of a wrong report. */
  readonly family: "whole" | "operation";
}

export interface TrendRules {
  readonly warmUpSec: number;
  /** Shortest block. */
  readonly blockSec: number;
  /** Chance that any quantity of a family of an unchanged gateway is reported, thresholds apart. */
  readonly alpha: number;
}

const mostBlocks = 90;
/** A trend of fewer is too uncertain to be of use. */
const leastBlocks = 20;
/** A rise that cannot be excluded and is larger than so many thresholds leaves the verdict open. */
const relevantThresholds = 4;
/** Few calls of one operation, of different cost, vary more than the tests assume. */
const operationsAreNoisier = 10;
/** A rise that only shows without what the control explains could be one of the control. */
const plainAlpha = 0.01;
/** A rise of the control by this part of that of a quantity explains it. */
const controlCounts = 4;
const longestUsefulMinutes = 7 * 24 * 60;

interface Measured {
  readonly quantity: Quantity;
  readonly blockSec: number;
  readonly blocks: readonly Stretch[];
  readonly threshold: number;
  /** The usual value. */
  readonly level: number;
  /** Within boots; over all of them, where there are several; each also without what the control explains. */
  readonly views: readonly View[];
}

/** A trend, and the time over which it is counted. */
interface Counted {
  readonly trend: Trend;
  readonly stepsPValue: number;
  readonly lengthSec: number;
}

interface View {
  readonly plain: Counted;
  readonly adjusted: Counted;
  /** The later half of each boot: what fills up and then stays is no rise. */
  readonly later: Counted;
  /** That of the control, as logarithms; undefined where nothing is compared with it. */
  readonly control: Counted | undefined;
  /** The smaller rise from the second quarter of the time to the third, and to the fourth: a step is in one of them. */
  readonly leastStep: number;
}

/** Judges the quantities, those of single operations as a family of their own. */
export function judgeQuantities(quantities: readonly Quantity[], rules: TrendRules): SoakFinding[] {
  return (["whole", "operation"] as const).flatMap((family) =>
    judgeFamily(
      quantities.filter((one) => one.family === family),
      family === "whole" ? rules : { ...rules, alpha: rules.alpha / operationsAreNoisier },
    ),
  );
}

function judgeFamily(quantities: readonly Quantity[], rules: TrendRules): SoakFinding[] {
  const measured = quantities.map((quantity) => measure(quantity, rules));
  const pValues = measured.flatMap(({ quantity, views }) => views.map((view) => decisive(quantity, view)));
  const adjusted = holm(pValues);
  let next = 0;
  return measured.map((one) => {
    const own = one.views.map(() => adjusted[next++] ?? 1);
    return finding(one, own, rules);
  });
}

/**
 * Memory and disk fill up for a while, which is a rise by any test: their later half decides, by its values or by the
 * steps between them. Values that last for a while say little about a rise, and their steps much.
 */
function decisive({ isTime }: Quantity, { adjusted, later }: View): number {
  return isTime ? adjusted.trend.pValue : Math.min(1, 2 * Math.min(later.trend.pValue, later.stepsPValue));
}

function measure(quantity: Quantity, { blockSec: least }: TrendRules): Measured {
  const usable = quantity.series.points.filter(({ counts }) => counts);
  const usableSec = usable.reduce((sum, { from, to }) => sum + to - from, 0);
  const blockSec = Math.max(least, usableSec / mostBlocks);
  const blocks = blocksOf(usable, blockSec);
  const level = median(blocks.length === 0 ? [0] : blocks.map(({ y }) => y));
  const threshold = Math.max(quantity.leastChange, quantity.leastShare * level);
  const whole = { quantity, blockSec, blocks, threshold, level };
  if (blocks.length < leastBlocks) return { ...whole, views: [] };
  const boots = [...Map.groupBy(blocks, ({ boot }) => boot).values()];
  const cuts = boots.length > 1 ? [boots, [blocks]] : [boots];
  const views = cuts.flatMap((cut) => {
    const segments = cut.map((part) => part.map((one) => pointOf(one, scale(quantity, one.y))));
    const controls = quantity.isTime ? controlsOf(cut) : undefined;
    const rest = controls === undefined ? segments : withoutControl(segments, controls);
    const plain = counted(segments);
    const adjusted = counted(rest);
    const later = counted(rest.map(laterHalf));
    if (plain === undefined || adjusted === undefined || later === undefined) return [];
    return [
      { plain, adjusted, later, control: controls && counted(controls), leastStep: leastStepOf(segments) },
    ];
  });
  return { ...whole, views };
}

/** The time is that of the usual segment: a boot ends what rose during it. */
function counted(segments: readonly Segment[]): Counted | undefined {
  const trend = trendOf(segments);
  if (trend === undefined) return undefined;
  return {
    trend,
    stepsPValue: stepsPValue(segments),
    lengthSec: median(segments.map((one) => (one.at(-1)?.t ?? 0) - (one[0]?.t ?? 0))),
  };
}

function laterHalf(segment: Segment): Segment {
  const middle = ((segment[0]?.t ?? 0) + (segment.at(-1)?.t ?? 0)) / 2;
  return segment.filter(({ t }) => t >= middle);
}

/** Of the usual lowest values of the quarters, which moments of higher use do not raise. */
function leastStepOf(segments: readonly Segment[]): number {
  const steps = [2, 3].map((quarter) =>
    median(
      segments.map((segment) => {
        const from = segment[0]?.t ?? 0;
        const lengthSec = (segment.at(-1)?.t ?? 0) - from;
        const floorOf = (which: number): number =>
          lowerQuartile(
            segment
              .filter(({ t }) => Math.min(3, Math.floor((4 * (t - from)) / lengthSec)) === which)
              .map(({ y }) => y),
          );
        return floorOf(quarter) - floorOf(quarter - 1);
      }),
    ),
  );
  return Math.min(...steps);
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

/** Blocks of equal length within each boot; a shorter rest is part of the last one. */
function blocksOf(usable: readonly Stretch[], blockSec: number): Stretch[] {
  const filled = mergeNeighbours(usable, (a, b) =>
    a.boot === b.boot && a.to - a.from < blockSec * 0.99 && b.to - a.from < blockSec * 1.5
      ? join(a, b)
      : undefined,
  );
  return filled.filter(({ from, to }) => to - from >= blockSec / 2);
}

/** A busy machine multiplies times: they are compared by their logarithms. */
function scale({ isTime }: Quantity, value: number): number {
  return isTime ? Math.log(Math.max(value, Number.MIN_VALUE)) : value;
}

/** A difference on the scale of the quantity as a difference of its values. */
function unscaled({ quantity, level }: Measured, difference: number): number {
  return quantity.isTime ? level * Math.expm1(difference) : difference;
}

const pointOf = ({ from, to }: Stretch, y: number): Segment[number] => ({ t: (from + to) / 2, y });

/**
 * Whether the control rises too, by a quarter as much or more: other work on the machine of the harness that began in the
 * middle slows down some quantities more than the control, and its trend shows only there.
 */
function risesWith(control: Counted, plain: Counted): boolean {
  const rise = ({ trend, lengthSec }: Counted): number => trend.slope * lengthSec;
  return control.trend.pValue < plainAlpha && rise(control) >= rise(plain) / controlCounts;
}

/** The control beside each block; undefined where it was not measured all the time. */
function controlsOf(cut: readonly (readonly Stretch[])[]): readonly Segment[] | undefined {
  if (cut.flat().some(({ control }) => control === undefined || control <= 0)) return undefined;
  return cut.map((part) => part.map((one) => pointOf(one, Math.log(one.control ?? 1))));
}

/**
 * The quantity without what moves with the control: both are compared as deviations from their own trend, which leaves
 * a trend of the quantity alone untouched.
 */
function withoutControl(segments: readonly Segment[], controls: readonly Segment[]): readonly Segment[] {
  let squares = 0;
  let products = 0;
  for (const [index, segment] of segments.entries()) {
    const x = detrended(controls[index] ?? []);
    for (const [at, y] of detrended(segment).entries()) {
      squares += (x[at] ?? 0) ** 2;
      products += (x[at] ?? 0) * y;
    }
  }
  const power = squares === 0 ? 0 : Math.max(0, products / squares);
  return segments.map((segment, index) =>
    segment.map(({ t, y }, at) => ({ t, y: y - power * (controls[index]?.[at]?.y ?? 0) })),
  );
}

function detrended(segment: Segment): number[] {
  const slope = trendOf([segment])?.slope ?? 0;
  const rest = segment.map(({ t, y }) => y - slope * t);
  const middle = rest.length === 0 ? 0 : median(rest);
  return rest.map((one) => one - middle);
}

function finding(
  measured: Measured,
  adjustedPValues: readonly number[],
  { alpha, warmUpSec }: TrendRules,
): SoakFinding {
  const { quantity, blockSec, blocks, threshold, views } = measured;
  const { id, series } = quantity;
  const { title, unit } = series;
  const base = { id, title, unit };
  if (views.length === 0) {
    const needsMinutes = roundUp((warmUpSec + (leastBlocks + 1) * blockSec) / 60);
    const text = `${blocks.length} blocks of ${round(blockSec)} s after the warm-up; at least ${leastBlocks} are needed`;
    return { ...base, verdict: "inconclusive", text, needsMinutes };
  }
  const { isTime } = quantity;
  const trends = views.map(
    (
      { plain, adjusted, later, control, leastStep },
      index,
    ): SoakTrend & { isRise: boolean; isExplained: boolean } => {
      const over = (slope: number, { lengthSec }: Counted): number => unscaled(measured, slope * lengthSec);
      const changeOf = (one: Counted): number => over(one.trend.slope, one);
      const lowOf = (one: Counted): number => over(one.trend.low, one);
      const rises = (one: Counted): boolean =>
        changeOf(one) >= threshold && (!isTime || lowOf(one) >= threshold / 2);
      const continues = isTime
        ? changeOf(later) >= threshold / 4
        : lowOf(later) >= threshold / 8 && leastStep >= threshold / 4;
      // What the control explains is known to a part only: of a small rest of it nothing follows.
      const isOwn =
        rises(adjusted) &&
        changeOf(adjusted) >= changeOf(plain) / 2 &&
        !(control !== undefined && risesWith(control, plain));
      const adjustedPValue = adjustedPValues[index] ?? 1;
      const isPlain = !isTime || plain.trend.pValue < plainAlpha;
      const shown = isTime ? adjusted : later;
      return {
        minutes: round(shown.lengthSec / 60),
        blocks: shown.trend.count,
        blockSec: round(blockSec),
        change: round(changeOf(shown)),
        low: round(lowOf(shown)),
        high: round(over(shown.trend.high, shown)),
        threshold: round(threshold),
        pValue: shown.trend.pValue,
        adjustedPValue,
        inflation: round(shown.trend.inflation),
        isRise: adjustedPValue < alpha && isPlain && rises(plain) && isOwn && continues,
        isExplained: plain.trend.pValue < alpha && rises(plain) && !isOwn,
      };
    },
  );
  const [worst] = trends.toSorted(
    (a, b) => Number(b.isRise) - Number(a.isRise) || a.adjustedPValue - b.adjustedPValue,
  );
  if (worst === undefined) throw new Error(`${id}: no trend`);
  const { isRise, isExplained, ...trend } = worst;
  const { change, low, high, minutes } = trend;
  const range = `${signed(low)} to ${signed(high)} ${unit} with 95 % confidence`;
  if (isRise) {
    const perHour = round((change / minutes) * 60);
    const text = `rises by ${change} ${unit} in ${minutes} min (${range}), ${perHour} ${unit} an hour`;
    return { ...base, verdict: "fail", text, trend };
  }
  if (isExplained) {
    const text = `rises, as does the answer time of the control: the machine of the harness became slower`;
    return {
      ...base,
      verdict: "inconclusive",
      text,
      trend,
      needsMinutes: roundUp(2 * minutes + warmUpSec / 60),
    };
  }
  const relevant = relevantThresholds * threshold;
  // A rise that counts and is not proven is not excluded either.
  if (high > relevant || change >= threshold) {
    // The interval of the whole time shrinks with the root of the time.
    const wholeMinutes = isTime ? minutes : 2 * minutes;
    const growth = 1.5 * Math.max(1, ((high - low) / 2 / relevant) ** 2);
    const wanted = roundUp(growth * wholeMinutes + warmUpSec / 60);
    const text = `no rise beyond noise, but one of up to ${high} ${unit} in ${minutes} min cannot be excluded`;
    if (wanted > longestUsefulMinutes)
      return {
        ...base,
        verdict: "inconclusive",
        text: `${text}: other load makes the times too uneven`,
        trend,
      };
    return { ...base, verdict: "inconclusive", text, trend, needsMinutes: wanted };
  }
  return { ...base, verdict: "pass", text: `no rise beyond noise in ${minutes} min: ${range}`, trend };
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function roundUp(minutes: number): number {
  return Math.ceil(minutes);
}
