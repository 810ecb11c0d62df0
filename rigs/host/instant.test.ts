import { expect, test } from "vitest";
import { machineMs, machineOffsetMs, offsetBetween } from "./instant.ts";

test("the difference of two clocks is read between two waits for the processor", () => {
  let trueMs = 0;
  let reads = 0;
  // Each reading takes a little; after some of them the process stands still for a while.
  const read = (shownMoreMs: number) => () => {
    trueMs += 0.001;
    const shown = trueMs + shownMoreMs;
    if (reads++ % 13 !== 0) return shown;
    trueMs += 3;
    return shown;
  };
  expect(offsetBetween(read(5000), read(0))).toBeCloseTo(5000, 2);
});

test("an instant of this process is shown by the clock of the machine", () => {
  const before = machineMs();
  const shown = performance.now() + machineOffsetMs;
  const after = machineMs();
  expect(shown).toBeGreaterThan(before - 0.1);
  expect(shown).toBeLessThan(after + 0.1);
});
