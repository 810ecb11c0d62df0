/** An instant, as the monotonic milliseconds (`performance.now()`) between which it must lie. */
export interface InstantMs {
  readonly low: number;
  readonly high: number;
}

/** Milliseconds of the machine's monotonic clock, which all processes share; `performance.now()` begins anew in each. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What the machine's clock shows more than `performance.now()` of this process, which stays the same. */
export const machineOffsetMs = offsetBetween(machineMs, () => performance.now());

/** The closest of some readings: a process may have to wait for the processor between one clock and the other. */
export function offsetBetween(machine: () => number, own: () => number, readings = 16): number {
  const offsets = Array.from({ length: readings }, () => {
    const before = own();
    const at = machine();
    const after = own();
    return { widthMs: after - before, offsetMs: at - (before + after) / 2 };
  });
  return offsets.reduce((best, one) => (one.widthMs < best.widthMs ? one : best)).offsetMs;
}

/** Runs an action and answers between which instants it was carried out. */
export async function timed(action: () => unknown): Promise<InstantMs> {
  const low = performance.now();
  await action();
  return { low, high: performance.now() };
}
