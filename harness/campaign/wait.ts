import type { Clock } from "../clock.ts";
import { Unmet, stringifyJson } from "../../record/index.ts";
import type { CaseContext } from "../suite/context.ts";
import { type Outside, timeOf } from "../transport/outside.ts";

/**
 * A named wait: repeats the probe until it answers a value, or throws Unmet with the last value observed. Its times are
 * recorded, so that a replay probes as often. On an impaired line each wait is longer by an exchange.
 */
export function waiter(
  clock: Clock,
  outside: Pick<Outside, "read">,
  signal: AbortSignal,
  { defaultMs, onTheLineMs }: { readonly defaultMs: number; readonly onTheLineMs: number },
): CaseContext["waitFor"] {
  const now = (): number => outside.read(timeOf("a wait"), () => clock.nowMs());
  return async (what, probe, { deadlineMs: wantedMs = defaultMs, everyMs = 20, lastSeen } = {}) => {
    const deadlineMs = wantedMs + onTheLineMs;
    const startedMs = now();
    for (;;) {
      const found = await probe();
      if (found !== undefined) return found;
      if (now() - startedMs >= deadlineMs) {
        const seen =
          lastSeen === undefined ? "" : `; last observed: ${stringifyJson(lastSeen()) ?? "no value"}`;
        throw new Unmet(`expected ${what} within ${deadlineMs} ms${seen}`, "deadline");
      }
      await clock.delay(everyMs, signal);
    }
  };
}
