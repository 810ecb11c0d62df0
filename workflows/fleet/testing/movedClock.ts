import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../harness/index.ts";

/** A clock that stands still until it is moved; waits end in their order, each after everything that the last one released. */
export function movedClock(): Clock & { move(ms: number): Promise<void> } {
  let nowMs = 0;
  const waits = new Set<{ dueMs: number; resolve: () => void }>();
  return {
    nowMs: () => nowMs,
    epochMs: () => nowMs,
    delay: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const wait = { dueMs: nowMs + delayMs, resolve };
        waits.add(wait);
        signal?.addEventListener("abort", () => waits.delete(wait) && reject(new Error("aborted")));
      }),
    async move(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        await setImmediate();
        const due = [...waits].filter(({ dueMs }) => dueMs <= untilMs);
        const next = due.toSorted((one, other) => one.dueMs - other.dueMs)[0];
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next.dueMs);
        waits.delete(next);
        next.resolve();
      }
      nowMs = untilMs;
    },
  };
}
