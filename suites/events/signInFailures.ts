// The event that the gateway itself records for a failed sign-in: when, with what, and on a stream.
import {
  type Answer,
  type CaseContext,
  type EventStream,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { EventKind, EventRecord } from "../../interface/resources/events.ts";
import { verifySomeOfKind } from "../support/recordedEvents.ts";
import { memberOf } from "../support/settingCheck.ts";
import { verifyCreatedNow } from "./entryDefaults.ts";
import { page } from "./support.ts";

const signInFailure = { id: 49, event: "user login fail" };
const newestRecords = 20;
/** Other clients may fail to sign in meanwhile: an increase counts when it comes with every sign-in. */
const signIns = 3;
/** A kind that was switched is off, or on, within this time. */
const switchedWithinMs = 1500;
const recordedWithinMs = 200;

const newest = async ({ gateway }: CaseContext): Promise<EventRecord[]> => {
  const query = { eventNames: signInFailure.event, limit: newestRecords };
  return (await page(gateway, query)).data.filter(({ event }) => event === signInFailure.event);
};

const total = async ({ gateway }: CaseContext): Promise<number> =>
  (await page(gateway, { eventNames: signInFailure.event, limit: 1 })).total;

/** Causes a failed sign-in while its kind is enabled, and checks the records of it in the log and on the stream. */
async function verifyRecorded(
  context: CaseContext,
  kind: EventKind | undefined,
  who: string,
  fail: () => Promise<Answer>,
  stream: EventStream | undefined,
): Promise<void> {
  const { verify, waitFor, profile } = context;
  const before = await total(context);
  const earlier = new Set((await newest(context)).map(({ id }) => id));
  const answer = await fail();
  const isRecorded = await waitFor("the failed sign-in to be recorded", async () =>
    (await total(context)) > before ? true : undefined,
  ).catch(() => false);
  verify("CORE-EVENT-73").equal(
    isRecorded ? "recorded" : "not recorded",
    "recorded",
    `event of a failed sign-in ${who} while its kind is enabled`,
    answer,
  );
  const records = (await newest(context)).filter(({ id }) => !earlier.has(id));
  const [record] = records;
  if (record === undefined) return;
  if (kind !== undefined) verifySomeOfKind(context.verify, records, kind, answer);
  verifyCreatedNow(context, answer, record, "CORE-EVENT-09", "of the event of a failed sign-in");
  await verifyFound(context, record, answer);
  if (stream?.status !== 200)
    return verify("CORE-EVENT-28").notApplicable(
      `"${signInFailure.event}" on a stream`,
      stream === undefined ? "no stream was opened" : `the stream was answered with status ${stream.status}`,
    );
  const ids = records.map(({ id }) => id);
  const streamed = (): number[] =>
    stream.received.map((one) => one.record.id).filter((id) => ids.includes(id));
  await waitFor("the event on the stream", () => streamed().length >= ids.length || undefined, {
    deadlineMs: profile.patience.settleMs,
  }).catch(() => undefined);
  verify("CORE-EVENT-28").equal(
    ids.filter((id) => !streamed().includes(id)),
    [],
    `ids of "${signInFailure.event}" in Get events after a failed sign-in ${who}, not received on the stream`,
    stream,
  );
}

/** Checks that an event which the gateway recorded itself is found by each of its own members. */
async function verifyFound(context: CaseContext, record: EventRecord, evidence: Answer): Promise<void> {
  const { gateway, profile, verify, waitFor } = context;
  const { id, category, event: eventNames, origin, severity } = record;
  verify("CORE-EVENT-05").that(origin !== "", {
    what: `\`origin\` of the event "${eventNames}", which the gateway recorded itself`,
    expected: "the name of a service or app",
    observed: origin,
    evidence,
  });
  for (const [requirement, value, filter] of [
    ["CORE-EVENT-21", category, { categories: category }],
    ["CORE-EVENT-23", severity, { severities: severity }],
    ["CORE-EVENT-24", origin, { origins: [origin] }],
  ] satisfies [string, string, Parameters<typeof page>[1]][]) {
    const what = `event "${eventNames}" that the gateway recorded itself, with ${JSON.stringify(filter)}`;
    if (value === "" || value.includes(",")) {
      verify(requirement).notApplicable(what, "no keyword stands for the value alone");
      continue;
    }
    const isListed = async (): Promise<true | undefined> =>
      (await page(gateway, { eventNames, limit: newestRecords, ...filter })).data.some(
        (one) => one.id === id,
      ) || undefined;
    const isFound = await waitFor(what, isListed, { deadlineMs: profile.patience.settleMs }).catch(
      () => false,
    );
    verify(requirement).equal(isFound ? "listed" : "not listed", "listed", what, evidence);
  }
}

/** Signs in with the right password until one sign-in records no failure. */
async function verifySuccess(context: CaseContext, signIn: () => Promise<unknown>): Promise<void> {
  const { clock, signal, verify } = context;
  let recorded = 0;
  for (let time = 0; time < signIns && recorded === time; time++) {
    const before = await total(context);
    await signIn();
    await clock.delay(recordedWithinMs, signal);
    if ((await total(context)) > before) recorded += 1;
  }
  verify("CORE-EVENT-73").that(recorded < signIns, {
    what: `successful sign-ins followed by a new "${signInFailure.event}"`,
    expected: `fewer than ${signIns} of ${signIns}`,
    observed: `${recorded} of ${signIns}`,
  });
}

export const signInFailureCases: readonly TestCase[] = [
  testCase({
    id: "events/disabled-kind-is-not-recorded",
    title: "A failed sign-in is recorded only while its event kind is enabled",
    group: "events",
    requirements: [
      "CORE-EVENT-05",
      "CORE-EVENT-09",
      "CORE-EVENT-21",
      "CORE-EVENT-23",
      "CORE-EVENT-24",
      "CORE-EVENT-28",
      "CORE-EVENT-68",
      "CORE-EVENT-73",
    ],
    effect: "reversible",
    // Other cases about accounts fail to sign in as well, which the count of recorded failures would show.
    touches: ["accounts", "event-catalogue", "event-log", "sign-in-failures"],
    capabilities: ["events", "auth"],
    async run(context) {
      const { declares, gateway, verify, scratch, clock, signal, unmet } = context;
      const { admin, anonymous } = gateway;
      const kind = (await admin.call("getEventCatalogue"))
        .data()
        .events.find(({ id }) => id === signInFailure.id);
      const put = async (enable: boolean): Promise<unknown> =>
        admin.call("updateEventKinds", { json: { events: [{ id: signInFailure.id, enable }] } });
      scratch.undo("event kind user login fail", () => put(kind?.enable === true));
      if (memberOf(await admin.call("getEventConfiguration"), "enable") !== true)
        unmet("the event log is disabled, and no event is recorded");
      const user = declares("users") && declares("roles") ? await scratch.user() : undefined;
      const failAs = (name: string): Promise<Answer> =>
        anonymous.call("signIn", { json: { name, password: "wrong-Pass1!" } });
      await put(true);
      await using stream = declares("event-stream")
        ? await admin.openEventStream({ eventNames: signInFailure.event })
        : undefined;
      const nobody = scratch.name("nobody");
      await verifyRecorded(context, kind, "with an unknown name", () => failAs(nobody), stream);
      if (user !== undefined) {
        await verifySuccess(context, user.signIn);
        await verifyRecorded(context, kind, "with a wrong password", () => failAs(user.name), stream);
      }
      await put(false);
      const failure = async (): Promise<number> => {
        const before = await total(context);
        await failAs(scratch.name("nobody"));
        await clock.delay(recordedWithinMs, signal);
        return (await total(context)) - before;
      };
      // How soon the kind is off, and on again, is not stated: the last one decides.
      const repeatWhile = async (goesOn: (recorded: number) => boolean): Promise<number> => {
        const untilMs = clock.nowMs() + switchedWithinMs;
        let recorded = await failure();
        while (goesOn(recorded) && clock.nowMs() < untilMs) recorded = await failure();
        return recorded;
      };
      verify("CORE-EVENT-73").equal(
        await repeatWhile((recorded) => recorded > 0),
        0,
        "newly recorded failed sign-ins after one more while the kind is disabled",
      );
      await put(true);
      await repeatWhile((recorded) => recorded === 0);
      const again = "after its kind was disabled for a while";
      await verifyRecorded(context, kind, again, () => failAs(scratch.name("nobody")), undefined);
    },
  }),
];
