import { type Answer, type TestCase, testCase } from "../../harness/index.ts";
import { severities } from "../../interface/resources/events.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { isShort, oddTexts } from "../support/oddTexts.ts";
import { verifyDefaults, verifyLeast, verifyOrigins } from "./entryDefaults.ts";
import { page, requireKeptEvents, settledPage } from "./support.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { entryMarks } from "../support/entryCategories.ts";

/** Near enough to be past soon: an entry from the future would stay the first of every page. */
const soonMs = 10 * 60_000;

/** Dates that a calendar, a counter of seconds or a fraction may get wrong. */
const earlierDates = [
  "2024-02-29T23:59:59Z",
  "2001-09-09T03:46:40+02:00",
  "1999-12-31T23:59:59.050Z",
  "2003-04-05T06:07:08Z",
];
/** Whether a gateway accepts these is not stated. */
const datesBefore1970 = ["1969-12-31T23:59:59Z", "1901-12-13T20:45:51Z", "1858-11-17T04:05:06+05:30"];

export const creatingCases: readonly TestCase[] = [
  testCase({
    id: "events/created-entries-are-listed",
    title: "A created entry is listed as sent, with the stated defaults for absent members",
    group: "events",
    requirements: [
      "CORE-EVENT-04",
      "CORE-EVENT-15",
      "CORE-EVENT-20",
      "CORE-EVENT-22",
      "CORE-EVENT-23",
      "CORE-EVENT-24",
      "CORE-EVENT-31",
      "CORE-EVENT-32",
      "CORE-EVENT-33",
      "CORE-EVENT-34",
      "CORE-EVENT-35",
      "CORE-EVENT-36",
      "CORE-EVENT-37",
    ],
    effect: "reversible",
    // A gateway may drop entries that are named as a disabled event kind.
    touches: ["event-log", "event-catalogue"],
    addsTo: ["accounts"],
    capabilities: ["events"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, verify, random, clock } = context;
      const { longestSec } = await requireKeptEvents(context);
      const own = `rp${random.word(8)}`;
      const marks = await entryMarks(context);
      for (const [index, odd] of oddTexts.entries()) {
        const { text, mayBeRejected } = odd;
        const severity = severities[index % severities.length] ?? "info";
        const createdMs = (Math.floor(clock.epochMs() / 1000) - random.integer(10, 3000)) * 1000;
        const createdAt = dateTimeText(createdMs, (["+05:30", "Z", "-03:30"] as const)[index % 3] ?? "Z");
        const simple = {
          category: marks.category(`${own}-Öf-${index}`),
          event: `${own} ${index}`,
          origin: `${own}-Origín-${index}`,
          message: `${text} ${random.word(20)}`,
          severity,
          user: `${own}-usér`,
          userOrigin: "192.0.2.7",
          createdAt,
        };
        let json = { ...simple, event: `${own} ${text}` };
        if (mayBeRejected)
          json = isShort(odd)
            ? { ...json, origin: `${simple.origin} ${text}`, user: `${own} ${text}` }
            : simple;
        // Where the origin tells the entry from others, a comma in it would separate two.
        if (!marks.isByCategory) json = { ...json, origin: simple.origin };
        const mine = marks.query(json);
        // Asked before and after: an answer is not that of an earlier request.
        await page(gateway, mine);
        let answer = await gateway.admin.call("createEvent", { json });
        const next = await gateway.admin.call("getEvents", { query: mine });
        verify("CORE-EVENT-15").equal(
          next.body().total,
          next.body().data.length,
          "`total` of a page that is not full, compared with the number of entries on it",
          next,
        );
        if (mayBeRejected && answer.rejected && isShort(odd)) {
          json = simple;
          answer = await gateway.admin.call("createEvent", { json });
        }
        if (mayBeRejected && answer.rejected) continue;
        if (!verify("CORE-EVENT-32").accepted(answer)) continue;
        verify("CORE-EVENT-31").equal(answer.data(), "ok", "`data` in the answer of Create log", answer);
        const { data, total } = await settledPage(context, marks.query(json), 1);
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
          epochMsOf(record?.createdAt ?? ""),
          createdMs,
          "`createdAt` of the listed entry in milliseconds since 1970",
          answer,
        );
        // A comma separates keywords.
        if (text.includes(",")) continue;
        const filters: readonly (readonly [string, Parameters<typeof page>[1]])[] = [
          ["CORE-EVENT-22", { eventNames: json.event }],
          ["CORE-EVENT-24", { categories: json.category, origins: [json.origin] }],
        ];
        for (const [requirement, query] of filters) {
          const filtered = await gateway.admin.call("getEvents", { query });
          // Whether a query can have every character is not stated.
          if (mayBeRejected && filtered.rejected) continue;
          verify(requirement).equal(
            filtered.body().data.map(({ event, origin }) => ({ event, origin })),
            [{ event: json.event, origin: json.origin }],
            `\`event\` and \`origin\` of the entries listed with \`${Object.keys(query).join("` and `")}\` of the created entry`,
            filtered,
          );
        }
      }
      const soon = dateTimeText(clock.epochMs() + soonMs, "Z");
      for (const createdAt of [...earlierDates, ...datesBefore1970, soon]) {
        if (clock.epochMs() - epochMsOf(createdAt) > longestSec * 1000) continue;
        const text = `${own}-${createdAt}`;
        const json = { category: marks.category(text), event: own, origin: text, message: own, createdAt };
        const answer = await gateway.admin.call("createEvent", { json });
        // Whether a gateway accepts an entry from the future is not stated.
        if (createdAt === soon && !answer.accepted) continue;
        if (datesBefore1970.includes(createdAt) && answer.rejected) continue;
        if (!verify("CORE-EVENT-36").accepted(answer)) continue;
        const [record] = (await settledPage(context, marks.query(json), 1)).data;
        const lateMs = Math.abs(epochMsOf(record?.createdAt ?? "") - epochMsOf(createdAt));
        // A log may count in whole seconds or tenths.
        verify("CORE-EVENT-36").that(lateMs <= 100, {
          what: "`createdAt` of an entry with another date",
          expected: createdAt,
          observed: record?.createdAt,
          evidence: answer,
        });
      }
      await verifyDefaults(context, marks, own);
      await verifyOrigins(context, marks, own);
      await verifyLeast(context, marks, own);
    },
  }),
  testCase({
    id: "events/wrong-entries-are-refused",
    title: "Create log rejects missing members, unknown severities and wrong dates",
    group: "events",
    requirements: ["CORE-EVENT-38", "CORE-EVENT-39", "CORE-GENERAL-09"],
    effect: "reversible",
    touches: ["event-log"],
    capabilities: ["events"],
    async run(context) {
      const { gateway, verify, random } = context;
      const own = `rp${random.word(8)}`;
      const marks = await entryMarks(context);
      const mine = { category: marks.category(own), event: own, origin: own };
      const whole: Record<string, string> = mine;
      for (const name of Object.keys(whole)) {
        const json = Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name));
        verify("CORE-EVENT-38").refused(await gateway.admin.callInvalid("createEvent", { json }));
      }
      for (const name of Object.keys(whole)) {
        const json = { ...whole, category: marks.category(`${own}-numbered`), [name]: 5 };
        verify("CORE-GENERAL-09").refused(await gateway.admin.callInvalid("createEvent", { json }));
      }
      const json = { ...whole, category: marks.category(`${own}-unworded`), message: {} };
      verify("CORE-GENERAL-09").refused(await gateway.admin.callInvalid("createEvent", { json }));
      for (const createdAt of ["next spring", "2024-13-45T25:61:00Z"]) {
        const json = { ...whole, category: marks.category(`${own}-undated`), createdAt };
        verify("CORE-GENERAL-09").refused(await gateway.admin.callInvalid("createEvent", { json }));
      }
      const answers: Answer[] = [];
      for (const severity of ["critical", "ALERT", ""]) {
        answers.push(await gateway.admin.callInvalid("createEvent", { json: { ...whole, severity } }));
      }
      const { data } = await page(gateway, marks.query(mine));
      const isAllowed = data.length > 0 && data.every(({ severity }) => severities.includes(severity));
      // Whether an unknown severity is rejected, or counts as another one, is not stated.
      for (const answer of answers)
        if (!(answer.accepted && isAllowed)) verify("CORE-GENERAL-09").refused(answer);
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
