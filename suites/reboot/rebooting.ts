import { changeOneEach, loneRequirements } from "../support/loneMembers.ts";
import {
  type Answer,
  type CaseContext,
  type Members,
  readEventKinds,
  scheduleBody,
  setting,
  settingNames,
  switchEventKinds,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import { download, upload } from "../configuration/support.ts";
import { type CreatedKind, createThings, laterReading } from "../support/createdThings.ts";
import { markSettings } from "../support/markedSettings.ts";
import { notDeclared, persistence, settingsBesideSchedule, verifyPersisted } from "../support/persisted.ts";
import { accountsAfter, afterRebootRequirements } from "./accountsAfter.ts";
import {
  createdKinds,
  createdRequirement,
  deletedTag,
  lastWrites,
  verifyCreated,
  watchCounted,
} from "./createdBefore.ts";
import { eventRequirements, watchEvents } from "./eventsAfter.ts";
import { watchServed, withListenerOff } from "./listenerOff.ts";
import { watchJobs } from "./jobsAfterReboot.ts";
import { retriedAfterReboot } from "./retriesAfterReboot.ts";
import { provisionUnderWay } from "./provisionUnderWay.ts";
import { rejectedBefore } from "./rejectedBefore.ts";
import { rejectedReboot } from "./rejectedReboot.ts";
import { switchedAtLast } from "./switchedAtLast.ts";
import { tagInUse, tagInUseRequirements } from "./tagInUse.ts";
import { watchTimeToLive } from "./timeToLiveAfter.ts";
import { withUnlimited } from "./unlimitedValues.ts";
import { farMonth, restoreScheduleLater } from "../support/rebootSchedule.ts";
import { invertServices, laterSwitches, serviceSwitches } from "../support/serviceSwitches.ts";
import { memberOf } from "../support/settingCheck.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { readLastBoot } from "../support/lastBoot.ts";
import { clientAfterReboot } from "../upgrade/clientCertificate.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { backAgain, delayAfter } from "../support/restart.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** "Immediately" has no number; a delay as long as the 5 s after apply is not immediate. */
const immediateWithinSec = 4.5;
/** More than a year, and some seconds. */
const laterThanAYearMs = 600 * 24 * 3_600_000 + 37_000;
/** A gateway that treats `now` false as true reboots within this time. */
const notAtOnceMs = 1500;
/** A gateway may compute the time of its boot from its uptime at each reading, in whole seconds. */
const bootJitterMs = 1000;
/** An instant of the present, in whole seconds, moves by more than that within this time. */
const steadyMs = 2600;

interface Reboot {
  readonly now?: boolean;
  readonly at?: string;
  readonly enableScheduler?: boolean;
}

const disruptive = {
  group: "reboot",
  effect: "reboots",
  touches: ["everything"],
  capabilities: ["reboot", "disruptive-reboot"],
  tags: ["timing"],
  deadlineMs: 240_000,
} as const;

/** Requests an immediate reboot and waits until the gateway is available again; answers what was answered, if it rebooted. */
async function rebootsAtOnce(
  context: CaseContext,
  json: Reboot,
  requirement: string,
): Promise<Answer<"setReboot"> | undefined> {
  const { gateway, profile, verify } = context;
  const verifyBooted = await readLastBoot(context);
  await using watch = await gateway.watchForRestart();
  let command = await gateway.admin.call("setReboot", { json });
  // Whether a schedule beside `now` is taken is not stated.
  if (command.rejected && json.at !== undefined)
    command = await gateway.admin.call("setReboot", { json: { now: true } });
  // The connection may break before the answer: an immediate reboot need not wait for it.
  if (command.status !== 0 && !verify(requirement).accepted(command)) return undefined;
  const limitMs = 2 * profile.patience.settleMs;
  const down = await watch.wentDown(limitMs);
  if (down === undefined) {
    verify(requirement).that(false, {
      what: "delay from the request to the reboot",
      expected: `at most ${Math.max(immediateWithinSec, profile.tolerances.rebootDelaySec)} s`,
      observed: `no reboot within ${limitMs / 1000} s`,
      evidence: command,
    });
    return undefined;
  }
  verify(requirement).within(
    {
      name: "delay from the request to the reboot",
      unit: "s",
      ...delayAfter(command, down),
      // A device with a longer declared shutdown may take as long here.
      limits: { low: 0, high: Math.max(immediateWithinSec, profile.tolerances.rebootDelaySec) },
    },
    command,
  );
  await backAgain(context, watch);
  await verifyBooted("the reboot");
  return command;
}

const ownRecord = { "own record": "CORE-USER-50" };
const afterReboot = "`enable` of all services after the reboot";
const afterUpload = "after an upload without `apply`, and a reboot";
/** Id of the event kind "device reboot". */
const rebootKind = 48;

export const rebootCases: readonly TestCase[] = [
  testCase({
    ...disruptive,
    id: "reboot/now-flag",
    title: "`now` reboots the system immediately and advances `lastBootAt`",
    requirements: [
      "CORE-REBOOT-11",
      "CORE-REBOOT-13",
      "CORE-REBOOT-19",
      "CORE-PROVISION-09",
      "CORE-GENERAL-10",
      "CORE-SERVICE-31",
      "CORE-UPGRADE-64",
      "CORE-EVENT-55",
      ...loneRequirements,
      ...Object.values(ownRecord),
    ],
    async run(context) {
      const { gateway, clock, verify } = context;
      await restoreScheduleLater(context);
      // An instant is more than the fields of a crontab expression: it has a year and seconds.
      const at = dateTimeText(Math.floor(clock.epochMs() / 60_000) * 60_000 + laterThanAYearMs, "Z");
      const former = `17 3 11 ${farMonth(clock.epochMs())} *`;
      await gateway.admin.call("setReboot", { json: { at: former, enableScheduler: true } });
      const json = { at, enableScheduler: true, now: true };
      const created = await createThings(context, ["own record"]);
      const verifyRetried = await retriedAfterReboot(context);
      const verifyTimeToLive = await watchTimeToLive(context);
      const verifyLone = await changeOneEach(context, 0);
      await rejectedReboot(context);
      const verifyDisabled = await provisionUnderWay(context);
      const verifyLast = await switchedAtLast(context);
      const answer = await rebootsAtOnce(context, json, "CORE-REBOOT-11");
      if (answer === undefined) return;
      await verifyCreated(context, created, ownRecord);
      const after = await gateway.admin.call("getReboot");
      // Whether a schedule beside `now` is taken is not stated: the answer tells.
      if (epochMsOf(String(memberOf(answer, "nextTriggerAt"))) === epochMsOf(at))
        verify("CORE-REBOOT-19").equal(
          epochMsOf(String(memberOf(after, "nextTriggerAt"))),
          epochMsOf(at),
          `\`nextTriggerAt\` in milliseconds since 1970 after the reboot, scheduled for ${at}`,
          after,
        );
      else
        verify("CORE-REBOOT-19").notApplicable(
          "an instant in the reboot schedule after the reboot",
          "the answer of the reboot shows another schedule",
        );
      await verifyLast();
      await verifyLone();
      await verifyRetried();
      await verifyDisabled();
      await verifyTimeToLive();
    },
  }),
  testCase({
    ...disruptive,
    id: "reboot/at-now",
    title: "`at` with the value now reboots the system immediately",
    requirements: [
      "CORE-CONFIG-26",
      "CORE-GENERAL-10",
      "CORE-REBOOT-12",
      "CORE-REBOOT-13",
      "CORE-SERVICE-31",
      ...Object.values(lastWrites),
      ...afterRebootRequirements,
      ...settingsBesideSchedule.flatMap((name) => persistence[name]),
    ],
    async run(context) {
      notOnSmoke(context);
      const { gateway, declares, verify, clock } = context;
      await restoreScheduleLater(context);
      const file = declares("configuration") ? await download(gateway, false) : undefined;
      // The other value of every flag than in the reboot with `now`: one of the two is not the default.
      const { marked: sent, verifyClosed } = await withListenerOff(
        context,
        await markSettings(context, settingsBesideSchedule, { flags: false, isWide: true }),
      );
      const isUploaded =
        file?.accepted === true &&
        (await upload(gateway, file.bytes, { encryption: false, apply: false })).accepted;
      // Left as they are: another reboot has them inverted, and one of the two is not the default.
      const services = declares("services") ? await serviceSwitches(context) : undefined;
      const verifyAccounts = await accountsAfter(context);
      const created = await createThings(context, Object.keys(lastWrites) as CreatedKind[]);
      // A scheduler may need a schedule to be enabled.
      const farAway = `17 3 11 ${farMonth(clock.epochMs())} *`;
      await gateway.admin.call("setReboot", { json: { at: farAway, enableScheduler: true } });
      const { settings: marked, verifyRejected } = await rejectedBefore(context, sent);
      const answer = await rebootsAtOnce(context, { at: "now", enableScheduler: true }, "CORE-REBOOT-12");
      if (answer === undefined) return;
      await verifyCreated(context, created, lastWrites);
      await verifyAccounts();
      await verifyRejected();
      await verifyPersisted(context, marked, settingsBesideSchedule);
      await verifyClosed();
      if (!isUploaded) verify("CORE-CONFIG-26").notApplicable(afterUpload, "no exported file was accepted");
      else
        for (const { name, read, value } of marked)
          verify("CORE-CONFIG-26").equal(await read(), value, `${setting(name).read} ${afterUpload}`);
      if (services === undefined) verify("CORE-SERVICE-31").notApplicable(afterReboot, notDeclared);
      else verify("CORE-SERVICE-31").equal(await laterSwitches(context, services), services, afterReboot);
    },
  }),
  testCase({
    ...disruptive,
    // Only a gateway that violates the interface reboots.
    effect: "reversible",
    touches: ["reboot-schedule"],
    id: "reboot/now-false",
    title: "`now` false sets a schedule without a reboot",
    requirements: ["CORE-REBOOT-13", "CORE-REBOOT-42"],
    async run(context) {
      const { gateway, verify, clock, signal } = context;
      await restoreScheduleLater(context);
      const before = (await gateway.admin.call("getReboot")).data();
      await using watch = await gateway.watchForRestart();
      const at = `17 3 11 ${farMonth(clock.epochMs())} *`;
      const answer = await gateway.admin.call("setReboot", {
        json: { at, enableScheduler: true, now: false },
      });
      verify("CORE-REBOOT-42").accepted(answer);
      const down = await watch.wentDown(notAtOnceMs);
      verify("CORE-REBOOT-42").that(down === undefined, {
        what: `reboot within ${notAtOnceMs / 1000} s of a schedule set with now false`,
        expected: "no reboot",
        observed: down === undefined ? "no reboot" : "reboot",
        evidence: answer,
      });
      if (down !== undefined) {
        await backAgain(context, watch);
        return verify("CORE-REBOOT-13").notApplicable(
          "`lastBootAt` without a reboot",
          "the gateway rebooted",
        );
      }
      await clock.delay(steadyMs - notAtOnceMs, signal);
      const after = await gateway.admin.call("getReboot");
      const movedMs = Math.abs(epochMsOf(after.data().lastBootAt) - epochMsOf(before.lastBootAt));
      verify("CORE-REBOOT-13").that(movedMs <= bootJitterMs, {
        what: `\`lastBootAt\` ${steadyMs / 1000} s later, without a reboot`,
        expected: `${before.lastBootAt}, up to ${bootJitterMs / 1000} s`,
        observed: after.data().lastBootAt,
        evidence: after,
      });
    },
  }),
  testCase({
    ...disruptive,
    id: "reboot/settings-are-kept",
    title: "Settings persist across a reboot, which is recorded as an event",
    requirements: [
      "CORE-REBOOT-11",
      "CORE-REBOOT-13",
      "CORE-REBOOT-38",
      "CORE-SERVICE-31",
      "CORE-EVENT-78",
      ...eventRequirements,
      ...tagInUseRequirements,
      "CORE-UPGRADE-69",
      "CORE-UPGRADE-59",
      "CORE-UPGRADE-60",
      "CORE-ROLE-20",
      "CORE-USER-23",
      ...Object.values(persistence).flat(),
      ...Object.values(createdRequirement),
    ],
    capabilities: ["reboot", "disruptive-reboot", "ssh", "services", "provision", "log", "events"],
    async run(context) {
      const { gateway, verify, clock, profile, signal } = context;
      const { admin } = gateway;
      // Before the settings: some settings follow the switch of a service.
      await invertServices(context);
      // True for every flag: the event log is on, which shows the event of the reboot.
      const marked = await withUnlimited(context, await markSettings(context, settingNames, { flags: true }));
      const verifyClient = await clientAfterReboot(context);
      const verifyJobs = await watchJobs(context);
      const created = await createThings(context, createdKinds);
      const deleted = await deletedTag(context);
      const verifyTagInUse = await tagInUse(context);
      const services = await serviceSwitches(context);
      const kinds = await invertKinds(context);
      const reboots = async (): Promise<number> =>
        (await admin.call("getEvents", { query: { limit: 1, eventNames: "device reboot" } })).body().total;
      const eventsBefore = await reboots();
      const verifyEvents = await watchEvents(context);
      const schedule = marked.find(({ name }) => name === "reboot-schedule");
      const next = await nextTrigger(context);
      // Whether a body without a schedule leaves the present one is not stated.
      const body = { now: true, ...(schedule === undefined ? {} : scheduleBody(schedule.value)) };
      const verifyServed = await watchServed(context);
      const verifyCounted = await watchCounted(context);
      if ((await rebootsAtOnce(context, body, "CORE-REBOOT-11")) === undefined) return;
      await verifyPersisted(context, marked, settingNames);
      await verifyServed();
      // A month ahead: the reading before the reboot and the one after it have the same next time.
      if (schedule !== undefined && next > clock.epochMs())
        verify("CORE-REBOOT-19").equal(
          await nextTrigger(context),
          next,
          "`nextTriggerAt` of the reboot schedule after the reboot, in milliseconds since 1970",
        );
      verify("CORE-EVENT-78").equal(
        await readEventKinds(gateway),
        kinds,
        "`enable` of all event kinds after the reboot",
      );
      verify("CORE-SERVICE-31").equal(await laterSwitches(context, services), services, afterReboot);
      await verifyCreated(context, created, createdRequirement);
      await verifyTagInUse();
      await verifyJobs();
      await verifyCounted();
      await verifyClient();
      const decided = verify("CORE-TAG-29");
      if (deleted === undefined) decided.notApplicable("a deleted virtual tag after the reboot", notDeclared);
      else decided.equal(await laterReading(context, deleted), "absent", `${deleted.what} after the reboot`);
      // The service that records events may be ready later than the first answer.
      const startedMs = clock.nowMs();
      let eventsAfter = await reboots();
      while (eventsAfter <= eventsBefore && clock.nowMs() - startedMs < profile.patience.settleMs) {
        await clock.delay(200, signal);
        eventsAfter = await reboots();
      }
      verify("CORE-REBOOT-38").that(eventsAfter > eventsBefore, {
        what: "`total` of events named device reboot",
        expected: `more than ${eventsBefore}`,
        observed: eventsAfter,
      });
      await verifyEvents();
    },
  }),
];

/** `nextTriggerAt` of the enabled reboot schedule in milliseconds since 1970; NaN where it is off. */
async function nextTrigger({ gateway }: CaseContext): Promise<number> {
  const { enableScheduler, nextTriggerAt } = (await gateway.admin.call("getReboot")).data();
  return enableScheduler ? epochMsOf(nextTriggerAt ?? "") : Number.NaN;
}

/** Inverts every event kind, but enables that of the reboot; returns the result. */
async function invertKinds({ gateway, scratch }: CaseContext): Promise<Members | undefined> {
  const before = (await readEventKinds(gateway)) ?? {};
  scratch.undo("event kinds", () => switchEventKinds(gateway, before));
  const inverted = Object.entries(before).map(([id, enable]) => [
    id,
    Number(id) === rebootKind || enable !== true,
  ]);
  await switchEventKinds(gateway, Object.fromEntries(inverted));
  return readEventKinds(gateway);
}
