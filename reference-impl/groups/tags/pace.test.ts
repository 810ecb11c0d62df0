import { expect, test } from "vitest";
import type { Clock } from "../../base/clock.ts";
import { every } from "./pace.ts";

/** A clock whose timers fire as late as told. */
function lateClock(lateMs: readonly number[]): Clock & { run(): void } {
  let nowMs = 0;
  let pending: { dueMs: number; action: () => void } | undefined;
  let fired = 0;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    onStep: () => ({ [Symbol.dispose]: () => undefined }),
    after(delayMs, action) {
      pending = { dueMs: nowMs + delayMs, action };
      return { [Symbol.dispose]: () => (pending = undefined) };
    },
    run() {
      for (; fired < lateMs.length && pending !== undefined; fired++) {
        const { dueMs, action } = pending;
        nowMs = dueMs + (lateMs[fired] ?? 0);
        action();
      }
    },
  };
}

function times(lateMs: readonly number[]): number[] {
  const clock = lateClock(lateMs);
  const seen: number[] = [];
  using _pace = every(clock, 100, () => seen.push(clock.monotonicMs()));
  clock.run();
  return seen;
}

test("timers that fire late do not add up", () => {
  expect(times([30, 10, 0, 40])).toEqual([130, 210, 300, 440]);
});

test("a short stall is caught up; after a long one the pace begins anew", () => {
  expect(times([250, 0, 0, 0])).toEqual([350, 350, 350, 400]);
  expect(times([5000, 0, 0])).toEqual([5100, 5200, 5300]);
});

test("no action runs after the end, even when the action itself ends it", () => {
  const clock = lateClock([0, 0, 0]);
  let count = 0;
  const pace = every(clock, 100, () => {
    count += 1;
    if (count === 2) pace[Symbol.dispose]();
  });
  clock.run();
  expect(count).toBe(2);
});
