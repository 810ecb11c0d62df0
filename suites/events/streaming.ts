import { allEnded, type EventStream, type TestCase, testCase } from "../../harness/index.ts";
import { severities } from "../../interface/resources/events.ts";
import type { EventRecord } from "../../interface/resources/events.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { verifyReceived } from "../support/onStream.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { oddTexts } from "../support/oddTexts.ts";
import { numberOf, verifyResumption } from "./resumption.ts";
import { isSameRecord, isSameTime, page, requireKeptEvents, settledPage } from "./support.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { entryMarks } from "../support/entryCategories.ts";

/** Time limit: a slow gateway gets as many events as fit. */
const sendingMs = 25_000;
/** Hundreds of records or, at level certification, a thousand: buffers and idle timers of a stream show only then. */
const streamedByLevel: Readonly<Record<CampaignLevel, number>> = {
  smoke: 30,
  nightly: 320,
  certification: 1100,
};

/** After the silence, as many as make some fit every filter. */
const afterSilence = 30;

/** Events that several clients create at the same time. */
const atOnce = 60;

const longAgo = "1957-10-04T19:28:34Z";
const datedWithinMs = 1000;

/** Time without an event on a stream after which it must still deliver one. */
const idleMs: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 20_500, certification: 64_000 };

export const streamingCases: readonly TestCase[] = [
  testCase({
    id: "events/stream-sends-new-events",
    title: "The event stream sends each new event once and resumes after Last-Event-ID",
    group: "events",
    requirements: ["CORE-EVENT-27", "CORE-EVENT-28", "CORE-EVENT-74", "CORE-EVENT-76", "CORE-EVENT-84"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts", "event-log"],
    capabilities: ["events", "event-stream"],
    async run(context) {
      const { declares, gateway, verify, random, profile, scratch } = context;
      const marks = await entryMarks(context);
      const own = `rp${random.word(8)}`;
      // Whether a keyword also matches a part of a category is not stated.
      const other = `xo${random.word(8)}`;
      const deadlineMs = profile.patience.settleMs;
      const mine = { category: marks.category(own), origin: own };
      // All severities, of which an entry without one has the default.
      const query = { ...marks.query(mine), severities: severities.join() };
      // It has one member of the filtered entries.
      const isCategory = marks.areOwn && marks.isByCategory;
      const others = isCategory ? { ...mine, category: other } : { ...mine, origin: other };
      const create = async (message: string, names = mine, author = gateway.admin): Promise<void> => {
        (await author.call("createEvent", { json: { ...names, event: own, message } })).body();
      };
      const another =
        declares("users") && declares("roles")
          ? await (await scratch.user({ permissions: profile.permissions })).signIn()
          : gateway.admin;
      const isMine = ({ category, origin }: EventRecord): boolean =>
        isCategory ? category === own : origin === own;
      const messagesOf = ({ received }: EventStream) =>
        received
          .filter(({ record }) => isMine(record))
          .map(({ record, receivedMs }) => ({ shown: record.message, receivedMs }));
      const othersOn = ({ received }: EventStream): string[] =>
        received.filter(({ record }) => !isMine(record)).map(({ record: { category } }) => category);
      let lastId: string | undefined;
      {
        await using stream = await gateway.admin.openEventStream(query);
        verify("CORE-EVENT-27").equal(
          { status: stream.status, type: stream.contentType.split(";")[0]?.trim().toLowerCase() },
          { status: 200, type: "text/event-stream" },
          "status and content type of the event stream",
          stream,
        );
        await create("other", others);
        await create("one");
        await create("two", mine, another);
        await create("three");
        const last = await stream
          .next(
            "the third created event on the stream",
            ({ record }) => record.message === "three" && isMine(record),
            deadlineMs,
          )
          .catch(() => undefined);
        verifyReceived(
          verify("CORE-EVENT-28"),
          stream,
          messagesOf(stream),
          ["one", "two", "three"],
          "messages of the created events, as received on the stream",
        );
        verify("CORE-EVENT-76").equal(
          othersOn(stream),
          [],
          "categories received on the stream beside the filtered one",
          stream,
        );
        const own = stream.received.filter(({ record }) => isMine(record));
        verify("CORE-EVENT-84").equal(
          own.map(({ id }) => id),
          own.map(({ record }) => String(record.id)),
          "field `id` of the records on the stream, compared with their member `id`",
          stream,
        );
        lastId = last?.id;
      }
      if (lastId === undefined || lastId === "") {
        verify("CORE-EVENT-74").that(false, {
          what: "`id` of the third created event on the stream",
          expected: "a non-empty id",
          observed: lastId === undefined ? "event not received" : "no id",
        });
        return;
      }
      const lines = `five "two\r\nlines" é\u{1F600}`;
      // Whether a gateway accepts line feeds is not stated.
      const five = await create(lines).then(
        () => lines,
        () => "five",
      );
      if (five !== lines) await create(five);
      await create("other", others);
      await create("four");
      await create("other", others);
      await using resumed = await gateway.admin.openEventStream(query, lastId);
      await create("six");
      await resumed
        .next(
          "the sixth created event on the resumed stream",
          ({ record }) => record.message === "six",
          deadlineMs,
        )
        .catch(() => undefined);
      verifyReceived(
        verify("CORE-EVENT-74"),
        resumed,
        messagesOf(resumed),
        [five, "four", "six"],
        "messages received on the stream opened with Last-Event-ID",
      );
      verify("CORE-EVENT-76").equal(
        othersOn(resumed),
        [],
        "categories received on the resumed stream beside the filtered one",
        resumed,
      );
    },
  }),

  testCase({
    id: "events/stream-is-complete",
    title: "Streams with different filters each send every matching event once, in order",
    group: "events",
    requirements: ["CORE-EVENT-28", "CORE-EVENT-74", "CORE-EVENT-76"],
    effect: "reversible",
    touches: [],
    addsTo: ["event-log"],
    capabilities: ["events", "event-stream"],
    leastMs: idleMs.nightly,
    deadlineMs: 120_000,
    observes: ["stream/getEvents.event/end"],
    async run(context) {
      const { clock, gateway, level, note, profile, random, signal, verify } = context;
      const patience = { deadlineMs: profile.patience.settleMs };
      const marks = await entryMarks(context);
      const { longestSec } = await requireKeptEvents(context);
      const own = `rp${random.word(8)}`;
      const count = streamedByLevel[level];
      const [a, b] = [marks.category(`${own}-a`), marks.category(`${own}-b`)];
      const scope = marks.areOwn ? {} : { origins: [`${own}-first`, `${own}-second`, `${own}-third`] };
      const textAt = (index: number) => (index % 2 === 1 ? oddTexts[(index - 1) / 2] : undefined);
      const eventOf = (index: number) => ({
        category: index % 2 === 0 ? a : b,
        event: `${own} ${"xyz"[index % 3]}`,
        origin: `${own}-${["second", "third"][index % 5] ?? "first"}`,
        message: `number ${index} ${textAt(index)?.text ?? 'é説\u{1F600} <b>&amp;</b> "q" %2B+'}`,
        // Of every event name, all severities: each filter of a query excludes what the others let through.
        severity: severities[Math.floor(index / 3) % severities.length] ?? "info",
        user: `${own}-user`,
        userOrigin: "192.0.2.7",
      });
      // Whether an unknown severity is rejected is not stated.
      const severityQuery = { severities: `xo${own},alert,warning`, limit: 1 };
      const isTaken = (await gateway.admin.call("getEvents", { query: severityQuery })).accepted;
      type Sent = ReturnType<typeof eventOf>;
      const filters: readonly { query: EventQuery; fits: (event: Sent) => boolean }[] = [
        { query: { categories: `${a},${b}`, ...scope }, fits: () => true },
        {
          query: { eventNames: `${noKeywords(own)},${own} x,${own} y` },
          fits: ({ event }) => !event.endsWith("z"),
        },
        {
          query: {
            categories: a,
            severities: isTaken ? severityQuery.severities : "alert,warning",
            ...scope,
          },
          fits: ({ category, severity }) => category === a && severity !== "info",
        },
        {
          query: { categories: a, eventNames: `${own} x,${own} z`, origins: [`${own}-first`] },
          fits: ({ category, event, origin }) =>
            category === a && !event.endsWith("y") && origin.endsWith("first"),
        },
        {
          query: {
            eventNames: `${own} y`,
            severities: "info,warning",
            origins: [`${own}-second`],
          },
          fits: ({ event, severity, origin }) =>
            event.endsWith("y") && severity !== "alert" && origin.endsWith("second"),
        },
        {
          query: { origins: [`${own}-second`, `${own}-third`] },
          fits: ({ origin }) => !origin.endsWith("first"),
        },
        { query: { categories: `${a},${b}`, ...scope }, fits: () => true },
      ];
      await using streams = new AsyncDisposableStack();
      const open: { stream: EventStream; filter: (typeof filters)[number] }[] = [];
      for (const filter of filters) {
        const stream = streams.use(await gateway.admin.openEventStream(filter.query));
        // How many streams may be open at a time is not stated.
        if (stream.status === 200) open.push({ stream, filter });
        else note(`stream ${open.length + 1} of ${filters.length} was answered with status ${stream.status}`);
      }
      const [first] = open;
      if (first === undefined) return context.unmet("no event stream could be opened");
      const rare = { category: marks.category(`${own}-rare`), event: own, origin: `${own}-rare` };
      const idle = streams.use(await gateway.admin.openEventStream(marks.query(rare)));
      // Its end must not end the others.
      const leaving = streams.use(await gateway.admin.openEventStream({ categories: a, ...scope }));
      const sent: Sent[] = [];
      const send = async (from: number, to: number): Promise<void> => {
        // By the times of the record: a replay must send as many.
        let firstMs: number | undefined;
        let tookMs = 0;
        for (let index = from; index < to && tookMs < sendingMs; index++) {
          if (index * 2 === count) await leaving[Symbol.asyncDispose]();
          const json = eventOf(index);
          const answer = await gateway.admin.call("createEvent", { json });
          const { startedMs, durationMs } = answer.exchange;
          firstMs ??= startedMs;
          tookMs = startedMs + durationMs - firstMs;
          if (textAt(index)?.mayBeRejected === true && answer.rejected) continue;
          answer.body();
          sent.push(json);
        }
      };
      await send(0, count);
      await leaving[Symbol.asyncDispose]();
      await clock.delay(idleMs[level], signal);
      await send(count, count + afterSilence);
      await allEnded(
        open.map(async ({ stream, filter }) => {
          const last = sent.findLast(filter.fits)?.message;
          const isLast = ({ record }: { record: EventRecord }): boolean => record.message === last;
          await stream
            .next(`the last event of ${sent.length}`, isLast, profile.patience.settleMs)
            .catch(() => undefined);
        }),
      );
      const listed = new Map<string, EventRecord>();
      const whole = { categories: `${a},${b}`, ...scope, limit: 100 };
      await settledPage(context, whole, sent.length);
      for (let offset = 0; offset < sent.length; offset += 100) {
        for (const record of (await page(gateway, { ...whole, offset })).data)
          listed.set(numberOf(record), record);
      }
      for (const { stream, filter } of open) {
        const expected = sent.filter(filter.fits).map(numberOf);
        const what = JSON.stringify(filter.query);
        const received = stream.received.map(({ record }) => record);
        const wanted = new Set(expected);
        verifyReceived(
          verify("CORE-EVENT-28"),
          stream,
          stream.received
            .map(({ record, receivedMs }) => ({ shown: numberOf(record), receivedMs }))
            .filter(({ shown }) => wanted.has(shown)),
          expected,
          `numbers of ${expected.length} matching events, as received on the stream with ${what}`,
        );
        verify("CORE-EVENT-76").equal(
          received.filter((record) => !wanted.has(numberOf(record))).map(({ message }) => message),
          [],
          `messages received on the stream with ${what} that its filters exclude`,
          stream,
        );
        const different = received.filter((record) => !isSameRecord(record, listed.get(numberOf(record))));
        verify("CORE-EVENT-28").equal(
          different.slice(0, 3),
          different.slice(0, 3).map((record) => listed.get(numberOf(record))),
          `first records of the stream with ${what} that differ from Get events`,
          stream,
        );
      }
      // A stream may be resumed more than once.
      for (const place of [0, 1])
        await verifyResumption(context, first, sent.filter(first.filter.fits).map(numberOf), place);
      // How many streams may be open at a time is not stated.
      if (idle.status !== 200) return;
      const json = { ...rare, message: "after a silence" };
      (await gateway.admin.call("createEvent", { json })).body();
      await idle.next("the event", () => true, profile.patience.settleMs).catch(() => undefined);
      verify("CORE-EVENT-28").equal(
        idle.received.map(({ record }) => record.message),
        [json.message],
        `messages received on a stream after more than ${idleMs[level] / 1000} s without a matching event`,
        idle,
      );
      const together = Array.from({ length: atOnce }, (_, index) => `at once ${index + 100}`);
      const answers = await Promise.all(
        together.map((message) => gateway.admin.call("createEvent", { json: { ...json, message } })),
      );
      const accepted = together.filter((_, index) => answers[index]?.accepted);
      const ofThem = (): string[] =>
        idle.received.map(({ record }) => record.message).filter((message) => together.includes(message));
      await context
        .waitFor(
          "the events created at once",
          () => ofThem().length >= accepted.length || undefined,
          patience,
        )
        .catch(() => undefined);
      verify("CORE-EVENT-28").equal(
        ofThem()
          .filter((message) => accepted.includes(message))
          .toSorted(),
        accepted,
        `messages of ${atOnce} events that were created at once, as received on a stream`,
        idle,
      );
      // A record that says the same as the one before is a record as well, where Get events has both.
      const alike = 3;
      const same = { ...json, event: `${own} again` };
      for (let time = 0; time < alike; time++)
        (await gateway.admin.call("createEvent", { json: same })).body();
      const { total: held } = await settledPage(
        context,
        { ...marks.query(rare), eventNames: same.event },
        alike,
      );
      const shown = (): number => idle.received.filter(({ record }) => record.event === same.event).length;
      await context
        .waitFor(`${held} equal events`, () => shown() >= held || undefined, patience)
        .catch(() => undefined);
      verify("CORE-EVENT-28").that(shown() >= held && shown() <= alike, {
        what: `records on a stream of ${alike} events that were created alike, ${held} of them in Get events`,
        expected: `${held} to ${alike}`,
        observed: shown(),
        evidence: idle,
      });
      const agoMs = clock.epochMs() - 2000;
      const dates = [dateTimeText(agoMs, "+05:30", ".25"), dateTimeText(agoMs, "-03:30"), longAgo];
      for (const createdAt of dates) {
        if (clock.epochMs() - epochMsOf(createdAt) > longestSec * 1000) continue;
        const dated = { ...json, message: `dated ${createdAt}`, createdAt };
        const answer = await gateway.admin.call("createEvent", { json: dated });
        if (answer.rejected) continue;
        const isDated = ({ record }: { record: EventRecord }): boolean => record.message === dated.message;
        // Whether a stream sends entries of an earlier time is not stated; if it does, they are those of Get events.
        const streamed = await idle.next("the dated event", isDated, datedWithinMs).catch(() => undefined);
        if (streamed === undefined) continue;
        const find = async (): Promise<EventRecord | undefined> =>
          (await page(gateway, marks.query(rare))).data.find(({ message }) => message === dated.message);
        const found = await context
          .waitFor("the dated event in Get events", find, patience)
          .catch(() => undefined);
        verify("CORE-EVENT-28").that(isSameTime(streamed.record.createdAt, found?.createdAt ?? ""), {
          what: `\`createdAt\` of the streamed entry with ${createdAt}, compared with Get events`,
          expected: found?.createdAt ?? "listed",
          observed: streamed.record.createdAt,
          evidence: idle,
        });
      }
    },
  }),
];

/** Keywords that no event has. */
const noKeywords = (own: string): string => Array.from("abcdefghijkl", (end) => `${own} none ${end}`).join();

type EventQuery = Parameters<typeof page>[1];
