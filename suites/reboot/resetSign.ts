import { isDeepStrictEqual } from "node:util";
import type { CaseContext, Interval, RestartWatch } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import type { MarkedSetting } from "../support/markedSettings.ts";
import { answersAgain, backAgain } from "../support/restart.ts";

const downIsSeenWithinMs = 500;

/**
 * Polls until the first sign of a reset: a changed setting, or no more answers to the administrator. Returns the
 * interval of the sign, undefined without one within the time.
 */
export async function firstSign(
  { clock, waitFor }: CaseContext,
  watch: RestartWatch,
  setting: MarkedSetting,
  sinceMs: number,
  deadlineMs: number,
): Promise<Interval | undefined> {
  let lowMs = sinceMs;
  const probe = async (): Promise<Interval | undefined> => {
    const startedMs = clock.nowMs();
    try {
      const isMarked = isDeepStrictEqual(await setting.read(), setting.value);
      if (!isMarked) return { low: lowMs, high: clock.nowMs() };
      lowMs = startedMs;
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof Unmet)) throw thrown;
      const nowMs = clock.nowMs();
      // A connection may break without a reset; only the watch shows that the gateway went down.
      const down = await watch.wentDown(thrown.reasonCode === "no-answer" ? downIsSeenWithinMs : 1);
      if (thrown.reasonCode === "no-answer" && down === undefined) return undefined;
      // A hanging read ends long after the gateway went down; the watch is more precise.
      return { low: lowMs, high: Math.max(lowMs, Math.min(nowMs, down?.high ?? nowMs)) };
    }
  };
  return waitFor("a sign of the reset", probe, { deadlineMs, everyMs: 5 }).catch((thrown: unknown) => {
    if (thrown instanceof Unmet) return undefined;
    throw thrown;
  });
}

/** Waits until the gateway has rebooted after a reset, if it does, and answers the administrator. */
export async function settledAfterReset(context: CaseContext, watch: RestartWatch): Promise<void> {
  const down = await watch.wentDown(context.profile.patience.settleMs);
  await (down === undefined ? answersAgain(context) : backAgain(context, watch));
}
