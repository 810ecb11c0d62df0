// Measured intervals over the band between the limits: one row for each repetition, then one for each observer.
import * as Plot from "@observablehq/plot";
import type { Measurement } from "../../../record/index.ts";
import { measurementText } from "../../text/measurementText.ts";
import { clip, oneLine } from "../../text/visibleText.ts";
import type { Draw } from "./gallery.ts";

export interface IntervalRow {
  /** Name of the row: its repetition or its case. */
  readonly label: string;
  readonly measurement: Measurement;
}

interface Line {
  readonly key: string;
  readonly label: string;
  readonly low: number;
  readonly high: number;
  readonly tone: string;
  readonly isObserver: boolean;
  readonly words: string;
  readonly limitLow: number | undefined;
  readonly limitHigh: number | undefined;
}

const rowHeightPx = 22;
const charPx = 6.6;
const bandBeyondBarPx = 4;
const widestLabelPx = 320;
const tones = {
  inside: "var(--pass)",
  outside: "var(--fail)",
  "overlaps a limit": "var(--open)",
  "no limit": "var(--text)",
} as const;

/** Rows of one quantity with the same unit; each has its own limits. */
export function intervalChart(rows: readonly IntervalRow[], withObservers: boolean): Draw {
  const lines = rows.flatMap((row, index) => linesOf(row, index, withObservers));
  const labels = new Map(lines.map(({ key, label }) => [key, label]));
  const unit = rows[0]?.measurement.unit ?? "";
  const { from, to } = rangeOf(rows, lines);
  return ({ isNarrow }) => {
    const labelPx = Math.min(
      widestLabelPx,
      16 + charPx * Math.max(0, ...[...labels.values()].map((text) => text.length)),
    );
    const marginLeft = isNarrow ? 8 : labelPx;
    const heightPx = rowHeightPx * (isNarrow ? 1.7 : 1);
    return {
      height: lines.length * heightPx + 44,
      marginLeft,
      marginRight: 12,
      marginTop: 6,
      marginBottom: 38,
      x: { domain: [from, to], label: unit, ticks: isNarrow ? 5 : 9, tickSize: 4 },
      y: { type: "band", domain: lines.map(({ key }) => key), padding: isNarrow ? 0.6 : 0.35, axis: null },
      marks: [
        ...bands(lines, from, to, isNarrow ? 2 : bandBeyondBarPx),
        Plot.barX(lines, {
          x1: "low",
          x2: "high",
          y: "key",
          fill: "tone",
          fillOpacity: (line: Line) => (line.isObserver ? 0.35 : 0.85),
          title: "words",
        }),
        // A bar narrower than a pixel would be invisible.
        Plot.tickX(lines, { x: "low", y: "key", stroke: "tone", strokeWidth: 2 }),
        Plot.tickX(lines, { x: "high", y: "key", stroke: "tone", strokeWidth: 2 }),
        Plot.text(lines, {
          y: "key",
          text: (line: Line) => clip(line.label, isNarrow ? 48 : Math.floor((widestLabelPx - 16) / charPx)),
          frameAnchor: "left",
          textAnchor: isNarrow ? "start" : "end",
          dx: isNarrow ? 0 : -8,
          dy: isNarrow ? -heightPx * 0.4 : 0,
          fill: (line: Line) => (line.isObserver ? "var(--soft)" : "var(--text)"),
        }),
      ],
    };
  };
}

function linesOf({ label, measurement }: IntervalRow, index: number, withObservers: boolean): Line[] {
  const { measured, allowed, relation } = measurementText(measurement);
  const { seenBy = [], limitLow, limitHigh } = measurement;
  const own: Line = {
    key: `${index}`,
    label: oneLine(label),
    low: measurement.low,
    high: measurement.high,
    tone: tones[relation],
    isObserver: false,
    words: `${oneLine(label)}: ${measured}, limits ${allowed}`,
    limitLow,
    limitHigh,
  };
  if (!withObservers) return [own];
  const observers = seenBy.map(({ observer, low, high }, place) => ({
    key: `${index}.${place}`,
    label: oneLine(observer),
    low,
    high,
    tone: "var(--soft)",
    isObserver: true,
    words: `${oneLine(observer)}: ${measurementText({ ...measurement, low, high }).measured}`,
    limitLow,
    limitHigh,
  }));
  return [own, ...observers];
}

/** Each row has its own band: a limit may depend on the time of the request. */
function bands(lines: readonly Line[], from: number, to: number, beyondPx: number): Plot.Markish[] {
  const limited = lines.filter(
    ({ limitLow, limitHigh }) => limitLow !== undefined || limitHigh !== undefined,
  );
  const ends = limited.flatMap(({ key, limitLow, limitHigh }) =>
    [limitLow, limitHigh].flatMap((limit) => (limit === undefined ? [] : [{ key, limit }])),
  );
  return [
    Plot.barX(limited, {
      x1: ({ limitLow }: Line) => limitLow ?? from,
      x2: ({ limitHigh }: Line) => limitHigh ?? to,
      y: "key",
      fill: "var(--band)",
      insetTop: -beyondPx,
      insetBottom: -beyondPx,
    }),
    Plot.tickX(ends, {
      x: "limit",
      y: "key",
      stroke: "var(--pass)",
      strokeDasharray: "3 2",
      insetTop: -beyondPx,
      insetBottom: -beyondPx,
    }),
  ];
}

function rangeOf(rows: readonly IntervalRow[], lines: readonly Line[]): { from: number; to: number } {
  const ends = [
    ...rows.flatMap(({ measurement: { limitLow, limitHigh } }) => [limitLow, limitHigh]),
    ...lines.flatMap(({ low, high }) => [low, high]),
  ].filter((end): end is number => Number.isFinite(end));
  const lowest = Math.min(...ends);
  const highest = Math.max(...ends);
  const margin = (highest - lowest) * 0.08 || Math.abs(highest) * 0.1 || 1;
  return { from: lowest >= 0 ? Math.max(0, lowest - margin) : lowest - margin, to: highest + margin };
}
