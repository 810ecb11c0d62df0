import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { gatewayTimeMs } from "../support/gatewayTime.ts";
import { page, settledPage, unusedEventName } from "./support.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { firstAccepted } from "../support/withinLimits.ts";

/** Older than any event of the gateway itself: the time to live that the case sets removes no event of the user. */
const longAgo = "2001-02-03T04:05:06Z";
/** As old, and told from the first, which a gateway may have hidden and not yet removed. */
const longAgoToo = "2001-03-04T05:06:07Z";
/** As old, and created while the time to live is on. */
const longAgoLater = "2001-04-05T06:07:08Z";
const ageAtLeastSec = 20 * 365 * 86_400;
/** Where the gateway rejects that one: the limits of the member are not stated. */
const lesserAgeSec = 300 * 86_400;
/** Old, and younger than the time to live. */
const stillYoungPart = 0.9;
const undeclaredPatienceSec = 60;
/** A time to live that passes within the case. */
const shortSec = 3;

/** Creates an entry with the name and date; returns whether the gateway stored the date. */
async function createDated(
  context: CaseContext,
  event: string,
  createdAt: string,
): Promise<{ keptDate: boolean }> {
  const { gateway } = context;
  const { category } = await entryMarks(context);
  const listed = async (): Promise<number> => (await page(gateway, { eventNames: event })).total;
  const before = await listed();
  const answer = await gateway.admin.call("createEvent", {
    json: {
      category: category(event),
      event,
      origin: event,
      message: `dated ${createdAt}`,
      severity: "info",
      user: "",
      userOrigin: "127.0.0.1",
      createdAt,
    },
  });
  answer.data();
  const kept = (await settledPage(context, { eventNames: event }, before + 1)).data;
  return { keptDate: kept.some((entry) => epochMsOf(entry.createdAt) === epochMsOf(createdAt)) };
}

/** Checks that an old entry is removed that is created while the limit is on, not only those from before it was set. */
async function verifyArrivedLater(
  context: CaseContext,
  own: string,
  messages: () => Promise<string[]>,
): Promise<void> {
  const { gateway, profile, verify, waitFor } = context;
  const what = `entry dated ${longAgoLater} that is created while the time to live is on`;
  const { retentionSec } = profile.tolerances;
  if (retentionSec === undefined)
    return verify("CORE-EVENT-55").notApplicable(what, "the profile does not declare how soon it is removed");
  const { category } = await entryMarks(context);
  const json = {
    category: category(own),
    event: own,
    origin: own,
    message: longAgoLater,
    createdAt: longAgoLater,
  };
  const answer = await gateway.admin.call("createEvent", { json });
  const isListed = async (): Promise<boolean> => (await messages()).includes(longAgoLater);
  const wasListed = await waitFor("the entry", async () => (await isListed()) || undefined, {
    deadlineMs: observedRemovalMs,
    everyMs: 50,
  }).catch(() => false);
  const isRemoved = await waitFor("the entry to be removed", async () => !(await isListed()) || undefined, {
    deadlineMs: retentionSec * 1000,
  }).catch(() => false);
  verify("CORE-EVENT-55").that(isRemoved, {
    what,
    expected: `not listed ${retentionSec} s later`,
    observed: isRemoved ? (wasListed ? "removed" : "never listed") : "still listed",
    evidence: answer,
  });
}

/** Settings by which no event is removed for its age. */
const unlimited = [
  { enableTimeToLiveSec: true, timeToLiveSec: 0 },
  { enableTimeToLiveSec: true, timeToLiveSec: -lesserAgeSec },
  { enableTimeToLiveSec: false, timeToLiveSec: lesserAgeSec },
] as const;

/** Sets one of these; where a gateway rejects less than -1, with -1. */
async function setUnlimited(
  { gateway: { admin } }: CaseContext,
  configuration: object,
  setting: (typeof unlimited)[number],
): Promise<Answer> {
  const { timeToLiveSec } = setting;
  const { answer } = await firstAccepted([timeToLiveSec, Math.max(-1, timeToLiveSec)], (sec) =>
    admin.callChecked("setEventConfiguration", {
      json: { ...configuration, ...setting, timeToLiveSec: sec },
    }),
  );
  return answer;
}

/** A gateway that removes events later than this is not observed: each setting would take as long again. */
const observedRemovalMs = 3000;

/** Creates an old entry again, and checks that no unlimited setting removes it in more than the time of a removal. */
async function verifyUnlimited(
  context: CaseContext,
  configuration: object,
  own: string,
  removalMs: number,
  messages: () => Promise<string[]>,
): Promise<void> {
  const { clock, signal, verify } = context;
  if (removalMs > observedRemovalMs)
    return verify("CORE-EVENT-80").notApplicable(
      "old entries under settings without a time limit",
      `a removal takes ${(removalMs / 1000).toFixed(1)} s, longer than the case observes each setting`,
    );
  (await setUnlimited(context, configuration, unlimited[0])).body();
  await createDated(context, own, longAgoToo);
  for (const setting of unlimited) {
    const answer = await setUnlimited(context, configuration, setting);
    if (!verify("CORE-EVENT-80").accepted(answer)) continue;
    await clock.delay(2 * removalMs + 300, signal);
    verify("CORE-EVENT-80").equal(
      (await messages()).filter((message) => message.includes(longAgoToo)).length,
      1,
      `number of entries dated ${longAgoToo} after ${JSON.stringify(setting)} was set`,
      answer,
    );
  }
}

/** Whether an entry is removed for the time that has passed since its arrival; only where a reset may empty the log, too. */
async function isRemovedByArrival(
  context: CaseContext,
  configuration: object,
  withinSec: number,
): Promise<boolean> {
  const { gateway, declares, waitFor } = context;
  if (!declares("disruptive-reset")) return false;
  const event = await unusedEventName(context);
  const listed = async (): Promise<number> => (await page(gateway, { eventNames: event })).total;
  const { category } = await entryMarks(context);
  const json = { category: category(event), event, origin: event };
  (await gateway.admin.call("createEvent", { json })).body();
  await settledPage(context, { eventNames: event }, 1);
  const limit = { enableTimeToLiveSec: true, timeToLiveSec: shortSec };
  const set = await gateway.admin.call("setEventConfiguration", { json: { ...configuration, ...limit } });
  if (!set.accepted) return false;
  return waitFor("an entry to be removed", async () => ((await listed()) === 0 ? true : undefined), {
    deadlineMs: (shortSec + withinSec) * 1000,
  }).catch(() => false);
}

/** A time to live of less than a day, and entries older and younger than it. */
const hourSec = 3600;
const agesSec = { older: 7200, younger: 600 } as const;

/** Where old entries are removed at once: a time to live of an hour removes an entry dated two hours ago as well. */
async function verifyHour(
  context: CaseContext,
  configuration: object,
  own: string,
  removalMs: number,
  messages: () => Promise<string[]>,
): Promise<void> {
  const { declares, gateway, profile, verify, waitFor } = context;
  // Entries of the gateway's user are removed, too.
  if (!declares("disruptive-reset") || removalMs > observedRemovalMs) return;
  const set = (part: object): Promise<Answer> =>
    gateway.admin.callChecked("setEventConfiguration", { json: { ...configuration, ...part } });
  const isRemoved = (createdAt: string, deadlineMs: number): Promise<boolean> =>
    waitFor(
      `the entry dated ${createdAt} to be removed`,
      async () => (await messages()).every((message) => !message.includes(createdAt)) || undefined,
      { deadlineMs, everyMs: 50 },
    ).catch(() => false);
  await set(unlimited[0]);
  const nowMs = await gatewayTimeMs(context);
  if (Number.isNaN(nowMs)) return;
  const [older, younger] = [agesSec.older, agesSec.younger].map((ageSec) =>
    new Date(nowMs - ageSec * 1000).toISOString(),
  ) as [string, string];
  for (const createdAt of [older, younger]) await createDated(context, own, createdAt);
  const isListed = async (createdAt: string): Promise<boolean> =>
    (await messages()).some((message) => message.includes(createdAt));
  if (!(await isListed(older)) || !(await isListed(younger))) return;
  const answer = await set({ enableTimeToLiveSec: true, timeToLiveSec: hourSec });
  // The limits of the member are not stated.
  if (!answer.accepted) return;
  const withinSec = profile.tolerances.retentionSec ?? undeclaredPatienceSec;
  const removed = await isRemoved(older, withinSec * 1000);
  if (!removed && profile.tolerances.retentionSec === undefined) {
    // Only a gateway that removes old entries at once again has had the time to remove this one.
    await set(unlimited[0]);
    await createDated(context, own, longAgo);
    await set({ enableTimeToLiveSec: true, timeToLiveSec: ageAtLeastSec });
    if (!(await isRemoved(longAgo, observedRemovalMs))) return;
  }
  verify("CORE-EVENT-55").that(removed, {
    what: `entry dated ${older}, ${agesSec.older} s ago, with a timeToLiveSec of ${hourSec}`,
    expected: `removed within ${withinSec} s`,
    observed: removed ? "removed" : `still listed after ${withinSec} s`,
    evidence: answer,
  });
  verify("CORE-EVENT-55").equal(
    (await isListed(younger)) ? "listed" : "removed",
    "listed",
    `entry dated ${younger}, ${agesSec.younger} s ago, with a timeToLiveSec of ${hourSec}`,
    answer,
  );
}

/** Where the age counts from the arrival: settings without a limit keep an entry for longer than a second. */
async function verifyUnlimitedByArrival(
  context: CaseContext,
  configuration: object,
  own: string,
): Promise<void> {
  const { clock, gateway, signal, verify } = context;
  for (const setting of unlimited.filter(({ timeToLiveSec }) => timeToLiveSec <= 0)) {
    const answer = await setUnlimited(context, configuration, setting);
    if (!verify("CORE-EVENT-80").accepted(answer)) continue;
    const createdAt = new Date(clock.epochMs()).toISOString();
    await createDated(context, own, createdAt);
    await clock.delay(observedRemovalMs, signal);
    const listed = await gateway.admin.call("getEvents", { query: { eventNames: own } });
    verify("CORE-EVENT-80").equal(
      listed.body().data.filter(({ message }) => message.includes(createdAt)).length,
      1,
      `number of entries ${observedRemovalMs / 1000} s old after ${JSON.stringify(setting)} was set`,
      answer,
    );
  }
}

export const retentionCases: readonly TestCase[] = [
  testCase({
    id: "events/older-than-their-time-to-live",
    title: "Only events older than timeToLiveSec are removed, and only with enableTimeToLiveSec",
    group: "events",
    requirements: ["CORE-EVENT-55", "CORE-EVENT-80"],
    effect: "reversible",
    touches: ["event-configuration", "services", "event-log"],
    capabilities: ["events"],
    tags: ["timing"],
    deadlineMs: 600_000,
    async run(context) {
      const { declares, gateway, profile, verify, scratch, clock, waitFor, unmet } = context;
      const { admin } = gateway;
      const {
        disks: _disks,
        desiredDiskCacheSizeMB,
        ...before
      } = (await admin.call("getEventConfiguration")).data();
      const back = { ...before, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) };
      scratch.undo("event configuration", () => admin.call("setEventConfiguration", { json: back }));
      // Neither member limits the age yet.
      const off = { ...back, enableTimeToLiveSec: false, timeToLiveSec: 0 };
      const limitTo = (timeToLiveSec: number) =>
        admin.call("setEventConfiguration", { json: { ...off, enableTimeToLiveSec: true, timeToLiveSec } });
      const ageSec = (await limitTo(ageAtLeastSec)).rejected ? lesserAgeSec : ageAtLeastSec;
      if (ageSec === lesserAgeSec && !declares("disruptive-reset"))
        return context.notApplicable(
          `the gateway rejects a \`timeToLiveSec\` of ${ageAtLeastSec}; a lesser one may remove entries of its user`,
        );
      (await admin.call("setEventConfiguration", { json: off })).data();
      const own = await unusedEventName(context);
      const messages = async (): Promise<string[]> =>
        (await admin.call("getEvents", { query: { eventNames: own } }))
          .body()
          .data.map(({ message }) => message);
      const { keptDate } = await createDated(context, own, longAgo);
      if (!keptDate) unmet("the gateway replaces createdAt, and an old entry cannot be created");
      for (const part of [stillYoungPart, 0])
        await createDated(context, own, new Date(clock.epochMs() - part * ageSec * 1000).toISOString());
      if ((await messages()).length !== 3) unmet("an entry was removed while enableTimeToLiveSec is false");

      const set = await limitTo(ageSec);
      set.data();
      const withinSec = profile.tolerances.retentionSec ?? undeclaredPatienceSec;
      let seen: string[] = [];
      const removedMs = await waitFor(
        "the old entry to be removed",
        async () => {
          seen = await messages();
          return seen.every((message) => !message.includes(longAgo)) ? clock.nowMs() : undefined;
        },
        { deadlineMs: withinSec * 1000, everyMs: 50, lastSeen: () => seen },
      ).catch(() => undefined);
      if (removedMs === undefined)
        verify("CORE-EVENT-80").notApplicable("old entries without a time limit", "no old entry was removed");
      // From when the age counts is not stated: an entry may have to be old here, not dated long ago.
      if (removedMs === undefined && (await isRemovedByArrival(context, off, withinSec))) {
        verify("CORE-EVENT-55").that(true, {
          what: `entry created more than ${shortSec} s ago with a timeToLiveSec of ${shortSec}`,
          expected: `removed within ${withinSec} s`,
          observed: "removed",
        });
        return await verifyUnlimitedByArrival(context, off, own);
      }
      if (removedMs === undefined && profile.tolerances.retentionSec === undefined) {
        unmet(
          `an entry older than timeToLiveSec was still listed after ${withinSec} s; the profile does not declare how soon it is removed (tolerances.retentionSec)`,
        );
      }
      verify("CORE-EVENT-55").that(removedMs !== undefined, {
        what: `entry dated ${longAgo} with a timeToLiveSec of ${ageSec}`,
        expected: `removed within ${withinSec} s`,
        observed: removedMs === undefined ? `still listed after ${withinSec} s` : "removed",
        evidence: set,
      });
      verify("CORE-EVENT-55").equal(
        seen.filter((message) => !message.includes(longAgo)).length,
        2,
        "number of listed entries younger than timeToLiveSec",
        set,
      );
      if (removedMs !== undefined) {
        const startedMs = set.exchange.startedMs;
        await verifyArrivedLater(context, own, messages);
        await verifyUnlimited(context, off, own, removedMs - startedMs, messages);
        await verifyHour(context, off, own, removedMs - startedMs, messages);
        context.measure({
          name: "time until an old entry was removed",
          unit: "s",
          interval: { low: 0, high: (removedMs - startedMs) / 1000 },
          observers: ["state polled"],
        });
      }
    },
  }),
];
