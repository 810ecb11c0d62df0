import { changeOneEach, loneRequirements } from "../support/loneMembers.ts";
import {
  type Answer,
  type CaseContext,
  type GatewayUnderTest,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import { readLastBoot } from "../support/lastBoot.ts";
import { watchRecorded } from "../support/recordedEvents.ts";
import { farMonth, restoreScheduleLater } from "../support/rebootSchedule.ts";
import { backAgain, delayAfter } from "../support/restart.ts";
import { runFacts } from "../support/runFacts.ts";
import { memberOf } from "../support/settingCheck.ts";
import {
  armedMs,
  clockStepMs,
  dateTime,
  gatewayNowMs,
  headerResolutionMs,
  minuteMs,
  nextSecond,
  type Replacing,
  setSoon,
  staysUp,
} from "./soonDue.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const lateMs = 20_000;

/** Whether the gateway stores a date-time to the second; crontab fields only show minutes. */
async function keepsSeconds(gateway: GatewayUnderTest, nowMs: number): Promise<boolean> {
  const wanted = Math.ceil(nowMs / minuteMs) * minuteMs + 20 * 86_400_000 + 17_000;
  const answer = await gateway.admin.call("setReboot", {
    json: { at: new Date(wanted).toISOString(), enableScheduler: true },
  });
  return epochMsOf(answer.data().nextTriggerAt ?? "") === wanted;
}

/** The end of time in signed 32-bit seconds, in 2038. */
const lastOf32BitsMs = 2 ** 31 * 1000;

/** Instants far ahead: beyond signed and unsigned 32-bit milliseconds from now, and beyond 32-bit seconds. */
export function farInstants(nowMs: number): readonly number[] {
  return [nowMs + 2 ** 31, nowMs + 2 ** 32, lastOf32BitsMs].map((ms) => nextSecond(ms + 1000));
}

/** A gateway that counts such an instant wrongly reboots within this time, also where a second wraps around. */
const atOnceMs = 2500;

function nextWholeMinute(earliestMs: number): number {
  return Math.ceil(earliestMs / minuteMs) * minuteMs;
}

/** Seconds after which an instant differs from the beginning of its minute in any measurement. */
const afterMinuteMs = 3000;

/** The next second that is not close to the beginning of its minute. */
function nextLaterSecond(earliestMs: number): number {
  const next = nextSecond(earliestMs);
  return next % minuteMs < afterMinuteMs ? next + afterMinuteMs : next;
}

/** An instant far from both ends of a minute that begins later. */
function nextMinuteLater(earliestMs: number): number {
  return nextWholeMinute(earliestMs) + 35_000;
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
  return { at: quartersWith(dueAtMs), dueAtMs };
}

/** A crontab expression of the minute in every quarter of an hour. */
function quartersWith(instantMs: number): string {
  const minutes = [0, 15, 30, 45].map((later) => (new Date(instantMs).getUTCMinutes() + later) % 60);
  return `${minutes.toSorted((a, b) => a - b).join(",")} * * * *`;
}

/** Checks that a crontab expression of the present minute, which has begun, has its next time ahead. */
async function verifyAhead({ gateway, clock, verify }: CaseContext): Promise<void> {
  const { admin } = gateway;
  const nowMs = gatewayNowMs(await admin.call("getReboot"), clock.epochMs());
  const at = quartersWith(nowMs);
  const json = { at, enableScheduler: true, now: false };
  const set = nowMs % minuteMs < 2 * headerResolutionMs ? undefined : await admin.call("setReboot", { json });
  await admin.call("setReboot", { json: { ...json, enableScheduler: false } });
  if (set?.accepted !== true)
    return verify("CORE-REBOOT-15").notApplicable(
      "`nextTriggerAt` of an expression of the present minute",
      set === undefined ? "the minute had just begun" : `the gateway rejects it: ${set.summary()}`,
    );
  const { nextTriggerAt } = set.data();
  verify("CORE-REBOOT-15").that(epochMsOf(nextTriggerAt ?? "") > nowMs, {
    what: `\`nextTriggerAt\` of "${at}", which has the present minute`,
    expected: `a time after ${new Date(nowMs).toISOString()}`,
    observed: nextTriggerAt,
    evidence: set,
  });
}

/** Checks after its reboot that a crontab schedule is still enabled, and has its next time ahead. */
async function verifyGoesOn(
  { gateway: { admin }, clock, profile, verify, waitFor }: CaseContext,
  set: Answer<"setReboot">,
): Promise<void> {
  let after = await admin.call("getReboot");
  const isAhead = await waitFor(
    "the next time of the schedule",
    async () => {
      after = await admin.call("getReboot");
      const nextMs = epochMsOf(String(memberOf(after, "nextTriggerAt")));
      return nextMs > gatewayNowMs(after, clock.epochMs()) || undefined;
    },
    { deadlineMs: profile.patience.settleMs },
  ).catch(() => false);
  const { at, enableScheduler, nextTriggerAt } = after.data();
  verify("CORE-REBOOT-19").equal(
    { at, enableScheduler },
    { at: set.data().at, enableScheduler: true },
    "crontab schedule after its reboot",
    after,
  );
  verify("CORE-REBOOT-15").that(isAhead, {
    what: "`nextTriggerAt` of a crontab schedule after its reboot",
    expected: "a time in the future",
    observed: nextTriggerAt,
    evidence: after,
  });
}

const due = {
  group: "reboot",
  effect: "reboots",
  touches: ["everything"],
  capabilities: ["reboot", "disruptive-reboot"],
  tags: ["timing"],
  deadlineMs: 360_000,
} as const;

export const dueScheduleCases: readonly TestCase[] = [
  testCase({
    ...due,
    id: "reboot/crontab-becomes-due",
    title: "A crontab schedule reboots the system at its next time",
    requirements: ["CORE-REBOOT-15", "CORE-REBOOT-19"],
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
      await verifyGoesOn(context, set);
      // The schedule would trigger again within a quarter of an hour.
      await admin.call("setReboot", { json: { enableScheduler: false } });
    },
  }),
  testCase({
    ...due,
    // Only a gateway that violates the interface reboots.
    effect: "reversible",
    touches: ["reboot-schedule"],
    id: "reboot/other-schedule-before-the-time",
    title: "A date-time that is replaced or switched off before it comes does not reboot",
    requirements: ["CORE-REBOOT-17", "CORE-REBOOT-35"],
    async run(context) {
      const { gateway, clock, level, random, verify } = context;
      verify("CORE-REBOOT-35").notApplicable(
        "a schedule that `enableScheduler` alone switched off",
        "the gateway rejects it, or its schedules are due at whole minutes",
      );
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await gateway.admin.call("getReboot"), clock.epochMs());
      const isToTheSecond = await keepsSeconds(gateway, nowMs);
      const instantAfter = isToTheSecond ? nextSecond : nextWholeMinute;
      await using watch = await gateway.watchForRestart();
      const far = farInstants(nowMs);
      const crontab = (): ReturnType<Replacing> => ({
        at: `17 3 11 ${farMonth(clock.epochMs())} *`,
        enableScheduler: true,
      });
      for (const instant of level === "certification" ? far : [random.pick(far)]) {
        const at = dateTime(instant);
        const isFar = await staysUp(context, watch, {
          requirement: "CORE-REBOOT-17",
          what: `reboot soon after a crontab expression and the date-time ${at} replaced an earlier one`,
          instantAfter,
          forMs: isToTheSecond ? undefined : atOnceMs,
          // How long a gateway counts time is not stated.
          mayBeRejected: instant > lastOf32BitsMs,
          before: crontab,
          schedule: () => ({ at, enableScheduler: true }),
        });
        if (!isFar) return;
      }
      if (level === "certification")
        await staysUp(context, watch, {
          requirement: "CORE-REBOOT-17",
          what: "reboot at the time of a date-time that a crontab expression replaced",
          instantAfter,
          schedule: crontab,
        });
      if (isToTheSecond)
        await staysUp(context, watch, {
          requirement: "CORE-REBOOT-35",
          what: "reboot at the time of a schedule that enableScheduler false alone switched off",
          instantAfter,
          mayBeRejected: true,
          schedule: () => ({ enableScheduler: false }),
        });
    },
  }),
  testCase({
    ...due,
    id: "reset/schedule-does-not-come",
    title: "A reboot that was scheduled before a reset of the schedule does not come",
    requirements: ["CORE-REBOOT-31"],
    effect: "resets",
    capabilities: ["reboot", "disruptive-reboot", "reset", "disruptive-reset"],
    async run(context) {
      const { gateway, clock, level, signal, verify, notApplicable, unmet } = context;
      const { admin } = gateway;
      if (level === "smoke") return notApplicable("waits for a schedule; not part of a smoke run", "level");
      const { system } = (await admin.call("getResetCapabilities")).data();
      if (!system.isSupported || !system.scopes.includes("reboot"))
        return notApplicable("the reset capabilities do not offer the scope reboot");
      if (runFacts(context).restartsAfterReset.get("few") === true)
        return notApplicable("a reset restarts the gateway");
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await admin.call("getReboot"), clock.epochMs());
      if (!(await keepsSeconds(gateway, nowMs)))
        return notApplicable("the gateway keeps the minute of a schedule only");
      await using watch = await gateway.watchForRestart();
      const soon = await setSoon(context, (earliestMs) =>
        nextSecond(earliestMs + armedMs + headerResolutionMs),
      );
      if (!soon.answer.accepted) unmet(`setting a date-time failed: ${soon.answer.summary()}`);
      await clock.delay(armedMs, signal);
      const answer = await admin.call("resetToDefault", {
        query: { scopes: ["reboot"], mode: "system", sync: true },
      });
      if (!verify("CORE-REBOOT-31").accepted(answer)) return;
      const leftMs = (): number => soon.dueMs - (clock.nowMs() - soon.clockAnswer.exchange.startedMs);
      // An immediate reset may take a moment.
      if (leftMs() < 2 * headerResolutionMs) unmet("the reset took longer than until the scheduled time");
      // A restart before the time is that of the reset.
      if ((await watch.wentDown(leftMs() - headerResolutionMs / 2)) !== undefined) {
        await backAgain(context, watch);
        return notApplicable("a reset restarts the gateway");
      }
      const down = await watch.wentDown(leftMs() + headerResolutionMs);
      verify("CORE-REBOOT-31").that(down === undefined, {
        what: `reboot at ${soon.at}, scheduled before a reset of the scope reboot`,
        expected: "no reboot",
        observed: down === undefined ? "no reboot" : "reboot",
        evidence: answer,
      });
      if (down !== undefined) await backAgain(context, watch);
    },
  }),
  testCase({
    ...due,
    id: "reboot/schedule-becomes-due",
    title: "An enabled schedule reboots the system at its time, a disabled one does not",
    requirements: [
      "CORE-REBOOT-13",
      "CORE-REBOOT-15",
      "CORE-REBOOT-17",
      "CORE-REBOOT-35",
      "CORE-REBOOT-38",
      "CORE-EVENT-68",
      ...loneRequirements,
    ],
    async run(context) {
      const { gateway, profile, verify, clock, level, random } = context;
      const { admin } = gateway;
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await admin.call("getReboot"), clock.epochMs());
      await verifyAhead(context);
      const isToTheSecond = await keepsSeconds(gateway, nowMs);
      const verifyLone = await changeOneEach(context, 1);
      const verifyBooted = await readLastBoot(context);
      const recorded = await watchRecorded(context, "device reboot");
      await using watch = await gateway.watchForRestart();
      const isOff = await staysUp(context, watch, {
        requirement: "CORE-REBOOT-35",
        what: "reboot at the time of a schedule with enableScheduler false",
        instantAfter: isToTheSecond ? nextSecond : nextWholeMinute,
        schedule: (at) => ({ at, enableScheduler: false }),
      });
      if (!isOff) return;
      // A gateway that reboots at the beginning of the minute shows it where that lies ahead, which takes minutes.
      const on = await setSoon(
        context,
        !isToTheSecond || level === "certification" ? nextMinuteLater : nextLaterSecond,
        [],
        // A gateway may arm its timer only for another time, or only when the scheduler is switched on.
        random.pick([false, true]),
      );
      if (!verify("CORE-REBOOT-17").accepted(on.answer)) return;
      const down = await watch.wentDown(on.dueMs + 2 * profile.patience.settleMs);
      if (down === undefined) {
        verify("CORE-REBOOT-17").that(false, {
          what: "reboot at the date-time of the schedule",
          expected: `${on.dueMs / 1000} s after the request`,
          observed: `none within ${(on.dueMs + 2 * profile.patience.settleMs) / 1000} s`,
          evidence: on.answer,
        });
        // A late reboot must not disturb what follows.
        if ((await watch.wentDown(lateMs)) !== undefined) await backAgain(context, watch);
        return;
      }
      await backAgain(context, watch);
      const delay = delayAfter(on.clockAnswer, down);
      const earliestSec = (stepMs: number): number => (on.dueMs - stepMs) / 1000 - 0.2;
      const isEarly = delay.interval.low < earliestSec(headerResolutionMs);
      verify("CORE-REBOOT-17").within(
        {
          name: "delay from setting the date-time to the reboot",
          unit: "s",
          ...delay,
          limits: {
            low: earliestSec(isEarly ? await clockStepMs(context) : headerResolutionMs),
            high: (on.dueMs + 2 * profile.patience.settleMs) / 1000,
          },
        },
        on.answer,
      );
      await verifyBooted("the scheduled reboot");
      await verifyLone();
      await recorded.verify("CORE-REBOOT-38", "a scheduled reboot");
    },
  }),
];
