// What continues while the clock is set forward and back.
import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { gatewayTimeMs, isFollowed, restoreTimeLater, setTime } from "../support/gatewayTime.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";
import { hourMs, shared } from "./shared.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const dayMs = 24 * hourMs;

function signIn({ gateway, profile }: CaseContext): Promise<Answer<"signIn">> {
  const { name, password } = profile.credentials;
  return gateway.anonymous.call("signIn", { json: { name, password, acceptEULA: true } });
}

export const operationCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "clock/set-forward-and-back",
    title: "Sign-ins, streams and writes continue while the clock is set",
    requirements: ["CORE-CLOCK-01", "CORE-CLOCK-02"],
    capabilities: ["auth", "events", "tags", "virtual-tags", "tag-stream"],
    async run(context) {
      const { gateway, verify, scratch, waitFor, random } = context;
      await restoreTimeLater(context);
      const tag = await scratch.virtualTag({ dataType: "int32" });
      const { provider, source } = tag.path;
      const intervalMs = await takenIntervalMs(context, tag.path);
      await using watch = await gateway.watchForRestart();
      for (const [offsetMs, how] of [
        [hourMs, "one hour forward"],
        [-hourMs, "two hours back"],
        [0, "one hour forward to the true time"],
      ] as const) {
        gateway.signInsWereLost();
        await using stream = await gateway.admin.openTagStream(
          { provider, source },
          { tags: tag.tagName, streamInterval: intervalMs },
        );
        const before = random.integer(1000, 9000);
        (
          await gateway.admin.call("writeTag", {
            path: tag.path,
            json: { dataType: "int32", dataValue: before },
          })
        ).body();
        await setTime(context, offsetMs);
        verify("CORE-CLOCK-01").accepted(await signIn(context));
        gateway.signInsWereLost();
        const value = before + 1;
        const written = await gateway.admin.call("writeTag", {
          path: tag.path,
          json: { dataType: "int32", dataValue: value },
        });
        verify("CORE-CLOCK-02").accepted(written);
        const monitored = async (): Promise<unknown> => {
          const answer = await gateway.admin.call("monitorTags", {
            path: { provider, source },
            query: { tags: tag.tagName },
          });
          return answer.accepted ? [answer.data()].flat().at(-1)?.dataValue : answer.summary();
        };
        let shown: unknown;
        const isShown = async (): Promise<true | undefined> => {
          shown = await monitored();
          return shown === value || undefined;
        };
        await waitFor("the written value in monitoring", isShown, { deadlineMs: 3000 }).catch(
          () => undefined,
        );
        verify("CORE-CLOCK-02").equal(
          shown,
          value,
          `monitored value, written after the clock was set ${how}`,
          written,
        );
        // A stream may end with the sign-in that opened it, where that ended by the clock.
        if (!stream.ended)
          verify("CORE-CLOCK-02").that(
            await stream
              .next("the written value on the stream", (one) => one.value.dataValue === value)
              .then(
                () => true,
                () => stream.ended,
              ),
            {
              what: `value on a stream with streamInterval=${intervalMs}, written after the clock was set ${how}`,
              expected: String(value),
              observed: stream.received.at(-1)?.value.dataValue ?? "no value",
              evidence: stream,
            },
          );
      }
      const down = await watch.wentDown(0);
      verify("CORE-CLOCK-01").that(down === undefined, {
        what: "restart while the clock was set forward and back",
        expected: "none",
        observed: down === undefined ? "none" : "a restart",
      });
    },
  }),
  testCase({
    ...shared,
    id: "clock/log-after-a-step-back",
    title: "Entries are recorded, streamed and kept when the clock is set back",
    requirements: ["CORE-CLOCK-07"],
    capabilities: ["events", "event-stream"],
    async run(context) {
      const { gateway, verify, random, clock, signal } = context;
      await restoreTimeLater(context);
      const own = `rp-back-${random.word(8)}`;
      const category = (await entryMarks(context)).category(own);
      const create = (message: string): Promise<Answer<"createEvent">> =>
        gateway.admin.call("createEvent", { json: { category, event: own, origin: own, message } });
      const listed = async (): Promise<string[]> =>
        (await gateway.admin.call("getEvents", { query: { eventNames: own, limit: 10 } }))
          .data()
          .map(({ message }) => message)
          .toSorted();
      await setTime(context, 2 * dayMs);
      (await create("later")).body();
      await setTime(context, 0);
      await using stream = await gateway.admin.openEventStream({ eventNames: own });
      verify("CORE-CLOCK-07").accepted(await create("now"));
      const streamed = await stream
        .next("the entry on the stream", ({ record }) => record.message === "now")
        .then(
          () => true,
          () => false,
        );
      verify("CORE-CLOCK-07").that(streamed, {
        what: "entry on the event stream, recorded after the clock was set back two days",
        expected: "received",
        observed: streamed ? "received" : "not received",
        evidence: stream,
      });
      // Retention runs from time to time.
      await clock.delay(1500, signal);
      verify("CORE-CLOCK-07").equal(
        await listed(),
        ["later", "now"],
        "listed entries, recorded two days ahead and after the clock was set back",
      );
    },
  }),
  testCase({
    ...shared,
    id: "clock/far-dates",
    title: "Sign-ins and requests are accepted in 1970, on a leap day and after 2038",
    requirements: ["CORE-CLOCK-09"],
    capabilities: ["auth", "events"],
    async run(context) {
      const { gateway, verify, clock, note } = context;
      await restoreTimeLater(context);
      let tried = 0;
      for (const date of ["1970-01-01T06:00:00Z", "2028-02-29T12:00:00Z", "2040-06-01T12:00:00Z"]) {
        const isThere = await isFollowed(context, epochMsOf(date) - clock.epochMs());
        const signedIn = await signIn(context);
        const { token } = signedIn.accepted ? signedIn.data() : { token: undefined };
        const read =
          token === undefined
            ? undefined
            : await gateway.withToken(token, `token of ${date}`).call("getEvents", { query: { limit: 1 } });
        const isServing = read?.accepted === true;
        if (!isThere && isServing) {
          note(`the clock did not follow the time server to ${date}`);
          continue;
        }
        // The sign-in and the request were accepted before the time server had this date.
        tried += 1;
        verify("CORE-CLOCK-09").that(isServing, {
          what: `sign-in and request with its token, the time server being at ${date}`,
          expected: "accepted",
          observed: (read ?? signedIn).summary(),
          evidence: read ?? signedIn,
        });
        if (!isServing) break;
        const shown = new Date(await gatewayTimeMs(context)).getUTCFullYear();
        verify("CORE-CLOCK-09").equal(
          shown,
          new Date(date).getUTCFullYear(),
          `year of an entry recorded at ${date}`,
        );
      }
      if (tried === 0) context.notApplicable("the clock followed the time server to none of the dates");
    },
  }),
];
