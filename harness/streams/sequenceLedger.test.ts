import { expect, test } from "vitest";
import { latenciesMs, latencyHistogram, SequenceLedger } from "./sequenceLedger.ts";

test("the ledger tells loss, repeats and disorder apart, and what never came", () => {
  const latencyUs = latencyHistogram();
  const changedMs = (sequence: number): number | undefined => (sequence < 10 ? sequence * 100 : undefined);
  const ledger = new SequenceLedger(2, 5, changedMs, latencyUs);
  // The first two are what the registers had before.
  for (const sequence of [3, 70_000, 5, 6, 8, 8, 7, 9]) ledger.take(0, sequence, sequence * 100 + 2);
  for (const sequence of [5, 6]) ledger.take(1, sequence, sequence * 100 + 4);
  expect(ledger.hasAll(9)).toBe(false);
  expect(ledger.close(9)).toEqual({ received: 6, lost: 1 + 1 + 3, repeated: 1, disordered: 1 });
  // One of each tag was the next in order.
  expect([...latenciesMs(latencyUs)].map(([ms, count]) => [Math.round(ms), count])).toEqual([
    [2, 1],
    [4, 1],
  ]);
});
