// The results of a fleet over its nights, for its page and for alerts.
import type { Cause } from "./cause.ts";
import { type Outcome, outcomes, type TrendNight, type TurnOutcome } from "./trend.ts";

/** A gateway's part of a night. */
export interface FleetTurn {
  /** `waiting`: no result yet. */
  readonly outcome: TurnOutcome;
  readonly reason?: string;
  readonly firmware?: string;
  /** Begin of a turn under way. */
  readonly runningSince?: string;
}

/** The last result of a gateway within the nights. */
export interface LastResult {
  /** Index of its night. */
  readonly night: number;
  /** Of requirements that did not pass. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Host and folder of the first run. */
  readonly evidence?: string;
}

/** A physical gateway. */
export interface FleetUnit {
  /** LAB/GATEWAY. */
  readonly name: string;
  readonly lab: string;
  readonly labels: Readonly<Record<string, string>>;
  /** One for each night; undefined where the gateway was not part of it. */
  readonly turns: readonly (FleetTurn | undefined)[];
  /** One for each night: a code for each requirement of the history; undefined without a result. */
  readonly results: readonly (Uint8Array | undefined)[];
  readonly last?: LastResult;
  /** Of the newest result ever. */
  readonly lastResultAt?: string;
  /** Hours since then, when they are too many. */
  readonly staleHours?: number;
}

export interface FleetLab {
  readonly name: string;
  readonly host: string;
  readonly state: "running" | "stopped" | "silent";
  readonly silentMs: number;
}

export interface FleetHistory {
  /** By the clock of the database. */
  readonly madeAt: string;
  /** In the order of the codes of a result. */
  readonly requirements: readonly string[];
  /** Oldest first. */
  readonly nights: readonly TrendNight[];
  readonly labs: readonly FleetLab[];
  /** By name. */
  readonly units: readonly FleetUnit[];
  /** A gateway without a result for this time is stale. */
  readonly staleAfterHours: number;
  /** Causes of new failures in these nights, where they were searched. */
  readonly causes?: readonly Cause[];
}

/** What was found about failures that began in this night, with the cases that test the requirements. */
export function causesOf(
  { nights, causes = [] }: FleetHistory,
  since: number,
  gateways: readonly FleetUnit[],
  requirements: readonly string[],
): Cause[] {
  const names = new Set(gateways.map(({ name }) => name));
  return causes
    .filter(({ night, gateway }) => night === nights[since]?.id && names.has(gateway))
    .map((cause) => ({
      ...cause,
      // The shape of an answer belongs to no case and has no requirements here.
      cases: cause.cases.filter(
        (one) => one.requirements.length === 0 || one.requirements.some((id) => requirements.includes(id)),
      ),
    }))
    .filter(({ cases }) => cases.length > 0);
}

/** The code of a requirement that was not tested; the others are `codeOf`. */
export const notTested = 0;

/** The code of an outcome. */
export function codeOf(outcome: Outcome): number {
  return outcomes.indexOf(outcome) + 1;
}

/** The outcome of a code; undefined for `notTested`. */
export function outcomeOfCode(code: number): Outcome | undefined {
  return outcomes[code - 1];
}

/** A requirement that a gateway did not pass in its last result. */
export interface FleetFinding {
  readonly unit: FleetUnit;
  readonly requirement: string;
  readonly outcome: Outcome;
  /** Index of the first night of the streak. */
  readonly since: number;
  /** Index of the last night in which it passed. */
  readonly lastGood?: number;
  /** Whether its streak began with the last result. */
  readonly isNew: boolean;
  /** Nights of the last week in which it passed only after a repetition. */
  readonly flakyNights: number;
  readonly reason?: string;
}

/** Findings with one cause, as far as the results show: the same gateways since the same night. */
export interface FindingGroup {
  readonly outcome: Outcome;
  readonly since: number;
  readonly lastGood?: number;
  readonly isNew: boolean;
  readonly requirements: readonly string[];
  readonly units: readonly FleetUnit[];
  readonly flakyNights: number;
  /** Of the first finding. */
  readonly reason?: string;
  readonly evidence?: string;
}
