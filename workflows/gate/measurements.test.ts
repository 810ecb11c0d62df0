// The gate as a detector: what it reports of streams that became slower, over many seeded nights.
import { describe, expect, test } from "vitest";
import type { CampaignRecord } from "../../record/campaign.ts";
import { type Random, seededRandom } from "../../harness/suite/random.ts";
import { campaignWith, caseWith } from "../../record/testing/campaigns.ts";
import { compareMeasurements, neededRepetitions } from "./measurements.ts";
import { withDefaults } from "./policy.ts";

interface Quantity {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly limits?: { limitLow: number; limitHigh: number };
}

const quantities: readonly Quantity[] = [
  { name: "changes kept up", unit: "1/s", value: 10_000 },
  { name: "latency p50", unit: "ms", value: 28 },
  { name: "delay", unit: "s", value: 5, limits: { limitLow: 4.5, limitHigh: 5.5 } },
  ...Array.from({ length: 17 }, (_, index) => ({ name: `other ${index}`, unit: "ms", value: 10 + index })),
];

const noise = 0.05;

/** About normal, with mean 0 and standard deviation 1: the sum of twelve even ones. */
function normal(random: Random): number {
  const steps = 1_000_000;
  return Array.from({ length: 12 }, () => random.integer(0, steps) / steps).reduce(
    (sum, one) => sum + one,
    -6,
  );
}

/** Runs whose quantities scatter around their value; some are multiplied. */
function runs(
  random: Random,
  count: number,
  factors: Readonly<Record<string, number>> = {},
): CampaignRecord[] {
  return Array.from({ length: count }, () => ({
    ...campaignWith({ level: "nightly" }),
    cases: [
      caseWith({
        id: "streams/rate",
        measurements: quantities.map(({ name, unit, value, limits }) => {
          const middle =
            value * (factors[name] ?? 1) * (1 + (limits === undefined ? noise : 0.004) * normal(random));
          return { name, unit, low: middle * 0.999, high: middle * 1.001, observers: [], ...limits };
        }),
      }),
    ],
  }));
}

const policy = withDefaults({});
const nights = 200;

/** In how many of the nights each quantity was reported. */
function reported(count: number, factors: Readonly<Record<string, number>>): Map<string, number> {
  const found = new Map<string, number>();
  for (let night = 0; night < nights; night++) {
    const random = seededRandom(night, JSON.stringify(factors));
    for (const { name, result } of compareMeasurements(
      runs(random, count, factors),
      runs(random, count),
      policy,
    )) {
      if (result === "worse") found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  return found;
}

/** Reports of quantities that did not change. */
function falseAlarms(found: ReadonlyMap<string, number>, ...changed: readonly string[]): number {
  return [...found].reduce((sum, [name, count]) => sum + (changed.includes(name) ? 0 : count), 0);
}

describe(`20 quantities with ${noise * 100} % noise, 10 repetitions, ${nights} nights`, () => {
  test("a 20 % slower stream is caught", () => {
    const found = reported(10, { "changes kept up": 0.8 });
    expect(found.get("changes kept up")).toBeGreaterThanOrEqual(nights * 0.98);
    expect(falseAlarms(found, "changes kept up")).toBeLessThanOrEqual(nights * 0.01);
  });

  test("a 2 % slower stream is not reported", () => {
    const found = reported(10, { "changes kept up": 0.98, "latency p50": 1.02 });
    expect([found.get("changes kept up"), found.get("latency p50")]).toEqual([undefined, undefined]);
  });

  test("no regression is reported for an unchanged gateway", () => {
    expect(falseAlarms(reported(10, {}))).toBeLessThanOrEqual(nights * 0.01);
  });

  test("a latency that grew is caught, one that shrank is not", () => {
    const found = reported(10, { "latency p50": 1.25, "other 3": 0.7 });
    expect(found.get("latency p50")).toBeGreaterThanOrEqual(nights * 0.98);
    expect(found.get("other 3")).toBeUndefined();
  });

  test("a delay that leaves the middle of its narrow band is caught in either direction", () => {
    expect(reported(10, { delay: 1.04 }).get("delay")).toBeGreaterThanOrEqual(nights * 0.95);
    expect(reported(10, { delay: 0.96 }).get("delay")).toBeGreaterThanOrEqual(nights * 0.95);
  });
});

test("too few repetitions are reported as such", () => {
  const needed = neededRepetitions(policy.alpha, quantities.length);
  const resultsOf = (count: number): (string | undefined)[] => {
    const random = seededRandom(1);
    const factors = { "changes kept up": 0.5 };
    return compareMeasurements(runs(random, count, factors), runs(random, count), policy)
      .filter((one) => one.name === "changes kept up")
      .map((one) => one.result);
  };
  expect(resultsOf(needed - 1)).toEqual(["too few repetitions"]);
  expect(resultsOf(needed)).toEqual(["worse"]);
});

test("a difference that lies within what the measured intervals leave open is not reported", () => {
  const samples = (middle: number, halfWidth: number): CampaignRecord[] =>
    Array.from({ length: 10 }, (_, index) => {
      const value = middle + index / 1000;
      const measured = {
        name: "delay",
        unit: "s",
        low: value - halfWidth,
        high: value + halfWidth,
        observers: [],
      };
      return campaignWith({ cases: [caseWith({ measurements: [measured] })] });
    });
  const result = (halfWidth: number): string | undefined =>
    compareMeasurements(samples(1.5, halfWidth), samples(1, halfWidth), policy)[0]?.result;
  expect([result(0.1), result(0.6)]).toEqual(["worse", "within noise"]);
});

test("a rule of the policy decides direction, threshold, and what is left out", () => {
  const random = seededRandom(2);
  const later = runs(random, 10, { "latency p50": 1.2, "other 1": 1.5, "other 2": 0.5 });
  const rules = withDefaults({
    measurements: [
      { case: "streams/*", name: "latency *", thresholdPercent: 30 },
      { name: "other 1", worse: "ignore" },
      { name: "other 2", worse: "lower" },
    ],
  });
  const comparisons = compareMeasurements(later, runs(random, 10), rules);
  expect(comparisons.filter((one) => one.result === "worse").map((one) => one.name)).toEqual(["other 2"]);
  expect(comparisons.map((one) => one.name)).not.toContain("other 1");
});
