// Intervals of a stream: time of each value after the previous one.
import * as Plot from "@observablehq/plot";
import type { Cadence } from "../../../record/index.ts";
import type { Draw } from "./gallery.ts";

export function cadenceChart({ intervalMs, gapsMs }: Cadence): Draw {
  let sumMs = 0;
  const gaps = gapsMs.map((gapMs) => ({ sec: (sumMs += gapMs) / 1000, gapMs }));
  const most = Math.max(2 * intervalMs, ...gapsMs);
  return ({ isNarrow }) => ({
    height: isNarrow ? 170 : 190,
    marginLeft: 52,
    marginTop: 24,
    marginBottom: 38,
    x: { label: "time since the start of the stream, s", ticks: isNarrow ? 4 : 8 },
    y: { label: "ms since the previous value", domain: [0, most * 1.05], grid: true, ticks: 5 },
    marks: [
      Plot.ruleY([intervalMs], { stroke: "var(--pass)", strokeDasharray: "4 3" }),
      Plot.dot(gaps, {
        x: "sec",
        y: "gapMs",
        r: 2.5,
        fill: "var(--link)",
        title: ({ sec, gapMs }: { sec: number; gapMs: number }) => `at ${sec.toFixed(1)} s: ${gapMs} ms`,
      }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
    ],
  });
}
