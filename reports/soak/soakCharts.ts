// The curves of a soak, each on the same time axis, with the events as lines across it.
import * as Plot from "@observablehq/plot";
import type { SoakEvent, SoakSeries } from "../../record/index.ts";
import type { Draw } from "../html/charts/gallery.ts";

/** Time axis that all pictures of the page share. */
export interface TimeAxis {
  readonly endSec: number;
  readonly events: readonly SoakEvent[];
}

/** Events that explain a step in a curve. */
const crossing: ReadonlySet<SoakEvent["kind"]> = new Set([
  "ordered-reboot",
  "unordered-restart",
  "unreachable",
  "interruption",
]);

export const eventWords: Readonly<Record<SoakEvent["kind"], string>> = {
  "ordered-reboot": "ordered reboot",
  "unordered-restart": "restart that nobody ordered",
  unreachable: "no answer",
  "stream-ended": "streams ended",
  "change-deviation": "change lost, repeated or out of order",
  "event-lost": "event lost",
  error: "request not accepted",
  interruption: "interruption",
  note: "note",
};

const marginLeftPx = 56;

/** Minutes up to three hours, else hours. */
function scaleOf({ endSec }: TimeAxis): { readonly unit: string; readonly seconds: number } {
  return endSec > 3 * 3600 ? { unit: "hours", seconds: 3600 } : { unit: "minutes", seconds: 60 };
}

const axisOf = (axis: TimeAxis, isNarrow: boolean): Plot.ScaleOptions => {
  const { unit, seconds } = scaleOf(axis);
  return {
    domain: [0, Math.max(0.001, axis.endSec / seconds)],
    label: `${unit} of soak`,
    ticks: isNarrow ? 4 : 10,
  };
};

/** A stretch is a step; a gap of the soak is a gap of the line. */
export function seriesChart({ points, unit }: SoakSeries, axis: TimeAxis): Draw {
  const { seconds } = scaleOf(axis);
  const line = points.map(([from, to, y]) => ({ x: (from + to) / 2 / seconds, y }));
  const rules = axis.events.filter(({ kind }) => crossing.has(kind));
  return ({ isNarrow }) => ({
    height: isNarrow ? 170 : 190,
    marginLeft: marginLeftPx,
    marginTop: 18,
    marginBottom: 36,
    x: axisOf(axis, isNarrow),
    y: { label: unit, grid: true, ticks: 4, nice: true },
    marks: [
      Plot.ruleX(rules, {
        x: ({ sec }: SoakEvent) => sec / seconds,
        stroke: ({ kind }: SoakEvent) => (kind === "ordered-reboot" ? "var(--rest)" : "var(--fail)"),
        strokeDasharray: "3 3",
      }),
      Plot.lineY(line, { x: "x", y: "y", stroke: "var(--link)", strokeWidth: 1.5 }),
      ...(line.length < 60 ? [Plot.dot(line, { x: "x", y: "y", r: 2, fill: "var(--link)" })] : []),
    ],
  });
}

/** A lane for each kind of event. */
export function eventChart(axis: TimeAxis): Draw {
  const { seconds } = scaleOf(axis);
  const lanes = [...new Set(axis.events.map(({ kind }) => eventWords[kind]))];
  return ({ isNarrow }) => ({
    height: lanes.length * (isNarrow ? 40 : 28) + 50,
    marginLeft: marginLeftPx,
    marginTop: isNarrow ? 26 : 18,
    marginBottom: 36,
    x: axisOf(axis, isNarrow),
    y: { type: "band", domain: lanes, axis: null },
    marks: [
      Plot.ruleY(lanes, { stroke: "var(--line)" }),
      Plot.text(lanes, {
        y: (words: string) => words,
        text: (words: string) => words,
        frameAnchor: "left",
        textAnchor: "start",
        dy: -11,
        fill: "var(--text)",
      }),
      Plot.dot(axis.events, {
        x: ({ sec }: SoakEvent) => sec / seconds,
        y: ({ kind }: SoakEvent) => eventWords[kind],
        r: 4,
        fill: ({ kind }: SoakEvent) =>
          kind === "ordered-reboot" || kind === "note" ? "var(--rest)" : "var(--fail)",
        title: ({ text }: SoakEvent) => text,
      }),
    ],
  });
}
