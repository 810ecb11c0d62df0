// What a case says about a console that was lost while it ran.
import type { RunningGateway } from "../../rigs/index.ts";

/** One note for each gap that reaches into the time since then. */
export function gapNotes(
  { consoleGaps = [] }: Pick<RunningGateway, "consoleGaps">,
  sinceMs: number,
): string[] {
  return consoleGaps
    .filter(({ until }) => until === undefined || until.monotonicMs >= sinceMs)
    .map(({ from, until }) => {
      const start = new Date(from.epochMs).toISOString();
      if (until === undefined) return `console lost since ${start}: its lines since then are missing`;
      const lostSec = (until.monotonicMs - from.monotonicMs) / 1000;
      return `console lost from ${start} to ${new Date(until.epochMs).toISOString()} (${lostSec.toFixed(1)} s): its lines of that time are missing`;
    });
}
