// Results of nights over a rack, for the trend page and for scripts.
import type { GateComparison } from "./gate.ts";

/**
 * The result of a case or a requirement in a night, after all attempts. `flaky`: it passed, but not at the first attempt.
 * `not-concluded`: it was expected and no attempt ran to its end. `quarantined`: of a requirement whose failures are all expected.
 */
export type Outcome = (typeof outcomes)[number];
export const outcomes = [
  "pass",
  "flaky",
  "fail",
  "error",
  "inconclusive",
  "not-applicable",
  "not-concluded",
  "quarantined",
] as const;

/** The result of a gateway. `set-aside`: it was not run; `incomplete`: expected cases did not run to their end. */
export type TurnOutcome = (typeof turnOutcomes)[number];
export const turnOutcomes = [
  "conformant",
  "non-conformant",
  "inconclusive",
  "incomplete",
  "set-aside",
  "waiting",
] as const;

export interface Cell {
  readonly outcome: Outcome;
  /** Present unless it passed. */
  readonly reason?: string;
}

/** One night as a column of the trend. */
export interface TrendNight {
  readonly id: number;
  readonly startedAt: string;
  readonly level: string;
  readonly selection: string;
  readonly suiteVersion: string;
  /** `killed`: the program that ran it ended without ending the night. */
  readonly state: "running" | "finished" | "interrupted" | "killed";
  readonly exitCode?: number;
}

/** A gateway's part of a night. */
export interface TrendTurn {
  readonly outcome: TurnOutcome;
  readonly reason?: string;
  readonly firmware?: string;
  readonly profile?: string;
  /** Parts of the rig that were omitted, each with its reason. */
  readonly withoutParts: readonly string[];
  readonly attempts: number;
  /** Path of the first attempt's folder, relative to the folder of all nights; absent once it was removed. */
  readonly folder?: string;
}

/** One row of cells, a cell for each night; undefined where it was not expected. */
export type TrendRow = readonly (Cell | undefined)[];

export interface TrendGateway {
  readonly name: string;
  /** One for each night; undefined where the gateway was not in the rack. */
  readonly turns: readonly (TrendTurn | undefined)[];
  readonly cases: ReadonlyMap<string, TrendRow>;
  readonly requirements: ReadonlyMap<string, TrendRow>;
  /** Cases excluded from the last night by its plan, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Quantities that became worse by the statistics of the release gate. */
  readonly slower: readonly GateComparison[];
}

/** One difference from the night before. */
export interface Change {
  readonly kind:
    | "set-aside"
    | "newly-failing"
    | "not-concluded"
    | "slower"
    | "newly-undecided"
    | "newly-flaky"
    | "no-longer-run"
    | "fixed"
    | "decided-again"
    | "steady-again"
    | "back"
    | "newly-run"
    | "surroundings";
  readonly gateway: string;
  /** The cases or the quantity concerned; empty for the gateway as a whole. */
  readonly subjects: readonly string[];
  readonly text: string;
}

export interface Trend {
  readonly rack: string;
  /** Oldest first; the changes are those of the last one. */
  readonly nights: readonly TrendNight[];
  readonly gateways: readonly TrendGateway[];
  readonly changes: readonly Change[];
}
