/** An instant, as the monotonic milliseconds (`performance.now()`) between which it must lie. */
export interface InstantMs {
  readonly low: number;
  readonly high: number;
}

/** Milliseconds of the machine's monotonic clock, which all processes share; `performance.now()` begins anew in each. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Runs an action and answers between which instants it was carried out. */
export async function timed(action: () => unknown): Promise<InstantMs> {
  const low = performance.now();
  await action();
  return { low, high: performance.now() };
}
