import {
  type Answer,
  type CaseContext,
  crontabOf,
  crontabShownFor,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import { nextInstants, nextInstantsNear, tellingExpressions, zonesOf } from "../support/crontab.ts";
import { anyExpressions, expectedInstants, type Zone } from "../support/anyCrontab.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { presence } from "../users/accounts.ts";
import { farMonth, restoreScheduleLater } from "../support/rebootSchedule.ts";
import { memberOf } from "../support/settingCheck.ts";
import { farInstants } from "./dueSchedule.ts";
import { gatewayNowMs } from "./soonDue.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

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
const yearMs = 366 * dayMs;

/** A day of the week, Monday to Friday as 1 to 5, that is not the first day of the month in any time zone. */
function weekdayLaterInMonth(month: number, nowMs: number): number {
  const now = new Date(nowMs);
  const year = now.getUTCFullYear() + (month - 1 < now.getUTCMonth() ? 1 : 0);
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return [3, 4, 2].map((later) => (first + later) % 7).find((day) => day >= 1 && day <= 5) ?? 3;
}

/** The time zone in which the gateway reads crontab expressions, as two of their next times show it. */
async function zoneOf({ gateway, verify }: CaseContext, nowMs: number): Promise<Zone | undefined> {
  const offsetsOf = async (at: string): Promise<number[]> => {
    const answer = await gateway.admin.call("setReboot", { json: { at, enableScheduler: true } });
    const { nextTriggerAt } = answer.data();
    const offsets = zonesOf(at, nowMs, epochMsOf(nextTriggerAt ?? ""));
    verify("CORE-REBOOT-15").that(offsets.length > 0, {
      what: `\`nextTriggerAt\` of the crontab expression "${at}"`,
      expected: `its next time after ${new Date(nowMs).toISOString()} in any time zone`,
      observed: nextTriggerAt,
      evidence: answer,
    });
    return offsets;
  };
  // Some days ahead: due in no time zone.
  const [laterMs] = await offsetsOf(`23 11 ${new Date(nowMs + 3 * dayMs).getUTCDate()} * *`);
  if (laterMs === undefined) return undefined;
  const soon = new Date(nowMs + laterMs + dayMs / 12);
  const [presentMs] = await offsetsOf(
    `${soon.getUTCMinutes()} ${soon.getUTCHours()} ${soon.getUTCDate()} ${soon.getUTCMonth() + 1} *`,
  );
  if (presentMs === undefined) return undefined;
  return { nowMs: presentMs, steadyForMs: presentMs === laterMs ? 2 * dayMs : 0 };
}

/** Noon of the next 29 February. */
function nextLeapDay(nowMs: number): number {
  for (let year = new Date(nowMs).getUTCFullYear(); ; year++) {
    const noonMs = Date.UTC(year, 1, 29, 12);
    if (noonMs > nowMs && new Date(noonMs).getUTCMonth() === 1) return noonMs;
  }
}

export const schedulingCases: readonly TestCase[] = [
  testCase({
    id: "reboot/crontab-is-shown",
    title: "A crontab expression is shown in fields, with its next trigger time",
    group: "reboot",
    requirements: ["CORE-REBOOT-14", "CORE-REBOOT-15", "CORE-REBOOT-18", "CORE-REBOOT-44"],
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
      // An instant before the first expression: its seconds and its year belong to no expression.
      const instant = dateTimeText(Math.floor(nowMs / minuteMs) * minuteMs + 600 * dayMs + 37_000, "Z");
      await admin.call("setReboot", { json: { at: instant, enableScheduler: true } });
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
          verify("CORE-REBOOT-44").equal(presence(shown, "now"), "absent", "`now` in an answer", shown);
          verify("CORE-REBOOT-14").equal(crontabShownFor(at, fields), at, "crontab fields of `at`", shown);
          verify("CORE-REBOOT-18").equal(enableScheduler, true, "`enableScheduler` set to true", shown);
          const next = epochMsOf(nextTriggerAt ?? "");
          verify("CORE-REBOOT-15").that(nextInstants(at, nowMs).has(next), {
            what: `\`nextTriggerAt\` of the crontab expression "${at}"`,
            expected: `its next time after ${new Date(nowMs).toISOString()} in any time zone`,
            observed: nextTriggerAt,
            evidence: shown,
          });
        }
      }
      for (const [enableScheduler, further] of [
        [false, {}],
        [true, { now: false }],
        [false, { now: false }],
      ] as const) {
        const set = await admin.call("setReboot", { json: { at: dated, enableScheduler, ...further } });
        for (const shown of [set, await admin.call("getReboot")]) {
          verify("CORE-REBOOT-18").equal(
            shown.data().enableScheduler,
            enableScheduler,
            `\`enableScheduler\` set to ${enableScheduler}`,
            shown,
          );
          if (!enableScheduler) continue;
          const { nextTriggerAt } = shown.data();
          verify("CORE-REBOOT-15").that(nextInstants(dated, nowMs).has(epochMsOf(nextTriggerAt ?? "")), {
            what: `\`nextTriggerAt\` of the crontab expression "${dated}", switched on again`,
            expected: `its next time after ${new Date(nowMs).toISOString()} in any time zone`,
            observed: nextTriggerAt,
            evidence: shown,
          });
        }
      }
    },
  }),
  testCase({
    id: "reboot/lists-and-ranges-count-whole",
    title: "Every element of crontab lists, ranges and steps counts for the next trigger time",
    group: "reboot",
    requirements: ["CORE-REBOOT-14", "CORE-REBOOT-15"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock, random } = context;
      const { admin } = gateway;
      await restoreScheduleLater(context);
      const nowMs = gatewayNowMs(await admin.call("getReboot"), clock.epochMs());
      const zone = await zoneOf(context, nowMs);
      if (zone === undefined) return;
      const zoneMs = zone.nowMs;
      for (const at of tellingExpressions(zoneMs, nowMs)) {
        const answer = await admin.call("setReboot", { json: { at, enableScheduler: true } });
        if (!verify("CORE-REBOOT-14").accepted(answer)) continue;
        const { nextTriggerAt } = answer.data();
        const expected = nextInstantsNear(zoneMs, at, nowMs);
        verify("CORE-REBOOT-15").that(expected.has(epochMsOf(nextTriggerAt ?? "")), {
          what: `\`nextTriggerAt\` of the crontab expression "${at}"`,
          expected: [...expected].map((ms) => new Date(ms).toISOString())[0] ?? "none",
          observed: nextTriggerAt,
          evidence: answer,
        });
      }
      for (const one of anyExpressions(random, nowMs, zone)) {
        const answer = await admin.call("setReboot", { json: { at: one.at, enableScheduler: true } });
        if (one.mayBeRejected && answer.status >= 400 && answer.status < 500) continue;
        if (!verify("CORE-REBOOT-14").accepted(answer)) continue;
        const { at: fields, nextTriggerAt } = answer.data();
        verify("CORE-REBOOT-14").equal(
          crontabShownFor(one.at, fields),
          one.at,
          "crontab fields of `at`",
          answer,
        );
        const expected = expectedInstants(one, nowMs, zone);
        verify("CORE-REBOOT-15").that(expected.has(epochMsOf(nextTriggerAt ?? "")), {
          what: `\`nextTriggerAt\` of the crontab expression "${one.at}"`,
          expected: new Date(one.localMs - zoneMs).toISOString(),
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
      // Days ahead, because it must not become due.
      const base = nowMs + 45 * dayMs;
      const fractions = ["", ".5", ".000000", ".250"];
      const offsets = ["Z", "+00:00", "+05:30", "-03:30"] as const;
      const instants = [
        ...[0, 1, 2, 3, 4, 6].map((index) => base + index * 61 * minuteMs),
        ...farInstants(nowMs),
        nextLeapDay(nowMs),
        ...[20, 400].map((days) => nowMs + days * dayMs),
      ];
      for (const [index, instant] of instants.entries()) {
        // A whole minute, because crontab fields show minutes.
        const wanted = Math.ceil(instant / minuteMs) * minuteMs;
        const fraction = fractions[index % fractions.length] ?? "";
        const sent = wanted + Number(fraction) * 1000;
        const at = dateTimeText(wanted, offsets[(index + Math.floor(index / 4)) % 4] ?? "Z", fraction);
        const answer = await gateway.admin.call("setReboot", {
          json: { at, enableScheduler: true },
        });
        // How long a gateway counts time is not stated.
        if (wanted > nowMs + yearMs && answer.rejected) continue;
        if (!verify("CORE-REBOOT-16").accepted(answer)) continue;
        for (const shown of [answer, await gateway.admin.call("getReboot")]) {
          const { nextTriggerAt } = shown.data();
          // A gateway may round to whole seconds, up or down.
          verify("CORE-REBOOT-16").that(Math.abs(epochMsOf(nextTriggerAt ?? "") - sent) < 1000, {
            what: `\`nextTriggerAt\` of the date-time ${at}`,
            expected: new Date(sent).toISOString(),
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
          crontabShownFor(crontabOf(at), answer.data().at),
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
