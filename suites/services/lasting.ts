// What a switched service leaves alone, and how long it stays switched.
import { type SettingName, settingNames, type TestCase, testCase } from "../../harness/index.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { invertServices, laterSwitches, serviceSwitches } from "../support/serviceSwitches.ts";

/** Time for which services stay off: a watch over processes may look every half minute. */
const offMs: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 12_000, certification: 70_000 };

/** Services that other cases need, or that stand for a switch of a setting. */
const neededMeanwhile = /^(?:modbus|eventlog|syslog|provision|ssh|http|sdcard)/;

/** Without the schedule of reboots, which is of no service. */
const marked = settingNames.filter((name) => name !== "reboot-schedule");

export const lastingCases: readonly TestCase[] = [
  testCase({
    id: "services/switching-keeps-settings",
    title: "Switching services changes no number or text of a setting",
    group: "services",
    requirements: ["CORE-SERVICE-33"],
    effect: "reversible",
    // A service may be the master that polls the field devices.
    touches: [...settingNames, "services", "event-log", "field-devices"],
    capabilities: ["services"],
    deadlineMs: 120_000,
    async run(context) {
      const { verify, notApplicable } = context;
      const settings = await markSettings(context, marked);
      const expected = await valuesOf(settings);
      for (const time of ["first", "second"] as const) {
        const before = await serviceSwitches(context);
        await invertServices(context);
        const after = await serviceSwitches(context);
        const switched = Object.keys(before).filter((id) => before[id] !== after[id]);
        if (switched.length === 0) notApplicable("the profile names no switchable service that is available");
        verify("CORE-SERVICE-33").equal(
          await valuesOf(settings),
          expected,
          `numbers and texts of the settings after the ${time} switch of ${switched.join(", ")}`,
        );
      }
    },
  }),
  testCase({
    id: "services/switched-services-stay",
    title: "Services that were disabled stay disabled",
    group: "services",
    requirements: ["CORE-SERVICE-16"],
    effect: "reversible",
    touches: [],
    // Services that no other case needs; an app may depend on one.
    addsTo: ["services"],
    reliesOn: ["apps"],
    capabilities: ["services"],
    leastMs: offMs.nightly,
    deadlineMs: 180_000,
    async run(context) {
      const { gateway, profile, level, clock, signal, verify, notApplicable, scratch } = context;
      const { admin } = gateway;
      const before = await serviceSwitches(context);
      const off: string[] = [];
      for (const id of profile.switchableServices.filter((one) => !neededMeanwhile.test(one))) {
        const path = { id: id as ServiceId };
        const wasOn = before[id];
        if (wasOn === undefined) continue;
        scratch.undo(`service ${id}`, () => admin.call(wasOn ? "enableService" : "disableService", { path }));
        const answer = await admin.call("disableService", { path });
        if (answer.accepted && answer.data().enable === false) off.push(id);
      }
      if (off.length === 0) notApplicable("no service may be disabled for a while");
      await clock.delay(offMs[level], signal);
      const expected = { ...before, ...Object.fromEntries(off.map((id) => [id, false])) };
      const after = await laterSwitches(context, expected);
      verify("CORE-SERVICE-16").equal(
        off.filter((id) => after[id] === true),
        [],
        `services that are enabled ${offMs[level] / 1000} s after they were disabled`,
      );
    },
  }),
];

/** The members of settings that no switch of a service can stand for. */
async function valuesOf(settings: readonly MarkedSetting[]): Promise<object> {
  const read = async ({ name, read: now }: MarkedSetting): Promise<[SettingName, unknown]> => [
    name,
    withoutSwitches(await now()),
  ];
  return Object.fromEntries(await Promise.all(settings.map(read)));
}

function withoutSwitches(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => typeof member !== "boolean");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSwitches(member)]));
}
