// Many values in one small record: percentiles and a histogram with classes of equal ratio.
import type { Distribution } from "./figures.ts";

const classesPerDecade = 10;
const percents = [50, 90, 99, 99.9, 100];

/** A value and its number of occurrences. */
export type Counted = readonly [value: number, count: number];

/** The distribution of the values; undefined without values. Values up to 0.1 lie in one class. */
export function distributionOf(
  name: string,
  unit: string,
  values: Iterable<Counted>,
): Distribution | undefined {
  const sorted = [...values].toSorted(([a], [b]) => a - b);
  const min = sorted[0]?.[0];
  const max = sorted.at(-1)?.[0];
  if (min === undefined || max === undefined) return undefined;
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const percentile = (percent: number): number => {
    let left = Math.ceil((percent / 100) * total);
    return sorted.find(([, count]) => (left -= count) <= 0)?.[0] ?? max;
  };
  const classes = new Map<number, number>();
  for (const [value, count] of sorted) {
    const end = classEnd(value);
    classes.set(end, (classes.get(end) ?? 0) + count);
  }
  return {
    name,
    unit,
    count: total,
    min: rounded(min),
    max: rounded(max),
    percentiles: percents.map((percent) => [percent, rounded(percentile(percent))]),
    classes: [...classes],
  };
}

const smallestEnd = 0.1;

/** Upper end of the class of the value: 1, 1.259, 1.585 and so on to 10. */
function classEnd(value: number): number {
  // A value that is an end belongs below it, and logarithms are not exact.
  const step = Math.ceil(Math.log10(Math.max(smallestEnd, value)) * classesPerDecade - 1e-9);
  return Number((10 ** (step / classesPerDecade)).toPrecision(4));
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
