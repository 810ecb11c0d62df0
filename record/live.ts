// The content of the live view: all that a newly opened page needs.
import type { CaseRecord } from "./campaign.ts";

type Verdict = CaseRecord["verdict"];

/** The load of the streams in an interval that ended at `at`, wall time in milliseconds. */
export interface LiveReading {
  readonly at: number;
  readonly valuesPerSec: number;
  readonly latencyMs?: { readonly median: number; readonly highest: number };
}

export interface LiveRun {
  readonly gateway: string;
  readonly level: string;
  readonly selection: string;
  readonly startedAt: number;
  /** Time of the last event. */
  readonly lastAt: number;
  readonly address: string;
  readonly planned: number;
  readonly done: number;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly running: readonly { readonly case: string; readonly since: number }[];
  /** Cases that did not pass, latest first; only the latest. */
  readonly open: readonly { readonly case: string; readonly verdict: Verdict; readonly reason: string }[];
  /** Cases that ended, latest first; only the latest. */
  readonly latest: readonly {
    readonly case: string;
    readonly verdict: Verdict;
    readonly durationMs: number;
  }[];
  /** The console's last lines, oldest first. */
  readonly console: readonly string[];
  /** Oldest first; only of the last minutes. */
  readonly streams: readonly LiveReading[];
  readonly remarks: readonly string[];
  /** How it ended, in a word; absent while it runs. */
  readonly ended?: string;
}

type LiveTurnState = "waiting" | "held" | "checking" | "running" | "set-aside" | "done";

export interface LiveTurn {
  readonly gateway: string;
  readonly state: LiveTurnState;
  readonly attempt?: number;
  readonly note?: string;
}

export interface LiveState {
  readonly folder: string;
  /** Gateways of the rack in the order of the rack file; empty for a single run. */
  readonly turns: readonly LiveTurn[];
  /** Running campaigns; a single run also after its end. */
  readonly runs: readonly LiveRun[];
  readonly ended?: string;
}
