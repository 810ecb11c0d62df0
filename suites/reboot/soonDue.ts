// Reboot schedules with a date-time that comes soon, and others that replace it before.
import type { Answer, CaseContext, RestartWatch } from "../../harness/index.ts";
import { backAgain } from "../support/restart.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Current time of the gateway: its Date header if present, to the second. */
export function gatewayNowMs(answer: Answer, fallbackMs: number): number {
  const header = epochMsOf(answer.headers["date"] ?? "");
  return Number.isNaN(header) ? fallbackMs : header;
}

export const headerResolutionMs = 1000;
/** A clock that moves on in longer steps is taken for one of seconds. */
const longestStepMs = 4000;

/** By how much the Date header of the gateway moves on at a time: a clock may count in more than a second. */
export async function clockStepMs({ gateway: { admin }, waitFor }: CaseContext): Promise<number> {
  const afterChange = async (before: number): Promise<number> =>
    waitFor(
      "a later Date header",
      async () => {
        const now = gatewayNowMs(await admin.call("getReboot"), before);
        return now > before ? now : undefined;
      },
      { deadlineMs: longestStepMs },
    ).catch(() => before);
  const first = await afterChange(gatewayNowMs(await admin.call("getReboot"), 0));
  return Math.max(headerResolutionMs, (await afterChange(first)) - first);
}
export const minuteMs = 60_000;
/** A gateway may notice a changed schedule within this time. */
export const armedMs = 1200;

export function nextSecond(earliestMs: number): number {
  return Math.ceil(earliestMs / 1000) * 1000;
}

export function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/** A schedule in place of the one at the instant. */
export type Replacing = (at: string) => { at?: string; enableScheduler: boolean };

interface Soon {
  readonly clockAnswer: Answer;
  readonly answer: Answer;
  readonly at: string;
  readonly dueMs: number;
}

/**
 * Enables an instant in the near future, and returns it relative to the answer with the gateway's time. `isOffFirst`: it is
 * set with the scheduler off before. Those in `replacedBy` replace it before it comes. When a slow exchange let the instant pass, a rejection is allowed and a later instant is
 * tried.
 */
export async function setSoon(
  { gateway: { admin }, clock, signal, unmet }: CaseContext,
  instantAfter: (earliestMs: number) => number,
  replacedBy: readonly Replacing[] = [],
  isOffFirst = false,
): Promise<Soon> {
  let last: (Soon & { readonly isInTime: boolean }) | undefined;
  for (const aheadMs of [1000, 5000, 20_000]) {
    const clockAnswer = await admin.call("getReboot");
    const nowMs = gatewayNowMs(clockAnswer, clock.epochMs());
    const untilReplacedMs = replacedBy.length === 0 ? 0 : armedMs;
    const dueAtMs = instantAfter(nowMs + headerResolutionMs + untilReplacedMs + aheadMs);
    const at = dateTime(dueAtMs);
    const off = { at, enableScheduler: false, now: false };
    if (isOffFirst) await admin.call("setReboot", { json: off });
    let answer = await admin.call("setReboot", { json: { ...off, enableScheduler: true } });
    await clock.delay(untilReplacedMs, signal);
    for (const replacing of replacedBy)
      answer = await admin.call("setReboot", { json: { ...replacing(at), now: false } });
    const dueMs = dueAtMs - nowMs;
    const isInTime = clock.nowMs() - clockAnswer.exchange.startedMs < dueMs - headerResolutionMs;
    last = { clockAnswer, answer, at, dueMs, isInTime };
    if (isInTime || (answer.accepted && replacedBy.length === 0)) break;
  }
  return last === undefined || (replacedBy.length > 0 && !last.isInTime)
    ? unmet("setting a reboot time took longer than until that time")
    : last;
}

/** Sets a schedule that must not trigger, in place of one that is due soon, and waits for that time. */
export async function staysUp(
  context: CaseContext,
  watch: RestartWatch,
  wish: {
    readonly requirement: string;
    readonly what: string;
    readonly instantAfter: (earliestMs: number) => number;
    /** Time to wait, where not until the replaced instant. */
    readonly forMs?: number | undefined;
    readonly mayBeRejected?: boolean;
    /** Another schedule that replaces the first one before. */
    readonly before?: Replacing;
    readonly schedule: Replacing;
  },
): Promise<boolean> {
  const replacing = [...(wish.before === undefined ? [] : [wish.before]), wish.schedule];
  const soon = await setSoon(context, wish.instantAfter, replacing);
  if (!soon.answer.accepted) {
    await context.gateway.admin.call("setReboot", { json: { at: soon.at, enableScheduler: false } });
    if (wish.mayBeRejected !== true)
      context.unmet(`setting a schedule with a date-time failed: ${soon.answer.summary()}`);
    context.verify(wish.requirement).notApplicable(wish.what, "the gateway rejects such a schedule");
    return true;
  }
  const wrongly = await watch.wentDown(wish.forMs ?? soon.dueMs + headerResolutionMs);
  context.verify(wish.requirement).that(wrongly === undefined, {
    what: wish.what,
    expected: "no reboot",
    observed: wrongly === undefined ? "no reboot" : "reboot",
    evidence: soon.answer,
  });
  if (wrongly !== undefined) await backAgain(context, watch);
  return wrongly === undefined;
}
