// The waits and limits for an emulated gateway, from its measured pace.

/** How fast an emulated machine is. */
export interface Pace {
  /** From switching it on until its gateway is ready. */
  readonly bootMs: number;
  /** Time that the gateway takes to start, as a multiple of that of the same program directly on this machine. */
  readonly slowness: number;
}

export interface Budgets {
  /** Factor on every wait of the harness. */
  readonly patience: number;
  /** Share of the declared changes per second that it carries. */
  readonly throughputShare: number;
  /** Half width of the band around the 5 s from apply to reboot: handling the request alone takes its time. */
  readonly rebootDelayToleranceSec: number;
  readonly bootDeadlineMs: number;
  /** How long the gateway waits for an answer of a field device, which it may read late. */
  readonly deviceTimeoutMs: number;
}

/** The waits of a profile are at least this multiple of what a gateway without emulation needs. */
const reserveOfWaits = 5;
/** A boot beside others, or on a busy host, takes a multiple of the one that was measured alone. */
const reserveOfBoot = 6;
/** Time for handling an apply request directly on this machine. */
const applySec = 0.125;
/** A reboot at once must remain outside the band. */
const widestBandSec = 4.5;
/** For the answer of a device to a gateway without emulation. */
const deviceAnswerMs = 75;

export function budgetsOf({ bootMs, slowness }: Pace): Budgets {
  return {
    patience: Math.max(1, slowness / reserveOfWaits),
    throughputShare: 1 / Math.max(1, slowness),
    rebootDelayToleranceSec: Math.min(widestBandSec, applySec * slowness),
    bootDeadlineMs: Math.ceil(reserveOfBoot * bootMs),
    // The gateway takes whole milliseconds only.
    deviceTimeoutMs: Math.ceil(deviceAnswerMs * slowness),
  };
}
