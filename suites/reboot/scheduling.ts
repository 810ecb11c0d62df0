import type { Answer } from "../../harness/client/answer.ts";
import type { GatewayUnderTest } from "../../harness/client/gatewayUnderTest.ts";
import type { CaseContext } from "../../harness/suite/context.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";

/** The gateway's own idea of now: its Date header where it sends one, with a second's resolution. */
function gatewayNowMs(answer: Answer, fallbackMs: number): number {
  const header = Date.parse(answer.headers["date"] ?? "");
  return Number.isNaN(header) ? fallbackMs : header;
}

/** Disarms the scheduler at the end, whatever was set. */
function disarmLater({ gateway, scratch }: CaseContext): void {
  scratch.undo("reboot schedule", () =>
    gateway.admin.call("setReboot", { json: { enableScheduler: false } }),
  );
}

async function schedule(gateway: GatewayUnderTest, at: string): Promise<Answer<"setReboot">> {
  return gateway.admin.call("setReboot", { json: { at, enableScheduler: true } });
}

const wrongTimes = [
  "every day",
  "61 * * * *",
  "* * * *",
  "0 25 * * *",
  "2026-13-01T00:00:00Z",
  "2026-02-30T25:00:00Z",
  "*/0 * * * *",
];

export const schedulingCases: readonly TestCase[] = [
  testCase({
    id: "reboot/crontab-is-shown",
    title: "A crontab expression is shown field by field, with the next instant that it names",
    group: "reboot",
    requirements: ["CORE-REBOOT-14", "CORE-REBOOT-15", "CORE-REBOOT-18"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock } = context;
      disarmLater(context);
      const nowMs = gatewayNowMs(await gateway.admin.call("getReboot"), clock.epochMs());
      // Half an hour away from now, so that no schedule of this case can become due.
      const minute = (new Date(nowMs).getUTCMinutes() + 30) % 60;
      for (const [at, fields, withinMs] of [
        [
          `${minute} * * * *`,
          { minute: String(minute), hour: "*", day: "*", month: "*", dayOfWeek: "*" },
          3_600_000,
        ],
        [
          `${minute} 3 * * *`,
          { minute: String(minute), hour: "3", day: "*", month: "*", dayOfWeek: "*" },
          86_400_000,
        ],
        [
          `${minute} 4 1 1 *`,
          { minute: String(minute), hour: "4", day: "1", month: "1", dayOfWeek: "*" },
          366 * 86_400_000,
        ],
        [
          `${minute} 5 * * 1`,
          { minute: String(minute), hour: "5", day: "*", month: "*", dayOfWeek: "1" },
          7 * 86_400_000,
        ],
      ] as const) {
        const answer = await schedule(gateway, at);
        if (!verify("CORE-REBOOT-14").accepted(answer)) continue;
        for (const shown of [answer, await gateway.admin.call("getReboot")]) {
          const data = shown.data();
          const { minute: m, hour, day, month, dayOfWeek } = data.at;
          verify("CORE-REBOOT-14").equal(
            { minute: m, hour, day, month, dayOfWeek },
            fields,
            `the fields of ${at}`,
            shown,
          );
          verify("CORE-REBOOT-18").equal(data.enableScheduler, true, "enableScheduler", shown);
          const next = Date.parse(data.nextTriggerAt);
          // The zone of the crontab is not stated, but all zones are whole quarters of an hour apart.
          const isOnMinute = (new Date(next).getUTCMinutes() - minute + 60) % 15 === 0;
          verify("CORE-REBOOT-15").that(
            next > nowMs - 2000 && next <= nowMs + withinMs + 86_400_000 / 24 && isOnMinute,
            {
              what: `nextTriggerAt of ${at}`,
              expected: `at minute ${minute}, after ${new Date(nowMs).toISOString()} and within ${withinMs / 3_600_000} h`,
              observed: data.nextTriggerAt,
              evidence: shown,
            },
          );
        }
      }
      const off = await gateway.admin.call("setReboot", { json: { enableScheduler: false } });
      verify("CORE-REBOOT-18").equal(
        off.data().enableScheduler,
        false,
        "enableScheduler after it was switched off",
        off,
      );
    },
  }),
  testCase({
    id: "reboot/date-time-is-taken",
    title: "A date-time is taken as the time of a reboot and shown as the next trigger",
    group: "reboot",
    requirements: ["CORE-REBOOT-16"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot", "disruptive-reboot"],
    async run(context) {
      const { gateway, verify, clock } = context;
      disarmLater(context);
      const nowMs = gatewayNowMs(await gateway.admin.call("getReboot"), clock.epochMs());
      // A whole minute, because the schedule is kept in crontab fields.
      const wanted = Math.ceil((nowMs + 5_400_000) / 60_000) * 60_000;
      for (const at of [
        new Date(wanted).toISOString(),
        new Date(wanted).toISOString().replace(".000Z", "+00:00"),
      ]) {
        const answer = await schedule(gateway, at);
        if (!verify("CORE-REBOOT-16").accepted(answer)) continue;
        const shown = Date.parse(answer.data().nextTriggerAt);
        verify("CORE-REBOOT-16").that(Math.abs(shown - wanted) < 1000, {
          what: `nextTriggerAt for ${at}`,
          expected: new Date(wanted).toISOString(),
          observed: answer.data().nextTriggerAt,
          evidence: answer,
        });
      }
    },
  }),
  testCase({
    id: "reboot/wrong-times-are-refused",
    title: "What is neither now, nor a date-time, nor a crontab expression is refused and arms nothing",
    group: "reboot",
    requirements: ["CORE-REBOOT-20"],
    effect: "reversible",
    touches: ["reboot-schedule"],
    capabilities: ["reboot"],
    async run({ gateway, verify }) {
      const before = (await gateway.admin.call("getReboot")).data();
      for (const at of wrongTimes) {
        verify("CORE-REBOOT-20").refused(await gateway.admin.callInvalid("setReboot", { json: { at } }));
        const after = await gateway.admin.call("getReboot");
        verify("CORE-REBOOT-20").equal(
          after.data().enableScheduler,
          before.enableScheduler,
          `enableScheduler after ${at}`,
          after,
        );
      }
    },
  }),
];
