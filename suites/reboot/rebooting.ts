import { testCase, type TestCase } from "../../harness/suite/case.ts";
import { memberOf } from "../support/settingCheck.ts";

/** "Immediately" has no number; a reboot that takes as long as one after apply is not immediate. */
const immediateWithinSec = 4.5;

export const rebootCases: readonly TestCase[] = [
  ...(
    [
      ["reboot/now-flag", "CORE-REBOOT-11", { now: true }, "With now the system reboots immediately"],
      ["reboot/at-now", "CORE-REBOOT-12", { at: "now" }, "With at set to now the system reboots immediately"],
    ] as const
  ).map(([id, requirement, json, title]) =>
    testCase({
      id,
      title: `${title}, comes back with a later lastBootAt, and has kept what was set`,
      group: "reboot",
      requirements: [
        requirement,
        "CORE-REBOOT-13",
        "CORE-REBOOT-19",
        "CORE-REBOOT-38",
        "CORE-SERVICE-30",
        "CORE-SERVICE-31",
        "CORE-PROVISION-11",
        "CORE-LOG-28",
      ],
      effect: "reboots",
      touches: ["everything"],
      capabilities: ["reboot", "disruptive-reboot", "ssh", "services", "provision", "log", "events"],
      deadlineMs: 180_000,
      async run({ gateway, profile, verify, scratch, random, clock }) {
        const { admin } = gateway;
        const ssh = (await admin.call("getSsh")).data();
        const provision = (await admin.call("getProvision")).data();
        const { disks: _disks, desiredDiskCacheSizeMB, ...log } = (await admin.call("getLog")).data();
        scratch.undo("SSH configuration", () => admin.call("setSsh", { json: ssh }));
        scratch.undo("provisioning configuration", () => admin.call("setProvision", { json: provision }));
        scratch.undo("log configuration", () =>
          admin.call("setLog", { json: { ...log, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) } }),
        );
        scratch.undo("reboot schedule", () => admin.call("setReboot", { json: { enableScheduler: false } }));
        const minute = (new Date(clock.epochMs()).getUTCMinutes() + 30) % 60;
        (await admin.call("setReboot", { json: { at: `${minute} 3 1 1 *`, enableScheduler: true } })).data();
        (await admin.call("setSsh", { json: { ...ssh, port: random.integer(20_000, 60_000) } })).data();
        (
          await admin.call("setProvision", {
            json: {
              enable: provision.enable,
              schedule: { enable: false, disableAfterSec: random.integer(1000, 80_000) },
            },
          })
        ).data();
        (await admin.call("setLog", { json: { timeToLiveSec: random.integer(100_000, 900_000) } })).data();
        const kept = await Promise.all([
          admin.call("getSsh"),
          admin.call("listServices"),
          admin.call("getProvision"),
          admin.call("getLog"),
        ]);
        const before = (await admin.call("getReboot")).data();
        const eventsBefore = (
          await admin.call("getEvents", { query: { limit: 1, eventNames: "device reboot" } })
        ).body().total;

        await using watch = await gateway.watchForRestart();
        const command = await admin.call("setReboot", { json });
        if (!command.accepted && command.status !== 0) verify(requirement).accepted(command);
        const { startedMs } = command.exchange;
        const down = await watch.wentDown(20_000);
        if (down === undefined) {
          verify(requirement).that(false, {
            what: "the reboot",
            expected: "immediately",
            observed: "none within 20 s",
            evidence: command,
          });
          return;
        }
        verify(requirement).within(
          {
            name: "delay from the request to the reboot",
            unit: "s",
            interval: {
              low: Math.max(0, (down.low - startedMs) / 1000),
              high: (down.high - startedMs) / 1000,
            },
            limits: { low: 0, high: immediateWithinSec },
            observers: ["request probe"],
          },
          command,
        );
        await watch.restarted({ downWithinMs: 1000, upWithinMs: profile.patience.bootMs });
        gateway.signInsWereLost();

        const after = await admin.call("getReboot");
        verify("CORE-REBOOT-13").that(Date.parse(after.data().lastBootAt) > Date.parse(before.lastBootAt), {
          what: "lastBootAt after the reboot",
          expected: `later than ${before.lastBootAt}`,
          observed: after.data().lastBootAt,
          evidence: after,
        });
        verify("CORE-REBOOT-19").equal(
          { at: after.data().at, on: after.data().enableScheduler },
          { at: before.at, on: before.enableScheduler },
          "the schedule after the reboot",
          after,
        );
        for (const [id, was, is, member] of [
          ["CORE-SERVICE-30", kept[0], await admin.call("getSsh"), "port"],
          ["CORE-SERVICE-30", kept[0], await admin.call("getSsh"), "enable"],
          ["CORE-SERVICE-31", kept[1], await admin.call("listServices"), "service"],
          ["CORE-SERVICE-31", kept[1], await admin.call("listServices"), "network"],
          ["CORE-PROVISION-11", kept[2], await admin.call("getProvision"), "schedule"],
          ["CORE-LOG-28", kept[3], await admin.call("getLog"), "timeToLiveSec"],
        ] as const) {
          verify(id).equal(
            memberOf(is, member),
            memberOf(was, member),
            `${member} of ${is.operation} after the reboot`,
            is,
          );
        }
        const events = await admin.call("getEvents", { query: { limit: 1, eventNames: "device reboot" } });
        verify("CORE-REBOOT-38").that(events.body().total > eventsBefore, {
          what: "events named device reboot",
          expected: `more than ${eventsBefore}`,
          observed: events.body().total,
          evidence: events,
        });
      },
    }),
  ),
];
