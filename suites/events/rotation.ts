import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { configurationBody, page, settledPage, unusedEventName } from "./support.ts";

/** Older than any event of the gateway: what fills the log comes last in a page, and a time to live removes it again. */
const longAgo = "2001-02-03T04:05:06Z";
const longAgoSec = 20 * 365 * 86_400;
const smallestMegabytes = 1;
/** What the size of a log measures is not stated; messages alone of this size exceed it. */
const messageCharacters = 1.5 * 1024 * 1024;
/** Which length a gateway accepts is not stated; shorter ones fill what longer ones leave. */
const messageLengths = [30_000, 4000, 1000, 100];
const fillingMs = 15_000;
const removalMs = 3000;
const triedAgainMs = 500;

/**
 * Creates old entries until their messages exceed the size of the log, or none is accepted. Returns the length of the
 * longest accepted message, 0 when the log is not full.
 */
async function fillLog(context: CaseContext, event: string): Promise<number> {
  const { gateway, random, clock } = context;
  const { category } = await entryMarks(context);
  const json = { category: category(event), event, origin: event, message: event, createdAt: longAgo };
  const endMs = clock.nowMs() + fillingMs;
  let sent = 0;
  let longest = 0;
  for (const length of messageLengths) {
    const message = random.word(length);
    while (true) {
      if (sent > messageCharacters) return longest;
      if (clock.nowMs() > endMs) return 0;
      if (!(await gateway.admin.call("createEvent", { json: { ...json, message } })).accepted) break;
      sent += length;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

/** Fills the log with the policy stop: whether it rejects or drops further entries is not stated, but none replaces a recorded one. */
async function verifyStop(
  context: CaseContext,
  event: string,
  setStop: () => Promise<Answer>,
): Promise<void> {
  const { gateway, verify } = context;
  const stop = await setStop();
  // Before the others, and as old: it would be removed first.
  const first = `${event}-first`;
  const marks = await entryMarks(context);
  const json = { category: marks.category(first), event, origin: first, message: event, createdAt: longAgo };
  const isListed = async (): Promise<boolean> => (await settledPage(context, marks.query(json), 1)).total > 0;
  const isRecorded = stop.accepted && (await gateway.admin.call("createEvent", { json })).accepted;
  if (!isRecorded || !(await isListed()))
    return verify("CORE-EVENT-83").notApplicable("a log filled with the policy stop", "it is full before");
  await fillLog(context, event);
  verify("CORE-EVENT-83").equal(
    (await isListed()) ? "listed" : "not listed",
    "listed",
    `first entry of a log of ${smallestMegabytes} MB after entries with longer messages in total`,
    stop,
  );
}

export const rotationCases: readonly TestCase[] = [
  testCase({
    id: "events/full-log-takes-new-entries",
    title: "A full event log takes new entries with rotate, keeps old ones with stop",
    group: "events",
    requirements: ["CORE-EVENT-82", "CORE-EVENT-83"],
    effect: "reversible",
    touches: ["event-configuration", "services", "event-log"],
    // Old entries make room for the new ones, as a reset would remove them.
    capabilities: ["events", "disruptive-reset"],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, verify, scratch, random, waitFor, profile } = context;
      const { admin } = gateway;
      const { disks: _disks, ...before } = (await admin.call("getEventConfiguration")).data();
      const set = (change: Partial<typeof before>): Promise<Answer> =>
        admin.call("setEventConfiguration", { json: configurationBody({ ...before, ...change }) });
      scratch.undo("event configuration", () => set({}));
      const small = {
        enable: true,
        enableTimeToLiveSec: false,
        reachThresholdPolicy: "rotate",
        desiredDiskCacheSizeMB: smallestMegabytes,
      } as const;
      const without = (reason: string): void => {
        for (const requirement of ["CORE-EVENT-82", "CORE-EVENT-83"])
          verify(requirement).notApplicable("a full log", reason);
      };
      if (!(await set(small)).accepted) return without("the gateway rejects a size of 1 MB");
      const event = await unusedEventName(context);
      const length = await fillLog(context, `${event}-old`);
      if (length === 0) return without("it is not full within 15 s");
      let answer: Answer | undefined;
      const { category } = await entryMarks(context);
      // A shorter one can fit in what the last old entry leaves.
      const json = { category: category(event), event, origin: event, message: random.word(length) };
      // When old entries are removed for new ones is not stated, nor how a new one is answered until then.
      const isRecorded = async (): Promise<true | undefined> => {
        answer = await admin.call("createEvent", { json });
        return (answer.accepted && (await page(gateway, { eventNames: event })).total > 0) || undefined;
      };
      const limits = { deadlineMs: profile.patience.settleMs, everyMs: triedAgainMs };
      await waitFor("a new entry to be recorded", isRecorded, limits).catch(() => undefined);
      const { total } = await settledPage(context, { eventNames: event }, 1);
      verify("CORE-EVENT-82").that(total > 0, {
        what: `a new entry in a log of ${smallestMegabytes} MB, after old entries with longer messages in total`,
        expected: "recorded",
        observed: total > 0 ? "recorded" : `not recorded: ${answer?.summary() ?? "no answer"}`,
        ...(answer === undefined ? {} : { evidence: answer }),
      });
      const removeOld = async (): Promise<void> => {
        await set({ ...small, enableTimeToLiveSec: true, timeToLiveSec: longAgoSec });
        const isGone = async (): Promise<true | undefined> =>
          (await settledPage(context, { eventNames: `${event}-old`, limit: 1 }, 0)).total === 0 || undefined;
        await waitFor("the old entries to be removed", isGone, { deadlineMs: removalMs }).catch(
          () => undefined,
        );
      };
      await removeOld();
      await verifyStop(context, `${event}-old`, () => set({ ...small, reachThresholdPolicy: "stop" }));
      await removeOld();
    },
  }),
];
