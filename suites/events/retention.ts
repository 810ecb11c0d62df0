import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";

/** Older than any event of the gateway itself: the time to live that the case sets removes no event of the user. */
const longAgo = "2001-02-03T04:05:06Z";
const ageAtLeastSec = 20 * 365 * 86_400;
/** Old, and younger than the time to live. */
const stillYoungSec = 0.9 * ageAtLeastSec;
const undeclaredPatienceSec = 60;

/** Creates an entry with the name and date; returns whether the gateway stored the date. */
async function createDated(
  { gateway }: CaseContext,
  event: string,
  createdAt: string,
): Promise<{ keptDate: boolean }> {
  const answer = await gateway.admin.call("createEvent", {
    json: {
      category: event,
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
  const kept = (await gateway.admin.call("getEvents", { query: { eventNames: event } })).body().data;
  return { keptDate: kept.some((entry) => Date.parse(entry.createdAt) === Date.parse(createdAt)) };
}

export const retentionCases: readonly TestCase[] = [
  testCase({
    id: "events/older-than-their-time-to-live",
    title: "With enableTimeToLiveSec, only events older than timeToLiveSec are removed",
    group: "events",
    requirements: ["CORE-EVENT-55"],
    effect: "reversible",
    touches: ["event-configuration", "services", "event-log"],
    capabilities: ["events"],
    tags: ["timing"],
    deadlineMs: 600_000,
    async run(context) {
      const { gateway, profile, verify, scratch, random, clock, waitFor, unmet } = context;
      const { admin } = gateway;
      const {
        disks: _disks,
        desiredDiskCacheSizeMB,
        ...before
      } = (await admin.call("getEventConfiguration")).data();
      const back = { ...before, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) };
      scratch.undo("event configuration", () => admin.call("setEventConfiguration", { json: back }));
      const off = { ...back, enableTimeToLiveSec: false };
      (await admin.call("setEventConfiguration", { json: off })).data();
      const own = `rp${random.word(10)}`;
      const messages = async (): Promise<string[]> =>
        (await admin.call("getEvents", { query: { eventNames: own } }))
          .body()
          .data.map(({ message }) => message);
      const { keptDate } = await createDated(context, own, longAgo);
      if (!keptDate) unmet("the gateway replaces createdAt, and an old entry cannot be created");
      for (const ageSec of [stillYoungSec, 0])
        await createDated(context, own, new Date(clock.epochMs() - ageSec * 1000).toISOString());
      if ((await messages()).length !== 3) unmet("an entry was removed while enableTimeToLiveSec is false");

      const set = await admin.call("setEventConfiguration", {
        json: { ...off, enableTimeToLiveSec: true, timeToLiveSec: ageAtLeastSec },
      });
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
      if (removedMs === undefined && profile.tolerances.retentionSec === undefined) {
        unmet(
          `an entry older than timeToLiveSec was still listed after ${withinSec} s; the profile does not declare how soon it is removed (tolerances.retentionSec)`,
        );
      }
      verify("CORE-EVENT-55").that(removedMs !== undefined, {
        what: `entry dated ${longAgo} with a timeToLiveSec of ${ageAtLeastSec}`,
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
