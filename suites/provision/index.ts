import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { checkWrongInput, keptMember, memberOf } from "../support/settingCheck.ts";

/** An hour: which largest value a gateway takes is not stated, and a shorter one would make the schedule useless. */
const longestSec = 3600;
/** Seconds that a timer of 32 bits in milliseconds does not hold: signed it ends at once, unsigned after 704 ms. */
const beyondTimers = [2_147_484, 4_294_968];
/** At nightly level long enough to detect a delay that is wrong by half despite the tolerance. */
const scheduleSec: Readonly<Record<CampaignLevel, number>> = { smoke: 2, nightly: 6, certification: 6 };
const beyondTimersMs = 1100;
/** Whether the 2 s of a schedule count from its set or from its use is not stated: both are under way until then. */
const beginsWithinMs = 1500;

/** Checks that a further schedule, which is shown as under way, disables provisioning. */
async function verifyDisables(
  { gateway: { admin }, profile, verify, waitFor }: CaseContext,
  seconds: number,
  how: string,
  evidence: Answer,
): Promise<void> {
  const isOff = async (): Promise<true | undefined> =>
    memberOf(await admin.call("getProvision"), "enable") === false || undefined;
  const deadlineMs = seconds * 1000 + profile.patience.settleMs;
  const wait = waitFor("provisioning to be disabled by a further schedule", isOff, { deadlineMs });
  const isDisabled = await wait.catch(() => false);
  verify("CORE-PROVISION-09").that(isDisabled, {
    what: `provisioning with a further schedule of ${seconds} s, ${how}`,
    expected: `disabled within ${deadlineMs / 1000} s`,
    observed: isDisabled ? "disabled" : "still enabled",
    evidence,
  });
}

/** Checks that provisioning, or its schedule, that is switched on as a service starts the seconds. */
async function verifySwitchedOn(context: CaseContext): Promise<void> {
  const { clock, gateway, declares, profile, verify } = context;
  const { admin } = gateway;
  for (const [id, enable] of [
    ["provision", false],
    ["provisionschedule", true],
  ] as const) {
    const skip = (why: string): void =>
      verify("CORE-PROVISION-09").notApplicable(`a schedule that the service ${id} starts`, why);
    if (!declares("services") || !profile.switchableServices.includes(id)) {
      skip("the profile does not declare that it can be switched");
      continue;
    }
    const json = { enable, schedule: { enable: !enable, disableAfterSec: 2 } };
    const { exchange } = await admin.call("setProvision", { json });
    await admin.call("enableService", { path: { id } });
    const on = await admin.call("getProvision");
    // Whether the service switches this configuration is not stated, nor whether the seconds began before.
    if (memberOf(on, "enable") !== true || memberOf(on, "schedule.enable") !== true)
      skip(`Get provisioning returned ${on.summary()}`);
    else if (clock.nowMs() - exchange.startedMs > beginsWithinMs) skip("the seconds may be over");
    else await verifyDisables(context, 2, `switched on as the service ${id}`, on);
  }
}

/** Checks that a schedule under way that is switched off as a service does not disable provisioning. */
async function verifySwitchedOff(context: CaseContext): Promise<void> {
  const { gateway, clock, declares, profile, signal, verify } = context;
  const { admin } = gateway;
  const what = "`enable` 3 s after a schedule of 2 s was switched off as a service";
  const id = "provisionschedule";
  const decided = verify("CORE-PROVISION-10");
  if (!declares("services") || !profile.switchableServices.includes(id))
    return decided.notApplicable(what, "the profile does not declare that it can be switched");
  await admin.call("setProvision", {
    json: { enable: false, schedule: { enable: false, disableAfterSec: 2 } },
  });
  const json = { enable: true, schedule: { enable: true, disableAfterSec: 2 } };
  await admin.call("setProvision", { json });
  await admin.call("disableService", { path: { id } });
  const off = await admin.call("getProvision");
  // Whether the service switches this schedule is not stated.
  if (memberOf(off, "enable") !== true || memberOf(off, "schedule.enable") !== false)
    return decided.notApplicable(what, `Get provisioning returned ${off.summary()}`);
  await clock.delay(3000, signal);
  const later = await admin.call("getProvision");
  if (later.accepted) decided.equal(memberOf(later, "enable"), true, what, later);
}

export const provisionSuite: readonly TestCase[] = [
  testCase({
    id: "provision/configuration-is-kept",
    title: "The provisioning configuration is returned and read back as set",
    group: "provision",
    requirements: ["CORE-PROVISION-06", "CORE-PROVISION-07", "CORE-PROVISION-08"],
    effect: "reversible",
    touches: ["provision", "services"],
    capabilities: ["provision"],
    tags: ["smoke"],
    async run({ gateway, verify, scratch, random }) {
      const before = (await gateway.admin.call("getProvision")).data();
      scratch.undo("provisioning configuration", () => gateway.admin.call("setProvision", { json: before }));
      for (const [enable, scheduled, disableAfterSec] of [
        [true, false, random.integer(1000, 80_000)],
        [true, true, random.integer(1000, 80_000)],
        [false, true, random.integer(100_000, 600_000)],
        [false, false, random.integer(61, 119)],
        [false, false, 16_777_217],
        [false, false, 2 ** 31],
      ] as const) {
        const json = { enable, schedule: { enable: scheduled, disableAfterSec } };
        const answer = await gateway.admin.call("setProvision", { json });
        // The largest value is not stated.
        if (!answer.accepted && disableAfterSec > longestSec) continue;
        verify("CORE-PROVISION-06").accepted(answer);
        const readBack = await gateway.admin.call("getProvision");
        keptMember(verify("CORE-PROVISION-06"), "enable", enable, answer, readBack);
        keptMember(verify("CORE-PROVISION-07"), "schedule.enable", scheduled, answer, readBack);
        keptMember(
          verify("CORE-PROVISION-08"),
          "schedule.disableAfterSec",
          disableAfterSec,
          answer,
          readBack,
        );
      }
    },
  }),
  testCase({
    id: "provision/wrong-types-are-refused",
    title: "Set provisioning with a wrong type stores no such value",
    group: "provision",
    requirements: ["CORE-PROVISION-12", "CORE-GENERAL-09"],
    effect: "reversible",
    touches: ["provision"],
    capabilities: ["provision"],
    async run(context) {
      const { gateway, scratch } = context;
      const before = await gateway.admin.call("getProvision");
      const expected = before.data();
      const whole = { json: expected };
      scratch.undo("provisioning configuration", () => gateway.admin.call("setProvision", whole));
      const { enable, disableAfterSec } = expected.schedule;
      const another = { enable, disableAfterSec: disableAfterSec + 1 };
      for (const json of [
        { enable: "maybe" },
        { enable: {} },
        { enable: "maybe", schedule: another },
        { schedule: { enable, disableAfterSec: "soon" } },
        { enable: !expected.enable, schedule: { enable, disableAfterSec: "soon" } },
        { schedule: "daily" },
        { schedule: { ...another, enable: "perhaps" } },
      ]) {
        const answer = await gateway.admin.callInvalid("setProvision", { json });
        const after = (await gateway.admin.call("getProvision")).data();
        checkWrongInput(context, "CORE-PROVISION-12", { answer, sent: json, before: expected, after });
        if (answer.accepted) await gateway.admin.call("setProvision", whole);
      }
    },
  }),
  testCase({
    id: "provision/schedule-disables",
    title: "A schedule disables provisioning after disableAfterSec; without a schedule it stays enabled",
    group: "provision",
    requirements: ["CORE-PROVISION-08", "CORE-PROVISION-09", "CORE-PROVISION-10"],
    effect: "reversible",
    touches: ["provision"],
    addsTo: ["services"],
    capabilities: ["provision"],
    tags: ["timing"],
    leastMs: scheduleSec.nightly * 1000,
    async run(context) {
      const { gateway, profile, verify, scratch, clock, level, waitFor, signal, unmet } = context;
      const { admin } = gateway;
      const before = (await admin.call("getProvision")).data();
      scratch.undo("provisioning configuration", () => admin.call("setProvision", { json: before }));
      const seconds = scheduleSec[level];
      const put = async (json: {
        enable: boolean;
        schedule: { enable: boolean; disableAfterSec: number };
      }): Promise<Answer> => {
        const answer = await admin.call("setProvision", { json });
        const shown = memberOf(answer, "enable");
        if (shown !== json.enable)
          unmet(`Set provisioning with enable ${json.enable} returned ${answer.summary()}`);
        return answer;
      };
      // The seconds count from enabling: while provisioning is enabled, they may have begun earlier.
      await put({ enable: false, schedule: { enable: false, disableAfterSec: seconds } });
      const set = await put({ enable: true, schedule: { enable: true, disableAfterSec: seconds } });
      const { startedMs, durationMs } = set.exchange;
      let lastEnabledMs = startedMs;
      let seen: unknown;
      let whileOn = set;
      let ended: Answer | undefined;
      const disabledMs = await waitFor(
        "provisioning to be disabled by its schedule",
        async () => {
          const answer = await admin.call("getProvision");
          seen = answer.json;
          const shown = memberOf(answer, "enable");
          if (shown === false) {
            ended = answer;
            return answer.exchange.startedMs + answer.exchange.durationMs;
          }
          if (shown === true) {
            whileOn = answer;
            lastEnabledMs = answer.exchange.startedMs;
          }
          return undefined;
        },
        { deadlineMs: seconds * 1000 + profile.patience.settleMs, everyMs: 10, lastSeen: () => seen },
      ).catch(() => undefined);
      verify("CORE-PROVISION-08").equal(
        memberOf(whileOn, "schedule.disableAfterSec"),
        seconds,
        "`schedule.disableAfterSec` while the schedule is under way",
        whileOn,
      );
      // Whether a schedule stays on after its end is not stated.
      if (ended !== undefined && memberOf(ended, "schedule.enable") === true)
        verify("CORE-PROVISION-08").equal(
          memberOf(ended, "schedule.disableAfterSec"),
          seconds,
          "`schedule.disableAfterSec` after an enabled schedule has disabled provisioning",
          ended,
        );
      const low = (lastEnabledMs - startedMs - durationMs) / 1000;
      // Whether the seconds count from a boot is not stated: after one, they are tested with the reboot.
      const mayCountFromBoot = disabledMs === undefined && context.declares("disruptive-reboot");
      if (mayCountFromBoot)
        verify("CORE-PROVISION-09").notApplicable(
          `provisioning with a schedule of ${seconds} s that is not disabled after its set`,
          "the seconds may count from a boot",
        );
      else if (disabledMs === undefined) {
        verify("CORE-PROVISION-09").that(false, {
          what: `provisioning with a schedule of ${seconds} s`,
          expected: `disabled after ${seconds} s`,
          observed: `still enabled after ${low.toFixed(1)} s`,
        });
      } else {
        verify("CORE-PROVISION-09").within({
          name: "time until provisioning was disabled by its schedule",
          unit: "s",
          interval: { low, high: (disabledMs - startedMs) / 1000 },
          limits: { low: seconds - 1.1, high: seconds + profile.patience.settleMs / 2000 },
          observers: ["state polled"],
        });
      }
      // Whatever follows replaces a schedule that is under way and must not be due any more.
      const underWay = async (): Promise<void> => {
        await put({ enable: false, schedule: { enable: false, disableAfterSec: 1 } });
        await put({ enable: true, schedule: { enable: true, disableAfterSec: 1 } });
      };
      for (const long of beyondTimers) {
        await underWay();
        const json = { enable: true, schedule: { enable: true, disableAfterSec: long } };
        const taken = await admin.call("setProvision", { json });
        // The longest possible time is not stated.
        if (memberOf(taken, "schedule.disableAfterSec") !== long) continue;
        await clock.delay(beyondTimersMs, signal);
        const still = await admin.call("getProvision");
        if (!still.accepted) unmet(`Get provisioning returned ${still.summary()}`);
        verify("CORE-PROVISION-09").equal(
          memberOf(still, "enable"),
          true,
          `\`enable\` ${beyondTimersMs / 1000} s after a set with \`disableAfterSec\` ${long}`,
          still,
        );
      }
      await underWay();
      await put({ enable: true, schedule: { enable: false, disableAfterSec: 1 } });
      await clock.delay(1600, signal);
      const later = await admin.call("getProvision");
      if (!later.accepted) unmet(`Get provisioning returned ${later.summary()}`);
      verify("CORE-PROVISION-10").equal(
        memberOf(later, "enable"),
        true,
        "`enable` 1.6 s after a set with `schedule.enable` false and `disableAfterSec` 1",
        later,
      );
      if (mayCountFromBoot) return;
      // Once more, and while provisioning is enabled: by the whole configuration, and by the schedule alone.
      const schedule = { enable: true, disableAfterSec: 1 };
      const unscheduled = { enable: true, schedule: { enable: false, disableAfterSec: 1 } };
      // The other way round too: provisioning is enabled after its schedule.
      const scheduled = { enable: false, schedule: { enable: true, disableAfterSec: 2 } };
      for (const [first, json] of [
        [unscheduled, { enable: true, schedule }],
        [unscheduled, { schedule }],
        [scheduled, { enable: true }],
        [scheduled, { enable: true, schedule: scheduled.schedule }],
      ] as const) {
        const { exchange } = await put(first);
        const further = await admin.call("setProvision", { json });
        // Whether a body without all members is accepted is not stated.
        if (memberOf(further, "schedule.enable") !== true || memberOf(further, "enable") !== true) continue;
        // Nor whether the seconds count from the schedule: they must not be over by now.
        if (first === scheduled && clock.nowMs() - exchange.startedMs > beginsWithinMs) continue;
        const { disableAfterSec } = first === scheduled ? scheduled.schedule : schedule;
        await verifyDisables(context, disableAfterSec, `set by ${Object.keys(json).join(" and ")}`, further);
      }
      await verifySwitchedOn(context);
      await verifySwitchedOff(context);
    },
  }),
];
