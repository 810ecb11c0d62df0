import { monotonicClock } from "../../harness/index.ts";
import { atTime, type ExpectedFailure } from "../../workflows/expectedFailures/expectedFailures.ts";

/** Entries that are accepted now; the expired ones are named on standard error. */
export function expectedNow(expected: readonly ExpectedFailure[]): readonly ExpectedFailure[] {
  const { valid, expired } = atTime(expected, monotonicClock.epochMs());
  for (const line of expired) process.stderr.write(`rackproof: ${line}\n`);
  return valid;
}
