import { expect, test } from "vitest";
import golden from "./trend.golden.json" with { type: "json" };
import { upperTail } from "../gate/statistics.ts";
import { holm, kendall, stepsPValue, theilSen, trendOf } from "./trend.ts";

test.for(golden.cases)(
  "slope, interval and test agree with scipy: $name",
  ({ t, y, slope, low, high, p }) => {
    const segment = t.map((at, index) => ({ t: at, y: y[index] ?? 0 }));
    const { s, variance } = kendall([segment]);
    const found = theilSen([segment], Math.sqrt(variance));
    expect(found.slope).toBeCloseTo(slope, 9);
    expect(found.low).toBeCloseTo(low, 9);
    expect(found.high).toBeCloseTo(high, 9);
    expect(2 * upperTail(Math.abs(s) / Math.sqrt(variance))).toBeCloseTo(p, 6);
  },
);

test("values of different segments are not compared: a step between two boots is no trend", () => {
  const noise = [0.3, -0.2, 0.1, -0.4, 0.2, 0, -0.1, 0.4];
  const boot = (level: number, from: number) => noise.map((y, index) => ({ t: from + index, y: level + y }));
  const apart = trendOf([boot(10, 0), boot(20, 8)]);
  const together = trendOf([[...boot(10, 0), ...boot(20, 8)]]);
  expect(Math.abs(apart?.slope ?? 1)).toBeLessThan(0.1);
  expect(together?.slope).toBeGreaterThan(0.5);
});

test("neighbours that deviate alike widen the variance", () => {
  const waves = Array.from({ length: 30 }, (_, t) => ({ t, y: Math.sin(t / 3) }));
  const alternating = Array.from({ length: 30 }, (_, t) => ({ t, y: t % 2 }));
  expect(trendOf([waves])?.inflation).toBeGreaterThan(3);
  expect(trendOf([alternating])?.inflation).toBe(1);
});

test("steps agree with Student's t of scipy, and noise around a level shows no rise", () => {
  const ys = [0, 0.4, 0.3, 0.9, 1.1, 1, 1.6, 2.1, 1.9, 2.4];
  const walk = ys.map((y, t) => ({ t, y }));
  // scipy.stats.ttest_1samp(numpy.diff(ys), 0, alternative="greater")
  expect(stepsPValue([walk])).toBeCloseTo(0.019_39, 3);
  expect(stepsPValue([walk.map(({ t, y }) => ({ t, y: -y }))])).toBeGreaterThan(0.98);
  expect(stepsPValue([walk.map(({ t }) => ({ t, y: t % 2 }))])).toBeGreaterThan(0.3);
});

test("Holm multiplies each p-value by the number of those that are not smaller", () => {
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
});
