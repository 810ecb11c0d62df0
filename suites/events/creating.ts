import { type TestCase, testCase } from "../../harness/index.ts";
import { severities } from "../../interface/resources/events.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { readZip } from "../support/zipFile.ts";
import { page } from "./support.ts";

const clockSlackMs = 5 * 60_000;

export const creatingCases: readonly TestCase[] = [
  testCase({
    id: "events/created-entries-are-listed",
    title: "A created entry is listed as sent, with the stated defaults for absent members",
    group: "events",
    requirements: [
      "CORE-EVENT-32",
      "CORE-EVENT-33",
      "CORE-EVENT-34",
      "CORE-EVENT-35",
      "CORE-EVENT-36",
      "CORE-EVENT-37",
    ],
    effect: "reversible",
    touches: ["event-log"],
    capabilities: ["events"],
    tags: ["smoke"],
    async run({ gateway, verify, random, clock }) {
      const own = `rp${random.word(8)}`;
      for (const [index, severity] of severities.entries()) {
        const createdMs = (Math.floor(clock.epochMs() / 1000) - random.integer(10, 3000)) * 1000;
        const createdAt = dateTimeText(createdMs, (["+05:30", "Z", "-03:00"] as const)[index % 3] ?? "Z");
        const json = {
          category: `${own}-Of-${severity}`,
          event: `${own} É "Quoted"`,
          origin: `${own}-Origin`,
          message: `Détail 説明 ${random.word(20)}`,
          severity,
          user: `${own}-user`,
          userOrigin: "192.0.2.7",
          createdAt,
        };
        const answer = await gateway.admin.call("createEvent", { json });
        if (!verify("CORE-EVENT-32").accepted(answer)) continue;
        const [record] = (await page(gateway, { categories: json.category })).data;
        verify("CORE-EVENT-32").equal(
          { category: record?.category, event: record?.event, origin: record?.origin },
          { category: json.category, event: json.event, origin: json.origin },
          "`category`, `event` and `origin` of the listed entry",
        );
        verify("CORE-EVENT-33").equal(
          { message: record?.message, user: record?.user, userOrigin: record?.userOrigin },
          { message: json.message, user: json.user, userOrigin: json.userOrigin },
          "`message`, `user` and `userOrigin` of the listed entry",
        );
        verify("CORE-EVENT-34").equal(record?.severity, severity, "`severity` of the listed entry");
        verify("CORE-EVENT-36").equal(
          Date.parse(record?.createdAt ?? ""),
          createdMs,
          "`createdAt` of the listed entry in milliseconds since 1970",
        );
      }
      const bare = { category: `${own}-bare`, event: own, origin: own };
      const answer = await gateway.admin.call("createEvent", { json: bare });
      answer.body();
      const gatewayNowMs = Number.isNaN(Date.parse(answer.headers["date"] ?? ""))
        ? clock.epochMs()
        : Date.parse(answer.headers["date"] ?? "");
      const [record] = (await page(gateway, { categories: bare.category })).data;
      verify("CORE-EVENT-35").equal(record?.severity, "info", "`severity` of an entry created without it");
      verify("CORE-EVENT-37").that(
        Math.abs(Date.parse(record?.createdAt ?? "") - gatewayNowMs) < clockSlackMs,
        {
          what: "`createdAt` of an entry created without it",
          expected: `${new Date(gatewayNowMs).toISOString()}, at most ${clockSlackMs / 1000} s earlier or later`,
          observed: record?.createdAt,
        },
      );
    },
  }),
  testCase({
    id: "events/wrong-entries-are-refused",
    title: "Create log rejects missing category, event or origin and unknown severities",
    group: "events",
    requirements: ["CORE-EVENT-38", "CORE-EVENT-39"],
    effect: "reversible",
    touches: ["event-log"],
    capabilities: ["events"],
    async run({ gateway, verify, random }) {
      const own = `rp${random.word(8)}`;
      const whole: Record<string, string> = { category: own, event: own, origin: own };
      for (const name of Object.keys(whole)) {
        const json = Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name));
        verify("CORE-EVENT-38").refused(await gateway.admin.callInvalid("createEvent", { json }));
      }
      for (const severity of ["critical", "ALERT", ""]) {
        verify("CORE-EVENT-39").refused(
          await gateway.admin.callInvalid("createEvent", { json: { ...whole, severity } }),
        );
      }
      verify("CORE-EVENT-39").equal(
        (await page(gateway, { categories: own })).total,
        0,
        "listed entries of the rejected requests",
      );
    },
  }),
  testCase({
    id: "events/download-is-a-zip",
    title: "The events are downloaded as a zip file",
    group: "events",
    requirements: ["CORE-EVENT-29"],
    effect: "reversible",
    touches: ["event-log"],
    capabilities: ["events"],
    async run({ gateway, verify, random, note }) {
      const own = `rp${random.word(10)}`;
      (await gateway.admin.call("createEvent", { json: { category: own, event: own, origin: own } })).body();
      const answer = await gateway.admin.call("getEvents", { query: { download: true } });
      if (!verify("CORE-EVENT-29").accepted(answer)) return;
      const entries = await readZip(answer.bytes);
      verify("CORE-EVENT-29").that(entries !== undefined && entries.length > 0, {
        what: "body of the event download",
        expected: "a zip file with at least one file",
        observed: `${answer.bytes.length} bytes of ${answer.headers["content-type"]}`,
        evidence: answer,
      });
      note(
        `the event created before the download is ${entries?.some(({ content }) => content.includes(own)) === true ? "" : "not "}found in the files as text`,
      );
    },
  }),
  testCase({
    id: "events/stream-sends-new-events",
    title: "The event stream sends each new event once and resumes after Last-Event-ID",
    group: "events",
    requirements: ["CORE-EVENT-27", "CORE-EVENT-28", "CORE-EVENT-74", "CORE-EVENT-76"],
    effect: "reversible",
    touches: ["event-log"],
    capabilities: ["events", "event-stream"],
    async run({ gateway, verify, random, profile }) {
      const own = `rp${random.word(8)}`;
      const deadlineMs = profile.patience.settleMs;
      const create = async (message: string, category = own): Promise<void> => {
        (
          await gateway.admin.call("createEvent", { json: { category, event: own, origin: own, message } })
        ).body();
      };
      const messagesOf = (received: readonly { record: { category: string; message: string } }[]): string[] =>
        received.filter(({ record }) => record.category === own).map(({ record }) => record.message);
      const othersOn = (received: readonly { record: { category: string } }[]): string[] =>
        received.map(({ record }) => record.category).filter((category) => category !== own);
      let lastId: string | undefined;
      {
        await using stream = await gateway.admin.openEventStream({ categories: own });
        verify("CORE-EVENT-27").equal(
          { status: stream.status, type: stream.contentType.split(";")[0]?.trim().toLowerCase() },
          { status: 200, type: "text/event-stream" },
          "status and content type of the event stream",
        );
        await create("other", `${own}-other`);
        for (const message of ["one", "two", "three"]) await create(message);
        const last = await stream
          .next(
            "the third created event on the stream",
            ({ record }) => record.message === "three" && record.category === own,
            deadlineMs,
          )
          .catch(() => undefined);
        verify("CORE-EVENT-28").equal(
          messagesOf(stream.received),
          ["one", "two", "three"],
          "messages of the created events, as received on the stream",
        );
        verify("CORE-EVENT-76").equal(
          othersOn(stream.received),
          [],
          "categories received on the stream beside the filtered one",
        );
        lastId = last === undefined ? undefined : last.id;
      }
      if (lastId === undefined || lastId === "") {
        verify("CORE-EVENT-74").that(false, {
          what: "`id` of the third created event on the stream",
          expected: "a non-empty id",
          observed: lastId === undefined ? "event not received" : "no id",
        });
        return;
      }
      for (const message of ["four", "five"]) {
        await create(message);
        await create("other", `${own}-other`);
      }
      await using resumed = await gateway.admin.openEventStream({ categories: own }, lastId);
      await create("six");
      await resumed
        .next(
          "the sixth created event on the resumed stream",
          ({ record }) => record.message === "six",
          deadlineMs,
        )
        .catch(() => undefined);
      verify("CORE-EVENT-74").equal(
        messagesOf(resumed.received),
        ["four", "five", "six"],
        "messages received on the stream opened with Last-Event-ID",
      );
      verify("CORE-EVENT-76").equal(
        othersOn(resumed.received),
        [],
        "categories received on the resumed stream beside the filtered one",
      );
    },
  }),
];
