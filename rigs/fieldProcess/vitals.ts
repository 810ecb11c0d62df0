// What the process of the simulated devices reports without being asked: its requests, and when it stood still.
import { machineMs } from "../host/instant.ts";

const beatEveryMs = 10;
const reportEveryBeats = 2;
/** A beat that is late by less is ordinary. */
const ordinaryMs = 20;
/** Without a report for so long the process may be standing still. */
const silentMs = 3 * beatEveryMs * reportEveryBeats;
/** Standstills that are remembered: a case lasts some minutes at most. */
const mostStalls = 10_000;

export interface Stall {
  readonly endMs: number;
  readonly lengthMs: number;
}

export interface Vitals {
  readonly atMs: number;
  /** Requests that each device has received. */
  readonly requests: readonly number[];
  /** Standstills since the last report. */
  readonly stalls: readonly Stall[];
}

/** Reports the vitals of this process fifty times a second. */
export function reportVitals(
  requests: () => readonly number[],
  report: (vitals: Vitals) => void,
): Disposable {
  let beats = 0;
  let lastMs = machineMs();
  let stalls: Stall[] = [];
  const timer = setInterval(() => {
    const nowMs = machineMs();
    const lengthMs = nowMs - lastMs - beatEveryMs;
    if (lengthMs > ordinaryMs) stalls.push({ endMs: nowMs, lengthMs });
    lastMs = nowMs;
    beats += 1;
    if (beats % reportEveryBeats !== 0) return;
    report({ atMs: nowMs, requests: requests(), stalls });
    stalls = [];
  }, beatEveryMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Collects the reports of a process. */
export class VitalSigns {
  #last: Pick<Vitals, "atMs" | "requests"> | undefined;
  #stalls: Stall[] = [];

  take({ atMs, requests, stalls }: Vitals): void {
    this.#last = { atMs, requests };
    if (stalls.length > 0) this.#stalls = [...this.#stalls, ...stalls].slice(-mostStalls);
  }

  /** Requests of the device at the last report. */
  requestsOf(device: number): number {
    return this.#last?.requests[device] ?? 0;
  }

  /** Longest time in milliseconds that the process stood still since the instant, a present standstill included. */
  stoodStillMs(sinceMs: number, nowMs = machineMs()): number {
    const silence = nowMs - (this.#last?.atMs ?? nowMs);
    const present = silence > silentMs ? [{ endMs: nowMs, lengthMs: silence }] : [];
    return [...this.#stalls, ...present].reduce(
      (longest, { endMs, lengthMs }) => Math.max(longest, Math.min(lengthMs, endMs - sinceMs)),
      0,
    );
  }
}
