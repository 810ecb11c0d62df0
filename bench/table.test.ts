import { expect, test } from "vitest";
import { type BenchRow, notMeasured, outcomeOf, tableOf, totalsOf } from "./table.ts";

const row = (what: string, holds: boolean): BenchRow => ({
  what,
  measured: "2/s",
  peer: "-",
  ratio: "-",
  limit: "at least 1/s",
  outcome: outcomeOf(holds),
});

test("a row whose peer is missing holds nothing and misses nothing", () => {
  const rows = [row("fast", true), row("slow", false), notMeasured("beside libmodbus", "gcc")];
  expect(tableOf(rows)).toEqual([
    "what              measured  peer          ratio  limit",
    "fast              2/s       -             -      at least 1/s  holds",
    "slow              2/s       -             -      at least 1/s  MISSED",
    "beside libmodbus  -         missing: gcc  -      -             not measured",
  ]);
  expect(totalsOf(rows)).toBe("1 holds, 1 MISSED, 1 not measured");
});
