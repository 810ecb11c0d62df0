import { type Answer, type TestCase, testCase } from "../../harness/index.ts";
import { severities } from "../../interface/resources/events.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { page, requireKeptEvents, settledPage } from "./support.ts";

const clockSlackMs = 5 * 60_000;

/** Texts that escaping, encoding or trimming by a store or a query would change. */
const entryTexts: readonly { text: string; mayBeRejected?: boolean }[] = [
  { text: 'É "Quoted"' },
  { text: "Détail 説明" },
  { text: "100% %41%2F + <b>bold</b> &amp; 'a'='b'" },
  { text: "back\\slash; two  spaces \u{1F600}" },
  { text: "comma, line\nand\ttab", mayBeRejected: true },
  { text: `long ${"0123456789abcdef".repeat(4096)} end`, mayBeRejected: true },
];

/** Near enough to be past soon: an entry from the future would stay the first of every page. */
const soonMs = 10 * 60_000;

/** Dates that a calendar, a counter of seconds or a fraction may get wrong. */
const earlierDates = ["2024-02-29T23:59:59Z", "2001-09-09T03:46:40+02:00", "1999-12-31T23:59:59.050Z"];

export const creatingCases: readonly TestCase[] = [
  testCase({
    id: "events/created-entries-are-listed",
    title: "A created entry is listed as sent, with the stated defaults for absent members",
    group: "events",
    requirements: [
      "CORE-EVENT-22",
      "CORE-EVENT-31",
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
    async run(context) {
      const { gateway, verify, random, clock } = context;
      await requireKeptEvents(context);
      const own = `rp${random.word(8)}`;
      for (const [index, { text, mayBeRejected }] of entryTexts.entries()) {
        const severity = severities[index % severities.length] ?? "info";
        const createdMs = (Math.floor(clock.epochMs() / 1000) - random.integer(10, 3000)) * 1000;
        const createdAt = dateTimeText(createdMs, (["+05:30", "Z", "-03:00"] as const)[index % 3] ?? "Z");
        const json = {
          category: `${own}-Öf-${index}`,
          event: mayBeRejected === true ? own : `${own} ${text}`,
          origin: `${own}-Origín`,
          message: `${text} ${random.word(20)}`,
          severity,
          user: `${own}-usér`,
          userOrigin: "192.0.2.7",
          createdAt,
        };
        const answer = await gateway.admin.call("createEvent", { json });
        if (mayBeRejected === true && !answer.accepted && answer.status < 500) continue;
        if (!verify("CORE-EVENT-32").accepted(answer)) continue;
        verify("CORE-EVENT-31").equal(answer.data(), "ok", "`data` in the answer of Create log", answer);
        const { data, total } = await settledPage(context, { categories: json.category }, 1);
        const [record] = data;
        verify("CORE-EVENT-32").equal(total, 1, "number of listed entries after one was created", answer);
        verify("CORE-EVENT-32").equal(
          { category: record?.category, event: record?.event, origin: record?.origin },
          { category: json.category, event: json.event, origin: json.origin },
          "`category`, `event` and `origin` of the listed entry",
          answer,
        );
        verify("CORE-EVENT-33").equal(
          { message: record?.message, user: record?.user, userOrigin: record?.userOrigin },
          { message: json.message, user: json.user, userOrigin: json.userOrigin },
          "`message`, `user` and `userOrigin` of the listed entry",
          answer,
        );
        verify("CORE-EVENT-34").equal(record?.severity, severity, "`severity` of the listed entry", answer);
        verify("CORE-EVENT-36").equal(
          Date.parse(record?.createdAt ?? ""),
          createdMs,
          "`createdAt` of the listed entry in milliseconds since 1970",
          answer,
        );
        if (mayBeRejected === true) continue;
        const byName = await page(gateway, { eventNames: json.event });
        verify("CORE-EVENT-22").equal(
          byName.data.map(({ event }) => event),
          [json.event],
          "`event` of the entries listed with `eventNames` of the created entry",
          answer,
        );
      }
      const soon = dateTimeText(clock.epochMs() + soonMs, "Z");
      for (const createdAt of [...earlierDates, soon]) {
        const json = { category: `${own}-${createdAt}`, event: own, origin: own, createdAt };
        const answer = await gateway.admin.call("createEvent", { json });
        // Whether a gateway takes an entry from the future is not stated.
        if (createdAt === soon && !answer.accepted) continue;
        if (!verify("CORE-EVENT-36").accepted(answer)) continue;
        const [record] = (await settledPage(context, { categories: json.category }, 1)).data;
        const lateMs = Math.abs(Date.parse(record?.createdAt ?? "") - Date.parse(createdAt));
        // A log may count in whole seconds or tenths.
        verify("CORE-EVENT-36").that(lateMs <= 100, {
          what: "`createdAt` of an entry with another date",
          expected: createdAt,
          observed: record?.createdAt,
          evidence: answer,
        });
      }
      const bare = { category: `${own}-bare`, event: own, origin: own };
      const answer = await gateway.admin.call("createEvent", { json: bare });
      answer.body();
      const [record] = (await settledPage(context, { categories: bare.category }, 1)).data;
      verify("CORE-EVENT-35").equal(record?.severity, "info", "`severity` of an entry created without it");
      const createdMs = Date.parse(record?.createdAt ?? "");
      // The gateway's time: its Date header, which a proxy may have replaced by the time of this laboratory.
      const clocksMs = [Date.parse(answer.headers["date"] ?? ""), clock.epochMs()];
      const gatewayNowMs = clocksMs.find((ms) => Math.abs(createdMs - ms) < clockSlackMs) ?? clocksMs[0];
      if (answer.headers["date"] === undefined && gatewayNowMs !== clocksMs[1])
        verify("CORE-EVENT-37").notApplicable(
          "`createdAt` of an entry created without it",
          "the gateway's time is not known: no Date header in its answers",
        );
      else
        verify("CORE-EVENT-37").that(Math.abs(createdMs - (gatewayNowMs ?? Number.NaN)) < clockSlackMs, {
          what: "`createdAt` of an entry created without it",
          expected: `${answer.headers["date"]}, at most ${clockSlackMs / 1000} s earlier or later`,
          observed: record?.createdAt,
          evidence: answer,
        });
    },
  }),
  testCase({
    id: "events/wrong-entries-are-refused",
    title: "Create log rejects missing category, event or origin and unknown severities",
    group: "events",
    requirements: ["CORE-EVENT-38", "CORE-EVENT-39", "CORE-GENERAL-09"],
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
      const answers: Answer[] = [];
      for (const severity of ["critical", "ALERT", ""]) {
        const answer = await gateway.admin.callInvalid("createEvent", { json: { ...whole, severity } });
        verify("CORE-GENERAL-09").refused(answer);
        answers.push(answer);
      }
      const { data } = await page(gateway, { categories: own });
      verify("CORE-EVENT-39").equal(
        data.map(({ severity }) => severity).filter((severity) => !severities.includes(severity)),
        [],
        "severities of recorded entries outside the allowed values",
      );
      verify("CORE-EVENT-39").that(data.length <= answers.filter(({ accepted }) => accepted).length, {
        what: "number of recorded entries",
        expected: "at most the number of accepted requests",
        observed: data.length,
      });
    },
  }),
];
