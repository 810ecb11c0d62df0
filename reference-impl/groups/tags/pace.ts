import type { Clock } from "../../clock.ts";

/**
 * Runs the action every `periodMs`, the first time after one period. Paced against the monotonic clock: timers that
 * fire late do not add up, and periods that were missed altogether are not made up for.
 */
export function every(clock: Clock, periodMs: number, action: () => void): Disposable {
  let dueMs = clock.monotonicMs() + periodMs;
  let timer: Disposable | undefined;
  let isOver = false;
  const turn = (): void => {
    action();
    if (isOver) return;
    const nowMs = clock.monotonicMs();
    dueMs = dueMs + periodMs >= nowMs ? dueMs + periodMs : nowMs + periodMs;
    timer = clock.after(dueMs - nowMs, turn);
  };
  timer = clock.after(periodMs, turn);
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer?.[Symbol.dispose]();
    },
  };
}
