// How well the observers find the instant at which a gateway goes down: against a process that says when it ended.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { monotonicClock } from "../harness/clock.ts";
import { watchForRestart } from "../harness/measurement/restartWatch.ts";
import { machineOffsetMs } from "../rigs/host/instant.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

const trials = 100;
const settleMs = 30;
const longestUpMs = 40;
const script = fileURLToPath(new URL("endingServer.ts", import.meta.url));

interface Trial {
  readonly isInside: boolean;
  readonly widthMs: number;
  readonly lateMs: number;
}

export async function benchMeasurement(): Promise<BenchRow[]> {
  const results: Trial[] = [];
  for (let number = 0; number < trials; number++) results.push(await trial(number));
  const inside = results.filter(({ isInside }) => isInside).length;
  const widths = results.map(({ widthMs }) => widthMs).toSorted((a, b) => a - b);
  const p99 = widths[Math.floor(widths.length * 0.99) - 1] ?? Number.NaN;
  const late = results.map(({ lateMs }) => lateMs).toSorted((a, b) => a - b);
  return [
    {
      what: "end of a process: intervals that hold the true instant",
      measured: `${inside} of ${trials}`,
      peer: "-",
      ratio: "-",
      limit: `at least ${trials * 0.99}`,
      outcome: outcomeOf(inside >= trials * 0.99),
    },
    {
      what: "width of the interval, 99 of 100",
      measured: `${p99.toFixed(1)} ms (median ${median(widths).toFixed(1)})`,
      peer: "-",
      ratio: "-",
      limit: "at most 10 ms",
      outcome: outcomeOf(p99 <= 10),
    },
    {
      what: "how late the end is seen",
      measured: `median ${median(late).toFixed(2)} ms, at most ${(late.at(-1) ?? Number.NaN).toFixed(1)} ms`,
      peer: "-",
      ratio: "-",
      limit: "-",
      outcome: "no limit",
    },
  ];
}

async function trial(number: number): Promise<Trial> {
  const child = execa(process.execPath, [script], {
    stdin: "pipe",
    stdout: "pipe",
    buffer: false,
    reject: false,
  });
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (lines.length === 1) resolve(Number(line));
  });
  const port = await promise;
  const signal = new AbortController().signal;
  await using watch = watchForRestart({
    clock: monotonicClock,
    url: () => new URL(`http://127.0.0.1:${port}/`),
    everyMs: 2,
    probeDeadlineMs: 1000,
    signal,
  });
  await monotonicClock.delay(settleMs + ((number * 7) % longestUpMs));
  child.stdin.write("end\n");
  const down = await watch.wentDown(5000);
  await child;
  // The child writes its last line before it ends, with the clock that all processes share.
  const trueMs = Number(lines[1]) - machineOffsetMs;
  if (down === undefined || Number.isNaN(trueMs))
    return { isInside: false, widthMs: Number.POSITIVE_INFINITY, lateMs: 0 };
  return {
    isInside: down.low <= trueMs + lastLineMs && trueMs <= down.high,
    widthMs: down.high - down.low,
    lateMs: down.high - trueMs,
  };
}

/** The end comes this much after the line that announces it, at the most. */
const lastLineMs = 2;
