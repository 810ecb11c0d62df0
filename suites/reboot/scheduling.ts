import { type Answer, crontabOf, type TestCase, testCase } from "../../harness/index.ts";
import { nextInstants, nextInstantsNear, tellingExpressions, zonesOf } from "../support/crontab.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { farMonth, restoreScheduleLater } from "../support/rebootSchedule.ts";
import { memberOf } from "../support/settingCheck.ts";
import { gatewayNowMs } from "./dueSchedule.ts";

const wrongTimes = [
  "every day",
  "61 * * * *",
  "* * * *",
  "0 25 * * *",
  "0 0 32 * *",
  "0 0 * 13 *",
  "2099-13-01T00:00:00Z",
  "2099-02-30T25:00:00Z",
];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A day of the week, Monday to Friday as 1 to 5, that is not the first day of the month in any time zone. */
function weekdayLaterInMonth(month: number, nowMs: number): number {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear() + (month - 1 < now.getUTCMonth() ? 1 : 0);
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return [3, 4, 2].map((later) => (first + later) % 7).find((day) => day >= 1 && day <= 5) ?? 3;
}

export const schedulingCases: readonly TestCase[] = [
  testCase({
    id: "reboot/crontab-is-shown",
    title: "A crontab expression is shown in fields, with its next trigger time",
    group: "reboot",
    requirements: ["CORE-REBOOT-14", "CORE-REBOOT-15", "CORE-REBOOT-18"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock, random } = context;
      const { admin } = gateway;
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await admin.call("getReboot"), clock.epochMs());
      const month = farMonth(nowMs);
      const [minute, hour, day] = [random.integer(13, 59), random.integer(1, 12), random.integer(13, 27)];
      const dated = `${minute} ${hour} ${day} ${month} *`;
      for (const at of [
        `${minute} ${hour} * ${month} ${weekdayLaterInMonth(month, nowMs)}`,
        `${minute - 10},${minute} ${hour}-${hour + 3} 1-9 ${month} *`,
        `*/20 ${hour} ${day} ${month} *`,
        dated,
      ]) {
        const answer = await admin.call("setReboot", { json: { at, enableScheduler: true } });
        if (!verify("CORE-REBOOT-14").accepted(answer)) continue;
        for (const shown of [answer, await admin.call("getReboot")]) {
          const { at: fields, enableScheduler, nextTriggerAt } = shown.data();
          verify("CORE-REBOOT-14").equal(crontabOf(fields), at, "crontab fields of `at`", shown);
          verify("CORE-REBOOT-18").equal(enableScheduler, true, "`enableScheduler` set to true", shown);
          const next = Date.parse(nextTriggerAt ?? "");
          verify("CORE-REBOOT-15").that(nextInstants(at, nowMs).has(next), {
            what: `\`nextTriggerAt\` of the crontab expression "${at}"`,
            expected: `its next time after ${new Date(nowMs).toISOString()} in any time zone`,
            observed: nextTriggerAt,
            evidence: shown,
          });
        }
      }
      const off = await admin.call("setReboot", { json: { at: dated, enableScheduler: false } });
      for (const shown of [off, await admin.call("getReboot")])
        verify("CORE-REBOOT-18").equal(
          shown.data().enableScheduler,
          false,
          "`enableScheduler` set to false",
          shown,
        );
    },
  }),
  testCase({
    id: "reboot/lists-and-ranges-count-whole",
    title: "Every element of crontab lists and ranges counts for the next trigger time",
    group: "reboot",
    requirements: ["CORE-REBOOT-14", "CORE-REBOOT-15"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock } = context;
      const { admin } = gateway;
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await admin.call("getReboot"), clock.epochMs());
      // Some days ahead: due in no time zone, and its next time shows in which zone the gateway reads expressions.
      const probe = `23 11 ${new Date(nowMs + 3 * dayMs).getUTCDate()} * *`;
      const probed = await admin.call("setReboot", { json: { at: probe, enableScheduler: true } });
      const shownMs = Date.parse(probed.data().nextTriggerAt ?? "");
      const [zoneMs] = zonesOf(probe, nowMs, shownMs);
      verify("CORE-REBOOT-15").that(zoneMs !== undefined, {
        what: `\`nextTriggerAt\` of the crontab expression "${probe}"`,
        expected: `its next time after ${new Date(nowMs).toISOString()} in any time zone`,
        observed: probed.data().nextTriggerAt,
        evidence: probed,
      });
      if (zoneMs === undefined) return;
      for (const at of tellingExpressions(zoneMs, nowMs)) {
        const answer = await admin.call("setReboot", { json: { at, enableScheduler: true } });
        if (!verify("CORE-REBOOT-14").accepted(answer)) continue;
        const { nextTriggerAt } = answer.data();
        const expected = nextInstantsNear(zoneMs, at, nowMs);
        verify("CORE-REBOOT-15").that(expected.has(Date.parse(nextTriggerAt ?? "")), {
          what: `\`nextTriggerAt\` of the crontab expression "${at}"`,
          expected: [...expected].map((ms) => new Date(ms).toISOString())[0] ?? "none",
          observed: nextTriggerAt,
          evidence: answer,
        });
      }
    },
  }),
  testCase({
    id: "reboot/date-time-is-taken",
    title: "A date-time with any offset becomes the next trigger time",
    group: "reboot",
    requirements: ["CORE-REBOOT-16"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock } = context;
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await gateway.admin.call("getReboot"), clock.epochMs());
      // A whole minute, because crontab fields show minutes; days ahead, because it must not become due.
      const base = Math.ceil((nowMs + 45 * dayMs) / minuteMs) * minuteMs;
      const fractions = ["", ".5", ".000000", ".250"];
      for (const [index, offset] of (["Z", "+00:00", "+05:30", "-03:00", "Z", "+05:30"] as const).entries()) {
        const wanted = base + index * 61 * minuteMs;
        const at = dateTimeText(wanted, offset, fractions[index % fractions.length]);
        const answer = await gateway.admin.call("setReboot", {
          json: { at, enableScheduler: true },
        });
        if (!verify("CORE-REBOOT-16").accepted(answer)) continue;
        for (const shown of [answer, await gateway.admin.call("getReboot")]) {
          const { nextTriggerAt } = shown.data();
          verify("CORE-REBOOT-16").that(Math.abs(Date.parse(nextTriggerAt ?? "") - wanted) < 1000, {
            what: `\`nextTriggerAt\` of the date-time ${at}`,
            expected: new Date(wanted).toISOString(),
            observed: nextTriggerAt,
            evidence: shown,
          });
        }
      }
    },
  }),
  testCase({
    id: "reboot/crontab-object-is-taken",
    title: "A crontab object is accepted as `at`",
    group: "reboot",
    requirements: ["CORE-REBOOT-43"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock, random } = context;
      await restoreScheduleLater(context);
      const at = {
        minute: String(random.integer(0, 59)),
        hour: String(random.integer(0, 23)),
        day: String(random.integer(1, 27)),
        month: String(farMonth(clock.epochMs())),
        dayOfWeek: "*",
      };
      const answer = await gateway.admin.call("setReboot", {
        json: { at, enableScheduler: true },
      });
      if (verify("CORE-REBOOT-43").accepted(answer)) {
        verify("CORE-REBOOT-43").equal(
          crontabOf(answer.data().at),
          crontabOf(at),
          "crontab fields of `at`",
          answer,
        );
      }
    },
  }),
  testCase({
    id: "reboot/wrong-times-are-refused",
    title: "Invalid values of `at` leave the schedule unchanged",
    group: "reboot",
    requirements: ["CORE-REBOOT-20", "CORE-GENERAL-09"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock, unmet } = context;
      await restoreScheduleLater(context);
      const scheduleOf = (answer: Answer): object => ({
        at: memberOf(answer, "at"),
        enableScheduler: memberOf(answer, "enableScheduler"),
      });
      const scheduled = await gateway.admin.call("setReboot", {
        json: { at: `17 3 11 ${farMonth(clock.epochMs())} *`, enableScheduler: true },
      });
      if (!scheduled.accepted) unmet(`a schedule was rejected: ${scheduled.summary()}`);
      const first = await gateway.admin.call("getReboot");
      if (!first.accepted) first.body();
      for (const at of wrongTimes) {
        verify("CORE-GENERAL-09").refused(await gateway.admin.callInvalid("setReboot", { json: { at } }));
        const after = await gateway.admin.call("getReboot");
        verify("CORE-REBOOT-20").equal(
          scheduleOf(after),
          scheduleOf(first),
          `schedule after the invalid value "${at}"`,
          after,
        );
      }
    },
  }),
];
