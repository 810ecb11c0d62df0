import { expect, test } from "vitest";
import { budgetsOf } from "./budgets.ts";

test("a machine without emulation has the waits and limits of the profile", () => {
  expect(budgetsOf({ bootMs: 1500, slowness: 1 })).toMatchObject({ patience: 1, throughputShare: 1 });
});

test("waits and limits follow the measured pace", () => {
  const fast = budgetsOf({ bootMs: 12_000, slowness: 20 });
  const slow = budgetsOf({ bootMs: 24_000, slowness: 40 });
  expect(fast).toMatchObject({ patience: 4, throughputShare: 0.05, rebootDelayToleranceSec: 2.5 });
  expect(slow).toMatchObject({
    patience: 2 * fast.patience,
    throughputShare: fast.throughputShare / 2,
    bootDeadlineMs: 2 * fast.bootDeadlineMs,
    deviceTimeoutMs: 2 * fast.deviceTimeoutMs,
  });
});

test("a reboot at once is outside the band of the slowest machine", () => {
  expect(budgetsOf({ bootMs: 90_000, slowness: 200 }).rebootDelayToleranceSec).toBeLessThan(5);
});

test("the gateway gets a timeout for its field devices in whole milliseconds", () => {
  expect(budgetsOf({ bootMs: 12_861.41, slowness: 21.238 })).toMatchObject({
    bootDeadlineMs: 77_169,
    deviceTimeoutMs: 1593,
  });
});
