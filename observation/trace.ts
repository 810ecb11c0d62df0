// What happened in one case, in order: exchanges, streams, restarts and checks. Cells are derived from it.
import type { Exchange, Verdict } from "../record/index.ts";
import type { ObservedAnswer, StreamState } from "./observed.ts";

export interface TracedExchange {
  /** Position in the order in which the exchanges ended. */
  readonly index: number;
  readonly exchange: Exchange;
  /** Absent for the head of a stream and for exchanges over connections of the case's own. */
  readonly answer: ObservedAnswer | undefined;
}

export interface TracedCheck {
  /** How many exchanges had ended when the check was made. */
  readonly after: number;
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly what: string;
  /** The observed value itself, before it was shortened to a text. */
  readonly observed: unknown;
  /** Number of the exchange that shows it. */
  readonly evidence: number | undefined;
}

/** Whether the check passed or failed: one without a value to check sees no cell. */
export function decides({ verdict }: TracedCheck): boolean {
  return verdict === "pass" || verdict === "fail" || verdict === "advice";
}

export interface TracedStream {
  /** Number of the exchange that opened it. */
  readonly number: number;
  readonly state: () => StreamState;
}

export class CaseTrace {
  readonly exchanges: TracedExchange[] = [];
  readonly checks: TracedCheck[] = [];
  readonly streams: TracedStream[] = [];
  /** After how many exchanges the gateway was found to have restarted. */
  readonly restarts: number[] = [];

  exchanged(exchange: Exchange, answer: ObservedAnswer | undefined): void {
    this.exchanges.push({ index: this.exchanges.length, exchange, answer });
  }

  checked(check: Omit<TracedCheck, "after">): void {
    this.checks.push({ ...check, after: this.exchanges.length });
  }

  restarted(): void {
    this.restarts.push(this.exchanges.length);
  }
}
