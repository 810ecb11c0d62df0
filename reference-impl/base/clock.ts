/** The gateway's only source of time; tests put another in its place. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  nowMs(): number;
  /** Monotonic milliseconds since an arbitrary start. */
  monotonicMs(): number;
  /** Runs `action` once after `delayMs`; disposing the timer before that cancels it. */
  after(delayMs: number, action: () => void): Disposable;
  /** Calls back after the wall clock was set, with the difference in milliseconds. */
  onStep(listener: (byMs: number) => void): Disposable;
}

/** The clock of this machine, whose wall clock can be set for this gateway alone. */
export class SettableClock implements Clock {
  readonly #listeners = new Set<(byMs: number) => void>();
  #offsetMs = 0;

  nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, action: () => void): Disposable {
    return startTimer(performance.now() + delayMs, action);
  }

  onStep(listener: (byMs: number) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  step(byMs: number): void {
    this.#offsetMs += byMs;
    for (const listener of this.#listeners) listener(byMs);
  }
}

export const systemClock: Clock = new SettableClock();

// setTimeout fires at once for delays over 2^31-1 ms, so a long wait is split.
const longestStretchMs = 2 ** 31 - 1;

function startTimer(dueMs: number, action: () => void): Disposable {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const leftMs = dueMs - performance.now();
    timer =
      leftMs > longestStretchMs ? setTimeout(arm, longestStretchMs) : setTimeout(action, Math.max(0, leftMs));
  };
  arm();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** RFC 3339 in UTC with milliseconds, as this gateway writes every timestamp. */
export function timestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
