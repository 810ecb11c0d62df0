// What the process of the simulated devices reports without being asked: its requests, and when it stood still.
import type { FieldDevice } from "../field/device.ts";
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

/** Of each device; see FieldDevice. */
export type DeviceVitals = Required<Pick<FieldDevice, "requests" | "unread">>;

export interface Vitals {
  readonly atMs: number;
  readonly devices: readonly DeviceVitals[];
  /** Standstills since the last report. */
  readonly stalls: readonly Stall[];
}

/** Reports the vitals of this process fifty times a second. */
export function reportVitals(
  devices: () => readonly DeviceVitals[],
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
    report({ atMs: nowMs, devices: devices(), stalls });
    stalls = [];
  }, beatEveryMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Collects the reports of a process. */
export class VitalSigns {
  #last: Pick<Vitals, "atMs" | "devices"> | undefined;
  #stalls: Stall[] = [];

  take({ atMs, devices, stalls }: Vitals): void {
    this.#last = { atMs, devices };
    if (stalls.length > 0) this.#stalls = [...this.#stalls, ...stalls].slice(-mostStalls);
  }

  /** Of the device at the last report. */
  of(device: number): DeviceVitals | undefined {
    return this.#last?.devices[device];
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
