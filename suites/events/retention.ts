import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";

/** So long ago that no gateway has an event of its own from then: the time to live removes nothing of its user's. */
const longAgo = "2001-02-03T04:05:06Z";
const ageAtLeastSec = 20 * 365 * 86_400;
/** Old, and not as old as the time to live allows. */
const stillYoungSec = 0.9 * ageAtLeastSec;
const undeclaredPatienceSec = 60;

/** Creates an entry of the name, dated as told; answers whether the gateway kept the date. */
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
    title: "With enableTimeToLiveSec events older than timeToLiveSec are removed, and younger ones stay",
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
      if (!keptDate) unmet("the gateway dates entries itself, and none can be made that is old");
      for (const ageSec of [stillYoungSec, 0])
        await createDated(context, own, new Date(clock.epochMs() - ageSec * 1000).toISOString());
      if ((await messages()).length !== 3) unmet("an entry was not kept though the time to live is off");

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
          `an entry older than timeToLiveSec was still there after ${withinSec} s; how soon it must go is for the profile to declare (tolerances.retentionSec)`,
        );
      }
      verify("CORE-EVENT-55").that(removedMs !== undefined, {
        what: `an entry dated ${longAgo} with a timeToLiveSec of ${ageAtLeastSec}`,
        expected: `removed within ${withinSec} s`,
        observed: removedMs === undefined ? "still there" : "removed",
        evidence: set,
      });
      verify("CORE-EVENT-55").equal(
        seen.filter((message) => !message.includes(longAgo)).length,
        2,
        "entries of today and of nine tenths of the same timeToLiveSec ago",
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
