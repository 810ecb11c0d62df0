// One line about the soak now and then.
import type { Clock } from "../../harness/index.ts";
import type { Course } from "./course.ts";
import type { JournalLine, Sample } from "./sample.ts";

const everyMs = 60_000;

/** Reports events at once, and a sample once a minute. */
export function progressLine(
  course: Course,
  clock: Clock,
  say: (line: string) => void,
): (line: JournalLine) => void {
  let lastMs = clock.nowMs() - everyMs;
  return (line) => {
    if (line.kind === "event") say(`${timeOf(line.event.sec)}  ${line.event.kind}: ${line.event.text}`);
    if (line.kind !== "sample" || clock.nowMs() - lastMs < everyMs - 500) return;
    lastMs = clock.nowMs();
    say(`${timeOf(line.to)}  ${words(line, course)}`);
  };
}

function words(sample: Sample, { changes, restarts, operations }: Course): string {
  const calls = [...operations.values()].reduce((sum, one) => sum + one.calls, 0);
  const index = Object.entries(sample.operations).toSorted(([, a], [, b]) => b.calls - a.calls)[0];
  return [
    `${calls} requests`,
    ...(index === undefined ? [] : [`${index[0]} ${index[1].medianMs.toFixed(1)} ms`]),
    ...(sample.changes === undefined
      ? []
      : [
          `${millions(changes.received)} changes, ${changes.lost + changes.repeated + changes.disordered} deviate`,
          ...(sample.changes.medianMs === undefined
            ? []
            : [`latency ${sample.changes.medianMs.toFixed(0)} ms`]),
        ]),
    ...(sample.memoryBytes === undefined ? [] : [`memory ${(sample.memoryBytes / 2 ** 20).toFixed(1)} MiB`]),
    `harness ${(sample.harness.rssBytes / 2 ** 20).toFixed(0)} MiB`,
    `restarts ${restarts.ordered} ordered, ${restarts.unordered} not`,
  ].join(" · ");
}

function millions(count: number): string {
  return count < 1_000_000 ? String(count) : `${(count / 1e6).toFixed(2)} million`;
}

/** 3:05:00 */
function timeOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
