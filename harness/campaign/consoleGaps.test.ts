import { expect, test } from "vitest";
import { gapNotes } from "./consoleGaps.ts";

const at = (sec: number) => ({ monotonicMs: sec * 1000, epochMs: Date.UTC(2026, 0, 1) + sec * 1000 });

test("a case names the gaps of the console that reach into its time", () => {
  const consoleGaps = [{ from: at(1), until: at(2) }, { from: at(9), until: at(12.5) }, { from: at(20) }];
  expect(gapNotes({ consoleGaps }, 10_000)).toEqual([
    "console lost from 2026-01-01T00:00:09.000Z to 2026-01-01T00:00:12.500Z (3.5 s): its lines of that time are missing",
    "console lost since 2026-01-01T00:00:20.000Z: its lines since then are missing",
  ]);
  expect(gapNotes({}, 0)).toEqual([]);
});
