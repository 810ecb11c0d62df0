// Entries around a restart: a lane for each source, marks on a common time axis.
import * as Plot from "@observablehq/plot";
import type { Timeline } from "../../../record/index.ts";
import { clip, oneLine } from "../../text/visibleText.ts";
import type { Draw } from "./gallery.ts";

interface Mark {
  readonly who: string;
  readonly sec: number;
  readonly fromSec: number;
  readonly words: string;
}

const laneHeightPx = 26;
const wordsCharacters = 120;
/** Marks closer together than this are merged. */
const apartPx = 2;

export function timelineChart({ entries }: Timeline): Draw {
  const lanes = [...new Set(entries.map(({ who }) => who))];
  const endSec = Math.max(0.001, ...entries.map(({ atMs }) => atMs / 1000));
  return ({ widthPx, isNarrow }) => {
    const marks = apart(entries.map(markOf), (endSec * apartPx) / widthPx);
    const spans = marks.filter(({ fromSec, sec }) => sec > fromSec);
    return {
      height: lanes.length * laneHeightPx * (isNarrow ? 1.5 : 1) + 44,
      marginLeft: isNarrow ? 10 : 150,
      marginRight: 16,
      marginTop: 8,
      marginBottom: 38,
      x: {
        domain: [0, endSec],
        label: "seconds since the first entry",
        ticks: isNarrow ? 5 : 10,
        tickSize: 4,
      },
      y: { type: "band", domain: lanes, axis: null },
      marks: [
        Plot.ruleY(lanes, { stroke: "var(--line)" }),
        Plot.link(spans, {
          x1: "fromSec",
          x2: "sec",
          y: "who",
          stroke: "var(--open)",
          strokeWidth: 6,
        }),
        Plot.dot(marks, {
          x: "sec",
          y: "who",
          r: 3.5,
          fill: "var(--link)",
          // A phone has no pointer that hovers.
          ...(isNarrow ? {} : { title: "words" }),
        }),
        Plot.text(lanes, {
          y: (who: string) => who,
          text: (who: string) => clip(oneLine(who), 22),
          frameAnchor: "left",
          textAnchor: isNarrow ? "start" : "end",
          dx: isNarrow ? 0 : -12,
          dy: isNarrow ? -12 : 0,
          fill: "var(--text)",
        }),
      ],
    };
  };
}

function markOf({ atMs, who, what, uncertainMs = 0 }: Timeline["entries"][number]): Mark {
  const sec = atMs / 1000;
  return {
    who,
    sec,
    fromSec: Math.max(0, (atMs - uncertainMs) / 1000),
    words: `${sec.toFixed(3)} s ${oneLine(who)}: ${clip(oneLine(what), wordsCharacters)}`,
  };
}

/** Polling adds hundreds of marks at one position; only the first of each position is drawn. */
function apart(marks: readonly Mark[], leastSec: number): Mark[] {
  const last = new Map<string, number>();
  return marks.filter(({ who, sec, fromSec }) => {
    const before = last.get(who);
    if (fromSec === sec && before !== undefined && sec - before < leastSec) return false;
    last.set(who, sec);
    return true;
  });
}
