// Which turn is expected to show most about the cause of a failure, for its cost.
import type { CausePart, CauseVerdict } from "../../record/index.ts";
import { isSettled, weightOf, type Observation, oddsOf } from "./odds.ts";

/** Runs of each case in a turn. */
export const runsOfTurn = 5;
/** Further turns for one gateway. */
export const mostTurns = 4;

/** Installing another firmware, and the present one afterwards, costs more than a run. */
const costOf = (changed: readonly CausePart[]): number => (changed.join() === "firmware" ? 2 : 1);
/** Bits below which a turn is not worth its time. */
const leastGain = 0.01;

/** The possible turn with the highest gain for its cost over all cases; undefined when none is worth it. */
export function nextTurn<T extends { readonly changed: readonly CausePart[] }>(
  suspects: readonly CausePart[],
  cases: readonly (readonly Observation[])[],
  possible: readonly T[],
): T | undefined {
  const open = cases.filter((observations) => !isSettled(oddsOf(suspects, observations)));
  const rated = possible.map((turn) => {
    const gain = open.reduce((sum, observations) => sum + gainOf(suspects, observations, turn.changed), 0);
    return { turn, gain, worth: gain / costOf(turn.changed) };
  });
  return rated.filter(({ gain }) => gain >= leastGain).toSorted((a, b) => b.worth - a.worth)[0]?.turn;
}

/** Bits of uncertainty about the cause that a turn is expected to remove. */
function gainOf(
  suspects: readonly CausePart[],
  observations: readonly Observation[],
  changed: readonly CausePart[],
): number {
  const now = oddsOf(suspects, observations);
  const weights = [...now.keys()].map((cause) => weightOf(cause, observations));
  const before = weights.reduce((sum, weight) => sum + weight, 0);
  let after = 0;
  for (let failed = 0; failed <= runsOfTurn; failed++) {
    const all = [...observations, { changed, failed, passed: runsOfTurn - failed }];
    const weight = [...now.keys()].reduce((sum, cause: CauseVerdict) => sum + weightOf(cause, all), 0);
    after += ((ways(runsOfTurn, failed) * weight) / before) * bits([...oddsOf(suspects, all).values()]);
  }
  return bits([...now.values()]) - after;
}

function bits(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, one) => (one > 0 ? sum - one * Math.log2(one) : sum), 0);
}

/** Orders in which `failed` of `runs` fail. */
function ways(runs: number, failed: number): number {
  let result = 1;
  for (let index = 1; index <= failed; index++) result = (result * (runs - index + 1)) / index;
  return result;
}
