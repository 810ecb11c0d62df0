import type { Clock } from "../clock.ts";
import { Unmet, stringifyJson } from "../../record/index.ts";
import type { CaseContext } from "../suite/context.ts";

/** A named wait: repeats the probe until it answers a value, or throws Unmet with the last value observed. */
export function waiter(clock: Clock, signal: AbortSignal, defaultDeadlineMs: number): CaseContext["waitFor"] {
  return async (what, probe, { deadlineMs = defaultDeadlineMs, everyMs = 20, lastSeen } = {}) => {
    const startedMs = clock.nowMs();
    for (;;) {
      const found = await probe();
      if (found !== undefined) return found;
      if (clock.nowMs() - startedMs >= deadlineMs) {
        const seen =
          lastSeen === undefined ? "" : `; last observed: ${stringifyJson(lastSeen()) ?? "no value"}`;
        throw new Unmet(`expected ${what} within ${deadlineMs} ms${seen}`, "deadline");
      }
      await clock.delay(everyMs, signal);
    }
  };
}
