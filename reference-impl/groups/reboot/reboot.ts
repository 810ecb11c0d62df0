// Group 5, first half: reboot now, at an instant, or by a crontab expression.
import Type from "typebox";
import { CrontabFields, type RebootSchedule } from "../../../interface/resources/reboot.ts";
import { timestamp } from "../../base/clock.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { data } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { isNoTime, nextTrigger, parseAt, type Schedule, showAt } from "./schedule.ts";

const Settings = Type.Object({
  enableScheduler: Type.Boolean(),
  once: Type.Union([Type.Null(), Type.Object({ dueMs: Type.Number() })]),
  cron: Type.Union([Type.Null(), CrontabFields]),
});

const zeroTime = "0001-01-01T00:00:00Z";
const deviceReboot = 48;
// The answer must be sent before the connection breaks.
const usualGraceMs = 50;

export interface Reboot extends Group {
  /** Reboots after the delay; of several pending reboots the earliest counts. */
  readonly rebootAfter: (delayMs: number, reason: string) => void;
  /** Reboots as soon as the present answer is sent. */
  readonly rebootAfterAnswer: (reason: string) => void;
  /** When the schedule is due next, milliseconds since the epoch. */
  readonly nextTriggerMs: () => number | undefined;
  readonly isScheduled: () => boolean;
  readonly shownAt: () => CrontabFields;
}

export function createReboot(foundation: Foundation, answerGraceMs = usualGraceMs): Reboot {
  const { clock, board, events } = foundation;
  const { timeZone, makesUpForReboots, countsRebootsAsJobs } = foundation.product.conduct;
  const settings = openSetting(foundation.store, "reboot", Settings, () => ({
    enableScheduler: false,
    once: null,
    cron: null,
  }));
  let alarm: Disposable | undefined;
  let steps: Disposable | undefined;
  let pending: { readonly dueMs: number; readonly timer: Disposable } | undefined;

  const schedule = (): Schedule | undefined => {
    const { once, cron } = settings.get();
    if (once !== null) return { kind: "once", dueMs: once.dueMs };
    return cron === null ? undefined : { kind: "cron", fields: cron };
  };
  const nextTriggerMs = (): number | undefined => {
    const present = schedule();
    return settings.get().enableScheduler && present !== undefined
      ? nextTrigger(present, clock.nowMs(), timeZone)
      : undefined;
  };
  const rebootAfter = (delayMs: number, reason: string): void => {
    const dueMs = clock.monotonicMs() + delayMs;
    if (pending !== undefined && pending.dueMs <= dueMs) return;
    pending?.timer[Symbol.dispose]();
    const timer = clock.after(delayMs, () => {
      events.raise(deviceReboot, { message: reason });
      board.reboot(reason);
    });
    pending = { dueMs, timer };
  };
  const rebootAfterAnswer = (reason: string): void => rebootAfter(answerGraceMs, reason);
  // An instant is due once: after it, or after it passed while the power was off, the schedule is empty.
  const forgetPassed = (): void => {
    const { once } = settings.get();
    if (once !== null && once.dueMs <= clock.nowMs()) settings.reset();
  };
  const arm = (): void => {
    alarm?.[Symbol.dispose]();
    const { once, enableScheduler } = settings.get();
    // An instant that was in the future when accepted may pass while it is stored; it is still due.
    const dueMs = enableScheduler && once !== null ? once.dueMs : nextTriggerMs();
    alarm =
      dueMs === undefined
        ? undefined
        : clock.after(Math.max(0, dueMs - clock.nowMs()), () => {
            forgetPassed();
            rebootAfter(0, "the reboot schedule is due");
          });
  };
  const show = (): RebootSchedule => {
    const dueMs = nextTriggerMs();
    return {
      at: showAt(schedule(), timeZone),
      enableScheduler: settings.get().enableScheduler,
      lastBootAt: timestamp(board.bootedAtMs),
      nextTriggerAt: dueMs === undefined ? zeroTime : timestamp(dueMs),
    };
  };

  return {
    rebootAfter,
    rebootAfterAnswer,
    nextTriggerMs,
    isScheduled: () => settings.get().enableScheduler && schedule() !== undefined,
    shownAt: () => showAt(schedule(), timeZone),
    handlers: {
      getReboot: () => data(show()),
      setReboot(call) {
        const { at, enableScheduler, now } = call.body as {
          at?: string | CrontabFields;
          enableScheduler?: boolean;
          now?: boolean;
        };
        if (now === true || at === "now") {
          rebootAfterAnswer("a user asked for a reboot");
          return data(show());
        }
        const present = settings.get();
        const wanted = at === undefined || isNoTime(at) ? undefined : parseAt(at, clock.nowMs(), timeZone);
        const next = {
          enableScheduler: enableScheduler ?? (wanted === undefined ? present.enableScheduler : true),
          once: wanted === undefined ? present.once : wanted.kind === "once" ? { dueMs: wanted.dueMs } : null,
          cron: wanted === undefined ? present.cron : wanted.kind === "cron" ? wanted.fields : null,
        };
        if (next.enableScheduler && next.cron === null && (next.once?.dueMs ?? 0) <= clock.nowMs()) {
          throw badInput(
            "at: expected a time to come or a crontab expression for the scheduler, found nothing",
          );
        }
        settings.set(next);
        arm();
        return data(show());
      },
    },
    settings: [settings],
    resetParts: [
      {
        scopes: countsRebootsAsJobs ? ["reboot", "job"] : ["reboot"],
        reset() {
          settings.reset();
          arm();
        },
      },
    ],
    start() {
      forgetPassed();
      arm();
      steps = clock.onStep(() => {
        if (!makesUpForReboots) forgetPassed();
        arm();
      });
    },
    [Symbol.asyncDispose]() {
      steps?.[Symbol.dispose]();
      alarm?.[Symbol.dispose]();
      pending?.timer[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
