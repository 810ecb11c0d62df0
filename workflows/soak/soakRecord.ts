// `soak.json` from the course of a soak.
import type { SoakRecord, SoakSeries } from "../../record/index.ts";
import { judgeSoak } from "./judge.ts";
import type { Course } from "./course.ts";
import type { SoakHead } from "./sample.ts";
import { join, mergeNeighbours, type Series } from "./series.ts";
import type { Mix } from "./mix.ts";

/** Points of a curve in the record; a picture shows no more. */
const mostPoints = 400;

/** Judges the course and describes it; nothing can be added to the course afterwards. */
export function soakRecord(
  head: SoakHead,
  course: Course,
  {
    mix,
    endedAt,
    interfaceName,
  }: { readonly mix: Mix; readonly endedAt: string; readonly interfaceName: string },
): SoakRecord {
  const { verdict, findings } = judgeSoak(course, mix);
  // An interval may end a moment early.
  const complete = course.soakedSec >= head.plannedSec - mix.intervalSec / 2;
  return {
    format: "rackproof/soak@1",
    suite: { version: head.suiteVersion, interface: interfaceName },
    gateway: head.gateway,
    profile: head.profile,
    seed: head.seed,
    startedAt: head.startedAt,
    endedAt,
    plannedSec: head.plannedSec,
    soakedSec: course.soakedSec,
    complete,
    verdict,
    findings,
    operations: [...course.operations]
      .map(([operation, { calls, medianSumMs, intervals, longestMs, errors }]) => ({
        operation,
        calls,
        errors: Object.fromEntries(errors),
        medianMs: intervals === 0 ? 0 : round(medianSumMs / intervals),
        longestMs: round(longestMs),
      }))
      .toSorted((a, b) => b.calls - a.calls),
    changes: course.changes,
    events: course.events,
    restarts: course.restarts,
    omitted: course.omitted,
    series: [...course.series].map(([id, series]) => shown(id, series)),
    timeline: course.timeline,
    left: course.left,
  };
}

function shown(id: string, { title, unit, points }: Series): SoakSeries {
  const lengthSec = (points.at(-1)?.to ?? 0) / mostPoints;
  const merged = mergeNeighbours(points, (a, b) =>
    a.boot === b.boot && b.to - a.from <= lengthSec ? join(a, b) : undefined,
  );
  return { id, title, unit, points: merged.map(({ from, to, y }) => [round(from), round(to), round(y)]) };
}

function round(value: number): number {
  return Number(value.toPrecision(5));
}
