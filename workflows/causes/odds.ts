// How probable each cause of a failure is, from turns under changed conditions. A pass is no proof: a flaky case passes too.
import type { CausePart, CauseVerdict } from "../../record/index.ts";

/** Runs of a case under one set of conditions. */
export interface Observation {
  /** What differs from the turn that failed. */
  readonly changed: readonly CausePart[];
  readonly failed: number;
  readonly passed: number;
  /** The case could not be run, because a wire that worked before has failed. */
  readonly isWireBroken?: boolean;
}

export type Odds = ReadonlyMap<CauseVerdict, number>;

/** A cause is named from this probability on. */
const confident = 0.99;

interface Rate {
  /** Share of the runs that fail. */
  readonly fails: number;
  readonly weight: number;
}

/** Under its cause a failure appears in nearly every run; a cause that shows more rarely is hard to distinguish from chance. */
const lasting: readonly Rate[] = [
  { fails: 0.99, weight: 0.7 },
  { fails: 0.9, weight: 0.3 },
];
/** Without its cause nearly no run fails. */
const absent: readonly Rate[] = [{ fails: 0.01, weight: 1 }];
/** A flaky case fails at any rate. */
const flakyRates = 19;
const flaky: readonly Rate[] = Array.from({ length: flakyRates }, (_, index) => ({
  fails: (index + 1) / (flakyRates + 1),
  weight: 1 / flakyRates,
}));
/** A wire that fails in the search is the rig's, apart from a coincidence. */
const wireBreaks = { rig: 0.9, otherwise: 0.002 };

const tally = (observations: readonly Observation[]): { failed: number; passed: number } => ({
  failed: observations.reduce((sum, one) => sum + one.failed, 0),
  passed: observations.reduce((sum, one) => sum + one.passed, 0),
});

function chance(rates: readonly Rate[], observations: readonly Observation[]): number {
  const { failed, passed } = tally(observations);
  return rates.reduce((sum, { fails, weight }) => sum + weight * fails ** failed * (1 - fails) ** passed, 0);
}

/** Probability of the observations under the cause. */
function likelihood(cause: CauseVerdict, observations: readonly Observation[]): number {
  const wires = observations
    .filter(({ isWireBroken = false }) => isWireBroken)
    .reduce((product) => product * (cause === "rig" ? wireBreaks.rig : wireBreaks.otherwise), 1);
  if (cause === "flaky") return wires * chance(flaky, observations);
  const without = observations.filter(({ changed }) => changed.some((part) => part === cause));
  const under = observations.filter((one) => !without.includes(one));
  return wires * chance(lasting, under) * chance(absent, without);
}

/** How often a new failure is flaky, beside any one of the other causes. */
const flakyIsMoreFrequent = 4;

/** Probability of cause and observations, up to a factor that all causes share. */
export function weightOf(cause: CauseVerdict, observations: readonly Observation[]): number {
  return (cause === "flaky" ? flakyIsMoreFrequent : 1) * likelihood(cause, observations);
}

/**
 * Apart from flaky cases, all suspects and an unknown lasting cause are equally probable at the beginning. The failure that
 * began the search does not count: it was chosen because it failed.
 */
export function oddsOf(suspects: readonly CausePart[], observations: readonly Observation[]): Odds {
  const causes: readonly CauseVerdict[] = [...suspects, "flaky", "unknown"];
  const weights = causes.map((cause) => weightOf(cause, observations));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return new Map(causes.map((cause, index) => [cause, (weights[index] ?? 0) / whole]));
}

/** The cause, once it is probable enough. */
export function verdictOf(odds: Odds): CauseVerdict {
  return [...odds].find(([, probability]) => probability >= confident)?.[0] ?? "unknown";
}

/** Whether further turns could change the verdict by much. */
export function isSettled(odds: Odds): boolean {
  return Math.max(...odds.values()) >= confident;
}
