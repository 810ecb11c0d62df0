import type { Clock } from "../../base/clock.ts";

const mostBehindMs = 1000;

/**
 * Runs the action every `periodMs`, the first time after one period. Paced against the monotonic clock: timers that
 * fire late do not add up, and a short stall is caught up. After a longer one the pace begins anew.
 */
export function every(clock: Clock, periodMs: number, action: () => void): Disposable {
  let dueMs = clock.monotonicMs() + periodMs;
  let timer: Disposable | undefined;
  let isOver = false;
  const turn = (): void => {
    action();
    if (isOver) return;
    const nowMs = clock.monotonicMs();
    dueMs = dueMs + periodMs >= nowMs - mostBehindMs ? dueMs + periodMs : nowMs + periodMs;
    timer = clock.after(Math.max(0, dueMs - nowMs), turn);
  };
  timer = clock.after(periodMs, turn);
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer?.[Symbol.dispose]();
    },
  };
}
