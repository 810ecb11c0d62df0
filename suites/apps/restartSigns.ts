// Whether a gateway shows that an app passes through a start, and thus a restart.
import { sameValue } from "../../harness/index.ts";

/** An activity of an app in one answer. */
export interface Reading {
  readonly atMs: number;
  readonly activity: object;
}

/** A start that shows its passage for so long does not show that of a restart too briefly to be read. */
const longPassageMs = 1000;

/**
 * Whether the readings of a start show an activity between its two ends. A short one might escape the readings of a restart:
 * it counts only where stop and start are recorded as events, too.
 */
export function showsRestarts({
  readings,
  ends,
  areRecorded,
}: {
  readonly readings: readonly Reading[];
  readonly ends: readonly object[];
  readonly areRecorded: boolean;
}): boolean {
  const passing = readings.filter(({ activity }) => !ends.some((end) => sameValue(end, activity)));
  const [first, last] = [passing[0], passing.at(-1)];
  if (first === undefined || last === undefined) return false;
  return areRecorded || last.atMs - first.atMs >= longPassageMs;
}
