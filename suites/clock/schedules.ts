// Scheduled reboots while the clock is set.
import { type CaseContext, type RestartWatch, type TestCase, testCase } from "../../harness/index.ts";
import { gatewayTimeMs, restoreTimeLater, setTime } from "../support/gatewayTime.ts";
import { restoreScheduleLater } from "../support/rebootSchedule.ts";
import { backAgain } from "../support/restart.ts";
import { hourMs, shared } from "./shared.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const minuteMs = 60_000;
/** Between what the clock shows and the reboot. */
const lateMs = 5000;
/** Between setting the clock and the due time, and the same for what must not happen. */
const aheadMs = 4000;

/** Schedules one reboot; not applicable where the gateway takes no single time. */
async function scheduleAt({ gateway, notApplicable }: CaseContext, dueMs: number): Promise<void> {
  const json = { at: new Date(dueMs).toISOString(), enableScheduler: true };
  const answer = await gateway.admin.call("setReboot", { json });
  if (!answer.accepted) notApplicable(`a reboot at one time is rejected: ${answer.summary()}`);
}

/** Waits for the reboot; answers the seconds that it took, or undefined without one. */
async function awaitReboot(
  context: CaseContext,
  watch: RestartWatch,
  withinMs: number,
): Promise<number | undefined> {
  const startedMs = context.clock.nowMs();
  const down = await watch.wentDown(withinMs);
  if (down === undefined) return undefined;
  await backAgain(context, watch);
  return (down.low - startedMs) / 1000;
}

const reboots = { ...shared, capabilities: ["reboot", "disruptive-reboot", "events", "auth"] } as const;

export const scheduleCases: readonly TestCase[] = [
  testCase({
    ...reboots,
    id: "clock/schedule-follows-the-clock",
    title: "A scheduled reboot happens when the clock shows its time",
    requirements: ["CORE-CLOCK-05", "CORE-CLOCK-08"],
    async run(context) {
      const { gateway, verify, clock, profile } = context;
      await restoreScheduleLater(context);
      await restoreTimeLater(context);
      // Due in a minute by the clock, and in seconds once the clock is set forward.
      const dueMs = clock.epochMs() + 2 * minuteMs;
      await scheduleAt(context, dueMs);
      {
        await using watch = await gateway.watchForRestart();
        await setTime(context, 2 * minuteMs - aheadMs);
        const tookSec = await awaitReboot(context, watch, aheadMs + lateMs + profile.patience.settleMs);
        verify("CORE-CLOCK-05").that(tookSec !== undefined && tookSec <= (aheadMs + lateMs) / 1000, {
          what: `reboot that was two minutes away, after the clock was set forward to ${aheadMs / 1000} s before it`,
          expected: `within ${(aheadMs + lateMs) / 1000} s`,
          observed: tookSec === undefined ? "none" : `after ${tookSec.toFixed(1)} s`,
        });
      }
      // Due in seconds by the clock, and in an hour once the clock is set back.
      await setTime(context, 0);
      await using watch = await gateway.watchForRestart();
      await scheduleAt(context, clock.epochMs() + 2 * aheadMs);
      await setTime(context, -hourMs);
      const early = await awaitReboot(context, watch, 2 * aheadMs + lateMs);
      verify("CORE-CLOCK-05").that(early === undefined, {
        what: "reboot that was seconds away, after the clock was set back one hour",
        expected: `none within ${(2 * aheadMs + lateMs) / 1000} s`,
        observed: early === undefined ? "none" : `after ${early.toFixed(1)} s`,
      });
      gateway.signInsWereLost();
      await gateway.admin.call("setReboot", { json: { enableScheduler: false } });
      const asked = await gateway.admin.call("setReboot", { json: { now: true } });
      if ((await awaitReboot(context, watch, profile.patience.settleMs)) === undefined)
        return verify("CORE-CLOCK-08").notApplicable(
          "`lastBootAt` after a reboot",
          `the gateway did not reboot; the answer to the request was ${asked.summary()}`,
        );
      const { lastBootAt } = (await gateway.admin.call("getReboot")).data();
      const nowMs = await gatewayTimeMs(context);
      verify("CORE-CLOCK-08").that(epochMsOf(lastBootAt) <= nowMs + minuteMs, {
        what: "`lastBootAt` after a reboot with the clock one hour back",
        expected: `not after the gateway's time, ${new Date(nowMs).toISOString()}`,
        observed: lastBootAt,
      });
    },
  }),
  testCase({
    ...reboots,
    id: "clock/one-reboot-at-one-time",
    title: "A reboot at one time happens once, also when the clock passes it again",
    requirements: ["CORE-CLOCK-04"],
    async run(context) {
      const { gateway, verify, clock } = context;
      await restoreScheduleLater(context);
      await restoreTimeLater(context);
      const dueMs = clock.epochMs() + hourMs;
      await scheduleAt(context, dueMs);
      let reboots = 0;
      // Over the due time, where a gateway may make up for the reboot or leave it out; then twice to shortly before it.
      for (const [fromDueMs, withinMs] of [
        [minuteMs, lateMs],
        [-aheadMs, aheadMs + lateMs],
        [-aheadMs, aheadMs + lateMs],
      ] as const) {
        await using watch = await gateway.watchForRestart();
        await setTime(context, dueMs + fromDueMs - clock.epochMs());
        if ((await awaitReboot(context, watch, withinMs)) !== undefined) reboots += 1;
      }
      verify("CORE-CLOCK-04").that(reboots <= 1, {
        what: "reboots at one time, which the clock passed three times",
        expected: "at most one",
        observed: reboots,
      });
    },
  }),
  testCase({
    ...reboots,
    id: "clock/crontab-at-the-end-of-february",
    title: "A crontab expression is due on 29 February when the clock arrives there",
    requirements: ["CORE-CLOCK-05"],
    async run(context) {
      const { gateway, verify, clock, notApplicable } = context;
      await restoreScheduleLater(context);
      await restoreTimeLater(context);
      // Some days before: the gateway says itself, in its own time zone, when it will be due.
      await setTime(context, epochMsOf("2028-02-26T12:00:00Z") - clock.epochMs());
      const at = { minute: "30", hour: "2", day: "29", month: "2", dayOfWeek: "*" };
      const set = await gateway.admin.call("setReboot", { json: { at, enableScheduler: true } });
      if (!set.accepted) notApplicable(`the crontab expression is rejected: ${set.summary()}`);
      const dueMs = epochMsOf((await gateway.admin.call("getReboot")).data().nextTriggerAt ?? "");
      if (Number.isNaN(dueMs) || Math.abs(dueMs - epochMsOf("2028-02-29T02:30:00Z")) > 24 * hourMs)
        notApplicable("`nextTriggerAt` is not in February 2028; cases of the schedule look at that");
      await using watch = await gateway.watchForRestart();
      await setTime(context, dueMs - aheadMs - clock.epochMs());
      const tookSec = await awaitReboot(context, watch, aheadMs + lateMs);
      verify("CORE-CLOCK-05").that(tookSec !== undefined, {
        what: `reboot on 29 February, after the clock was set to ${aheadMs / 1000} s before \`nextTriggerAt\``,
        expected: `within ${(aheadMs + lateMs) / 1000} s`,
        observed: tookSec === undefined ? "none" : `after ${tookSec.toFixed(1)} s`,
      });
    },
  }),
];
