/** The harness's only source of time, passed to all code that measures or waits. */
export interface Clock {
  /** Monotonic milliseconds with sub-millisecond resolution, since an arbitrary start. */
  nowMs(): number;
  /** Wall clock, milliseconds since the epoch; for labels and for timestamps of the gateway, never for durations. */
  epochMs(): number;
  /** Resolves after the delay, or rejects with the signal's reason. Only named waits and pacing call it. */
  delay(delayMs: number, signal?: AbortSignal): Promise<void>;
}

// Node's timers may fire up to 1 ms early; the loop ensures the full delay.
export const monotonicClock: Clock = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  async delay(delayMs, signal) {
    const dueMs = performance.now() + delayMs;
    for (let leftMs = delayMs; leftMs > 0; leftMs = dueMs - performance.now()) {
      signal?.throwIfAborted();
      await timer(leftMs, signal);
    }
  },
};

function timer(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(handle);
      reject(signal?.reason instanceof Error ? signal.reason : new Error(String(signal?.reason)));
    };
    const handle = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
