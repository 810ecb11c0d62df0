import { expect, test } from "vitest";
import { judgeQuantities } from "./quantity.ts";
import { Series } from "./series.ts";
import { syntheticSoak } from "./testing/syntheticSoak.ts";

// tools/soakSimulation.ts does the same for a thousand soaks.
const rules = { warmUpSec: 240, blockSec: 10, alpha: 0.005 };
const seeds = [1, 2, 3, 4, 5];

test("noise is not reported as a rise, on a quiet machine and on a busy one", () => {
  const failed = seeds.flatMap((seed) =>
    [true, false].flatMap((hasBusyMachine) =>
      judgeQuantities(syntheticSoak({ seed, hasBusyMachine, correlation: 0.8 }), rules).filter(
        ({ verdict }) => verdict === "fail",
      ),
    ),
  );
  expect(failed).toEqual([]);
});

test("a leak of 1 MiB a minute and a drift of 3 % a minute are reported, and nothing else", () => {
  const find = (risePerMinute: number): string[] =>
    judgeQuantities(syntheticSoak({ seed: 6, risePerMinute, hasBusyMachine: false }), rules)
      .filter(({ verdict }) => verdict === "fail")
      .map(({ id }) => id);
  expect(find(1)).toContain("memory");
  expect(find(3)).toEqual(["answer-time", "memory"]);
});

test("other work that begins in the middle and slows down the gateway more than the control is inconclusive", () => {
  const findings = seeds.flatMap((seed) =>
    judgeQuantities(syntheticSoak({ seed, hasBusyMachine: false, otherWork: 1.2 }), rules),
  );
  expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  const whole = findings.filter(({ id }) => id === "answer-time").map(({ verdict }) => verdict);
  expect([...new Set(whole)]).toEqual(["inconclusive"]);
});

test("a soak that is too short says how long it needs", () => {
  const findings = judgeQuantities(syntheticSoak({ seed: 1, minutes: 6 }), rules);
  expect(findings.map(({ verdict }) => verdict)).not.toContain("fail");
  for (const { verdict, needsMinutes } of findings)
    expect({ verdict, needsMinutes }).toEqual({ verdict: "inconclusive", needsMinutes: 8 });
});

test("what fills up and then stays is no rise", () => {
  const series = new Series("memory", "MiB");
  for (let from = 0; from < 900; from += 10) {
    const y = 400 + 100 * (1 - Math.exp(-from / 100)) + (from % 30) / 30;
    series.add({ from, to: from + 10, boot: 1, counts: from >= 240, y, weight: 1 });
  }
  const memory = {
    id: "memory",
    series,
    leastChange: 4,
    leastShare: 0.01,
    isTime: false,
    family: "whole",
  } as const;
  expect(judgeQuantities([memory], rules)[0]?.verdict).toBe("pass");
});
