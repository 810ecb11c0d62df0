import type { Exchange } from "../../record/exchange.ts";
import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

const console = [{ monotonicMs: 1200, epochMs: 0, text: "board: reset, the gateway ended at 1.0 ms" }];
const sightings = [
  { observer: "process exit", what: "down", at: { low: 1180, high: 1190 }, detail: "it ended" },
] as const;

test("requests, console and equipment are put on one line in the order of their times", () => {
  const exchange: Exchange = {
    number: 3,
    operation: "setReboot",
    session: "admin",
    startedMs: 1100,
    durationMs: 20,
    request: { method: "PUT", url: "http://127.0.0.1/", headers: {} },
    answer: { status: 200, headers: {}, body: "{}", bodyBytes: 2 },
  };
  const line = timelineOf({ console, sightings }, [exchange], { fromMs: 1000, toMs: 2000 });
  expect(line?.entries.map(({ atMs, who, what }) => [atMs, who, what])).toEqual([
    [0, "harness", "setReboot sent (3)"],
    [20, "gateway", "setReboot answered 200 (3)"],
    [90, "process exit", "down: it ended"],
    [100, "console", "board: reset, the gateway ended at 1.0 ms"],
  ]);
});

test("where nothing restarted there is no line", () => {
  expect(timelineOf({ console, sightings }, [], { fromMs: 3000, toMs: 4000 })).toBeUndefined();
});
