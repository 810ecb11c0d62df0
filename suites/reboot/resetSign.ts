import {
  type Answer,
  type CaseContext,
  type Interval,
  type RestartWatch,
  sameValue,
} from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import type { MarkedSetting } from "../support/markedSettings.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { answersAgain, backAgain, secondsSince } from "../support/restart.ts";
import { runFacts } from "../support/runFacts.ts";

const downIsSeenWithinMs = 500;

/**
 * Polls until the first sign of a reset: a changed setting, or no more answers to the administrator. Returns the
 * interval of the sign, undefined without one within the time.
 */
export async function firstSign(
  { clock, waitFor, roundTripMs }: CaseContext,
  watch: RestartWatch,
  setting: MarkedSetting,
  sinceMs: number,
  deadlineMs: number,
): Promise<Interval | undefined> {
  let lowMs = sinceMs;
  const probe = async (): Promise<Interval | undefined> => {
    const startedMs = clock.nowMs();
    try {
      const isMarked = sameValue(await setting.read(), setting.value);
      if (!isMarked) {
        const nowMs = clock.nowMs();
        // On a bad line the first answer may come after the restart, which the watch saw.
        const down = roundTripMs > 0 ? await watch.wentDown(downIsSeenWithinMs) : undefined;
        return { low: lowMs, high: Math.max(lowMs, Math.min(nowMs, down?.high ?? nowMs)) };
      }
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

const resetDelaySec = 3;
/** Time from the request to a reset that waits. */
export const resetWaitsMs = resetDelaySec * 1000;
/** "Immediately" has no number; a reset closer to the 3 s of the other mode than to the answer is not immediate. */
const immediateWithinSec = resetDelaySec / 2;
/** How long after a reset that waits its first sign is awaited. */
export const signWithinMs = ({ profile }: CaseContext): number =>
  resetWaitsMs + 2 * profile.patience.settleMs;

/** Checks the time from the answer of a reset with `sync` to its first sign: at once, or after 3 s. */
export function verifyResetTime(
  { profile, verify }: CaseContext,
  requirement: string,
  {
    answer,
    sign,
    what,
    isSync,
    mayTakeSec = 0,
  }: {
    readonly answer: Answer;
    readonly sign: Interval;
    readonly what: string;
    readonly isSync: boolean;
    /** How much later than after 3 s the first sign may come, because much is reset. */
    readonly mayTakeSec?: number;
  },
): void {
  const tolerance = profile.tolerances.resetDelaySec;
  const { startedMs, durationMs } = answer.exchange;
  const answeredMs = startedMs + durationMs;
  verify(requirement).within(
    {
      name: `delay from the request to the reset of ${what}${isSync ? " with sync" : ""}`,
      unit: "s",
      interval: isSync
        ? {
            low: Math.max(0, (sign.low - answeredMs) / 1000),
            high: Math.max(0, (sign.high - answeredMs) / 1000),
          }
        : secondsSince(answer, sign),
      limits: isSync
        ? { low: 0, high: Math.min(immediateWithinSec, resetDelaySec - tolerance) }
        : { low: resetDelaySec - tolerance, high: resetDelaySec + tolerance + mayTakeSec },
      observers: ["state polled", "request probe"],
    },
    answer,
  );
}

/** Least time for a restart on a gateway that did not restart after an earlier reset of this kind. */
const unlikelyRestartMs = 1000;
/** The same where it did not restart after a reset of all its scopes either. */
const neverRestartMs = 400;
/** Of many scopes one is likely to restart the gateway; that says nothing of others. */
const fewScopes = 2;
/** The same where only resets of another kind are known, which restarted the gateway: at least this, and several times that. */
const otherRestartMs = { atLeast: 1500, times: 3 };

/**
 * Waits until the gateway has rebooted after a reset, if it does, and answers the administrator. Whether resets of this
 * kind restart the gateway is found once a run; `isThorough` waits anyway, for scopes of which nothing is known.
 */
export async function settledAfterReset(
  context: CaseContext,
  watch: RestartWatch,
  scopes: readonly ResetScope[],
  { isThorough = false }: { isThorough?: boolean } = {},
): Promise<void> {
  const facts = runFacts(context);
  const { restartsAfterReset, restartAfterResetMs } = facts;
  const kind = scopes.includes("all") ? "all" : scopes.length > fewScopes ? "many" : "few";
  const { settleMs } = context.profile.patience;
  const isNever = kind === "few" && restartsAfterReset.get("many") === false;
  const isUnlikely = !isThorough && (isNever || restartsAfterReset.get(kind) === false);
  const known = isUnlikely
    ? isNever
      ? Math.max(neverRestartMs, restartAfterResetMs ?? 0)
      : Math.max(unlikelyRestartMs, 2 * (restartAfterResetMs ?? 0))
    : restartAfterResetMs === undefined
      ? settleMs
      : otherRestartMs.atLeast + otherRestartMs.times * restartAfterResetMs;
  const sinceMs = context.clock.nowMs();
  const down = await watch.wentDown(Math.min(settleMs, known));
  if (down !== undefined)
    facts.restartAfterResetMs = Math.max(restartAfterResetMs ?? 0, context.clock.nowMs() - sinceMs);
  restartsAfterReset.set(kind, down !== undefined || restartsAfterReset.get(kind) === true);
  await (down === undefined ? answersAgain(context) : backAgain(context, watch));
}
