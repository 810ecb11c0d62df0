import { type Answer, type GatewayUnderTest, type TestCase, testCase } from "../../harness/index.ts";
import { restoreScheduleLater } from "../support/rebootSchedule.ts";
import { backAgain, delayAfter } from "../support/restart.ts";

/** Current time of the gateway: its Date header if present, to the second. */
export function gatewayNowMs(answer: Answer, fallbackMs: number): number {
  const header = Date.parse(answer.headers["date"] ?? "");
  return Number.isNaN(header) ? fallbackMs : header;
}

const headerResolutionMs = 1000;
const minuteMs = 60_000;

/** Whether the gateway stores a date-time to the second; crontab fields only show minutes. */
async function keepsSeconds(gateway: GatewayUnderTest, nowMs: number): Promise<boolean> {
  const wanted = Math.ceil(nowMs / minuteMs) * minuteMs + 20 * 86_400_000 + 17_000;
  const answer = await gateway.admin.call("setReboot", {
    json: { at: new Date(wanted).toISOString(), enableScheduler: true },
  });
  return Date.parse(answer.data().nextTriggerAt ?? "") === wanted;
}

/** Crontab fields count whole minutes: time that must remain of the current one to set it. */
const leastOfMinuteMs = 8000;

/**
 * The crontab expression of the next whole minute, and the time of that minute. It names all quarters of an hour,
 * because the offset of the gateway's time zone from UTC may include quarters.
 */
function nextMinute(nowMs: number): { at: string; dueAtMs: number } {
  const early = Math.ceil(nowMs / minuteMs) * minuteMs;
  const dueAtMs = early - nowMs < leastOfMinuteMs ? early + minuteMs : early;
  const due = new Date(dueAtMs);
  const minutes = [0, 15, 30, 45].map((later) => (due.getUTCMinutes() + later) % 60);
  return { at: `${minutes.toSorted((a, b) => a - b).join(",")} * * * *`, dueAtMs };
}

export const dueScheduleCases: readonly TestCase[] = [
  testCase({
    id: "reboot/crontab-becomes-due",
    title: "A crontab schedule reboots the system at its next time",
    group: "reboot",
    requirements: ["CORE-REBOOT-15"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["reboot", "disruptive-reboot"],
    tags: ["timing"],
    deadlineMs: 360_000,
    async run(context) {
      const { gateway, profile, verify, clock, level, notApplicable } = context;
      if (level !== "certification")
        return notApplicable("takes more than a minute; only part of certification runs", "level");
      const { admin } = gateway;
      await restoreScheduleLater(context);
      const clockAnswer = await admin.call("getReboot");
      const nowMs = gatewayNowMs(clockAnswer, clock.epochMs());
      const { at, dueAtMs } = nextMinute(nowMs);
      await using watch = await gateway.watchForRestart();
      const set = await admin.call("setReboot", { json: { at, enableScheduler: true, now: false } });
      if (!verify("CORE-REBOOT-15").accepted(set)) return;
      const dueMs = dueAtMs - nowMs;
      const down = await watch.wentDown(dueMs + 2 * profile.patience.settleMs);
      if (down === undefined) {
        verify("CORE-REBOOT-15").that(false, {
          what: `reboot by the crontab expression "${at}"`,
          expected: `${(dueMs / 1000).toFixed(0)} s after the request`,
          observed: `none within ${((dueMs + 2 * profile.patience.settleMs) / 1000).toFixed(0)} s`,
          evidence: set,
        });
        return;
      }
      verify("CORE-REBOOT-15").within(
        {
          name: "delay from setting the crontab expression to the reboot",
          unit: "s",
          ...delayAfter(clockAnswer, down),
          limits: {
            low: (dueMs - headerResolutionMs) / 1000 - 0.2,
            high: (dueMs + 2 * profile.patience.settleMs) / 1000,
          },
        },
        set,
      );
      await backAgain(context, watch);
      // The schedule would trigger again within a quarter of an hour.
      await admin.call("setReboot", { json: { enableScheduler: false } });
    },
  }),
  testCase({
    id: "reboot/schedule-becomes-due",
    title: "An enabled schedule reboots the system at its time, a disabled one does not",
    group: "reboot",
    requirements: ["CORE-REBOOT-17", "CORE-REBOOT-35"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["reboot", "disruptive-reboot"],
    tags: ["timing"],
    deadlineMs: 360_000,
    async run(context) {
      const { gateway, profile, verify, clock, unmet } = context;
      const { admin } = gateway;
      await restoreScheduleLater(context);
      const isToTheSecond = await keepsSeconds(
        gateway,
        gatewayNowMs(await admin.call("getReboot"), clock.epochMs()),
      );
      /**
       * Sets an instant in the near future, returned relative to the answer with the gateway's time. When a slow exchange
       * let the instant pass, a rejection is allowed and a later instant is tried.
       */
      const setSoon = async (
        enableScheduler: boolean,
      ): Promise<{ clockAnswer: Answer; answer: Answer; dueMs: number }> => {
        let last: { clockAnswer: Answer; answer: Answer; dueMs: number } | undefined;
        for (const aheadMs of isToTheSecond ? [1000, 5000, 20_000] : [5000]) {
          const clockAnswer = await admin.call("getReboot");
          const nowMs = gatewayNowMs(clockAnswer, clock.epochMs());
          const stepMs = isToTheSecond ? 1000 : minuteMs;
          const dueAtMs = Math.ceil((nowMs + headerResolutionMs + aheadMs) / stepMs) * stepMs;
          const at = new Date(dueAtMs).toISOString().replace(".000Z", "Z");
          const answer = await admin.call("setReboot", { json: { at, enableScheduler, now: false } });
          last = { clockAnswer, answer, dueMs: dueAtMs - nowMs };
          const tookMs = clock.nowMs() - clockAnswer.exchange.startedMs;
          if (answer.accepted || tookMs < last.dueMs - headerResolutionMs) break;
        }
        return last ?? unmet("setting a reboot time failed");
      };

      await using watch = await gateway.watchForRestart();
      const off = await setSoon(false);
      if (!off.answer.accepted)
        unmet(`setting a disabled schedule with a date-time failed: ${off.answer.summary()}`);
      const wrongly = await watch.wentDown(off.dueMs + headerResolutionMs);
      verify("CORE-REBOOT-35").that(wrongly === undefined, {
        what: "reboot at the time of a schedule with enableScheduler false",
        expected: "no reboot",
        observed: wrongly === undefined ? "no reboot" : "reboot",
        evidence: off.answer,
      });
      if (wrongly !== undefined) return backAgain(context, watch);

      const on = await setSoon(true);
      if (!verify("CORE-REBOOT-17").accepted(on.answer)) return;
      const down = await watch.wentDown(on.dueMs + 2 * profile.patience.settleMs);
      if (down === undefined) {
        verify("CORE-REBOOT-17").that(false, {
          what: "reboot at the date-time of the schedule",
          expected: `${on.dueMs / 1000} s after the request`,
          observed: `none within ${(on.dueMs + 2 * profile.patience.settleMs) / 1000} s`,
          evidence: on.answer,
        });
        return;
      }
      verify("CORE-REBOOT-17").within(
        {
          name: "delay from setting the date-time to the reboot",
          unit: "s",
          ...delayAfter(on.clockAnswer, down),
          limits: {
            low: (on.dueMs - headerResolutionMs) / 1000 - 0.2,
            high: (on.dueMs + 2 * profile.patience.settleMs) / 1000,
          },
        },
        on.answer,
      );
      await backAgain(context, watch);
    },
  }),
];
