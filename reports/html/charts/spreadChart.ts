// Histograms of measured times on a logarithmic axis.
import * as Plot from "@observablehq/plot";
import type { Distribution } from "../../../record/index.ts";
import type { Draw } from "./gallery.ts";

const classRatio = 10 ** 0.1;

interface Class {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function classesOf({ classes }: Pick<Distribution, "classes">): Class[] {
  return classes.map(([to, count]) => ({ from: to / classRatio, to, count }));
}

/** Range of all classes, for an axis that several histograms share. */
export function spreadRange(distributions: readonly Pick<Distribution, "classes">[]): [number, number] {
  const ends = distributions.flatMap(({ classes }) => classes.map(([end]) => end));
  return [Math.min(...ends) / classRatio, Math.max(...ends)];
}

/** A histogram with marks at some percentiles. */
export function spreadChart(distribution: Distribution): Draw {
  const domain = spreadRange([distribution]);
  const marked = distribution.percentiles.filter(([percent]) => percent === 50 || percent === 99);
  return ({ isNarrow }) => ({
    height: isNarrow ? 190 : 220,
    marginLeft: 52,
    marginTop: 26,
    marginBottom: 38,
    x: { type: "log", domain, label: distribution.unit, ticks: isNarrow ? 4 : 8, tickFormat: plain },
    y: { label: "count", grid: true, ticks: 5 },
    marks: [
      bars(distribution, {
        title: ({ from, to, count }: Class) =>
          `${plain(from)} to ${plain(to)} ${distribution.unit}: ${count}`,
      }),
      Plot.ruleX(marked, {
        x: ([, value]: [number, number]) => value,
        stroke: "var(--text)",
        strokeDasharray: "4 3",
      }),
      Plot.text(marked, {
        x: ([, value]: [number, number]) => value,
        text: ([percent]: [number, number]) => `p${percent}`,
        frameAnchor: "top",
        dy: -10,
        fill: "var(--text)",
      }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
    ],
  });
}

/** A histogram as high as a line of text, on the common axis of its table. */
export function spreadLine(distribution: Distribution, domain: [number, number]): Plot.PlotOptions {
  return {
    height: 22,
    x: { type: "log", domain },
    marks: [
      bars(distribution, { insetLeft: 0, insetRight: 0.5 }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
    ],
  };
}

function bars(distribution: Distribution, more: Plot.RectYOptions): Plot.Markish {
  const look = { x1: "from", x2: "to", y: "count", fill: "var(--link)", fillOpacity: 0.65 };
  return Plot.rectY(classesOf(distribution), { ...look, ...more });
}

function plain(value: number): string {
  return String(Number(value.toPrecision(2)));
}
