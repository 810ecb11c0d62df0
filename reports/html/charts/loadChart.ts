// Loss over the rate of changes, for each number of clients.
import * as Plot from "@observablehq/plot";
import type { LoadTrial } from "../../../record/index.ts";
import type { Draw } from "./gallery.ts";

/** Share of the values that no client received, in percent. */
export function lossPercent({ received, lost }: LoadTrial): number {
  return received + lost === 0 ? 0 : (100 * lost) / (received + lost);
}

function isClean({ lost, repeated, disordered }: LoadTrial): boolean {
  return lost + repeated + disordered === 0;
}

export function loadChart(trials: readonly LoadTrial[]): Draw {
  const counts = [...new Set(trials.map(({ clients }) => clients))].toSorted((a, b) => a - b);
  const points = trials.map((trial) => ({ ...trial, percent: lossPercent(trial), clean: isClean(trial) }));
  const most = Math.max(...points.map(({ percent }) => percent));
  type Point = (typeof points)[number];
  return ({ isNarrow }) => ({
    height: 60 + counts.length * 110,
    marginLeft: 52,
    marginRight: isNarrow ? 66 : 90,
    marginTop: 22,
    marginBottom: 38,
    x: { label: "changes per second", zero: true, ticks: isNarrow ? 4 : 8 },
    y: { label: "lost, %", domain: [0, Math.max(1, most * 1.1)], grid: true, ticks: 4 },
    fy: {
      label: null,
      domain: counts,
      tickFormat: (clients: number) => `${clients} ${clients === 1 ? "client" : "clients"}`,
    },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line)" }),
      Plot.dot(points, {
        x: "changesPerSec",
        y: "percent",
        fy: "clients",
        r: 5,
        fill: ({ clean }: Point) => (clean ? "var(--pass)" : "var(--fail)"),
        symbol: ({ clean }: Point) => (clean ? "circle" : "times"),
        stroke: ({ clean }: Point) => (clean ? "var(--pass)" : "var(--fail)"),
        strokeWidth: 2,
        title: ({ clients, changesPerSec, percent }: Point) =>
          `${clients} clients, ${changesPerSec} changes per second: ${percent.toFixed(2)} % lost`,
      }),
    ],
    symbol: { type: "identity" },
  });
}
