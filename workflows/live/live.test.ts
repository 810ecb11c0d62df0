import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { monotonicClock } from "../../harness/clock.ts";
import { StreamMeter } from "../../harness/transport/streamMeter.ts";
import { Follower } from "./follow.ts";
import { LiveLog, liveProgress } from "./liveLog.ts";
import { readLive } from "./readLive.ts";

const finished = {
  id: "a/b",
  verdict: "fail",
  durationMs: 5,
  reason: "expected 1, observed 2",
  decided: [],
} as const;

test("a run is followed while it goes, its secrets masked, and half a line is no event", async () => {
  await using folder = await temporaryFolder();
  using follower = new Follower(folder.path, monotonicClock);
  using log = new LiveLog(folder.path, monotonicClock);
  const progress = liveProgress(log);
  log.tell({ kind: "campaign", gateway: "left", level: "smoke", selection: "" });
  progress.planned(2);
  progress.started("a/b");
  log.tell({
    kind: "console",
    lines: ['sent {"password":"hunter2"}', "Authorization: eyJhbGciOiJI.eyJzdWIi.c2ln"],
  });
  await vi.waitFor(() => expect(follower.state.runs[0]?.running).toMatchObject([{ case: "a/b" }]), {
    timeout: 10_000,
  });
  const { id, verdict, durationMs, reason, decided } = finished;
  log.tell({ kind: "finished", case: id, verdict, durationMs, reason, decided: [...decided] });
  progress.streamed({ valuesPerSec: 640, latencyMs: { median: 12, highest: 40 } });
  await appendFile(join(folder.path, "live.jsonl"), '{"at":1,"kind":"ended","te');
  await vi.waitFor(() => expect(follower.state.runs[0]?.streams).toHaveLength(1), { timeout: 10_000 });
  expect(follower.state).toMatchObject({
    turns: [],
    runs: [
      {
        gateway: "left",
        planned: 2,
        done: 1,
        counts: { fail: 1 },
        running: [],
        open: [{ case: "a/b", verdict: "fail", reason }],
        console: ['sent {"password":"********"}', "Authorization: ********"],
        streams: [{ valuesPerSec: 640, latencyMs: { median: 12, highest: 40 } }],
      },
    ],
  });
  expect(follower.state.ended).toBeUndefined();
  expect((await readLive(folder.path)).map((event) => event.kind)).toEqual([
    "campaign",
    "planned",
    "started",
    "console",
    "finished",
    "stream",
  ]);
});

test("a night is followed into running campaigns, and out of finished ones", async () => {
  await using folder = await temporaryFolder();
  using follower = new Follower(folder.path, monotonicClock);
  using night = new LiveLog(folder.path, monotonicClock);
  using run = new LiveLog(join(folder.path, "left/attempt-1"), monotonicClock);
  run.tell({ kind: "campaign", gateway: "left", level: "smoke", selection: "" });
  night.tell({ kind: "turn", gateway: "left", state: "running", folder: "left/attempt-1", attempt: 1 });
  night.tell({ kind: "turn", gateway: "right", state: "waiting" });
  await vi.waitFor(() => expect(follower.state.runs.map(({ gateway }) => gateway)).toEqual(["left"]), {
    timeout: 10_000,
  });
  night.tell({ kind: "turn", gateway: "left", state: "done", note: "conformant" });
  night.tell({ kind: "ended", text: "exit code 0" });
  await vi.waitFor(() => expect(follower.state.ended).toBe("exit code 0"), { timeout: 10_000 });
  expect(follower.state.runs).toEqual([]);
  expect(follower.state.turns).toEqual([
    { gateway: "left", state: "done", note: "conformant" },
    { gateway: "right", state: "waiting" },
  ]);
});

test("a meter tells the rate and the latencies of the time since it was read", () => {
  let nowMs = 0;
  const meter = new StreamMeter(() => nowMs);
  meter.add(100);
  meter.latency(1, 30);
  meter.latency(7, 10);
  meter.latency(13, 11);
  expect([meter.wantsLatency(14), meter.wantsLatency(18)]).toEqual([false, true]);
  nowMs = 500;
  expect(meter.take()).toEqual({ valuesPerSec: 200, latencyMs: { median: 11, highest: 30 } });
  nowMs = 1000;
  expect(meter.take()).toBeUndefined();
});
