import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { type EventRecord, eventOrders, eventSorts } from "../../interface/resources/events.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { queryRequirements, verifyAnyQueries } from "./anyQuery.ts";
import { decoysOf, filterQueries, ownEvents } from "./ownEvents.ts";
import { collations, page, post, type PostedEvent, requireKeptEvents } from "./support.ts";
import { closeRequirements, verifyCloseEvents } from "./timeOrder.ts";
import { type EntryMarks, entryMarks } from "../support/entryCategories.ts";

/** Beyond the default page of 100 by the level: a store may change its behaviour past the first hundreds. */
const countByLevel: Readonly<Record<CampaignLevel, number>> = {
  smoke: 107,
  nightly: 1050,
  certification: 1210,
};
const filteredCount = 107;
const pageLimit = 70;
const longPages = [250, 640, 1030];
/** The default, which is a page that every gateway has. */
const pageSize = 100;
const numbers = (events: readonly { readonly message: string }[]): string[] =>
  events.map((event) => event.message);
const distinct = (values: Iterable<string>): string[] => [...new Set(values)];
const list = (values: Iterable<string>): string => distinct(values).join(",");
const isSorted = (values: readonly string[], sign: 1 | -1): boolean =>
  values.every(
    (value, index) =>
      index === 0 ||
      sign * ((values[index - 1] ?? "") < value ? 1 : (values[index - 1] ?? "") > value ? -1 : 0) >= 0,
  );

/** The events of all pages; `first` is the answer with the first page, where the case has it. */
async function wholeList(
  gateway: CaseContext["gateway"],
  query: object,
  first?: Answer<"getEvents">,
): Promise<EventRecord[]> {
  const found: EventRecord[] = [];
  for (let offset = 0; offset <= filteredCount; offset += pageSize) {
    const { data } =
      offset === 0 && first !== undefined
        ? first.body()
        : await page(gateway, { ...query, limit: pageSize, offset });
    found.push(...data);
    if (data.length < pageSize) break;
  }
  return found;
}

const shared = {
  group: "events",
  effect: "reversible",
  touches: ["event-log"],
  capabilities: ["events"],
  deadlineMs: 120_000,
} as const;

/** Keywords of no event before one of an event: each keyword of a filter counts. */
const otherKeywords = 30;

async function verifyManyKeywords(
  { gateway, random, verify }: CaseContext,
  marks: EntryMarks,
  events: readonly PostedEvent[],
  broken: ReadonlySet<string>,
): Promise<void> {
  const others = Array.from({ length: otherKeywords }, (_, index) => `xo${random.word(6)}${index}`);
  for (const [name, member, requirement] of [
    ["categories", "category", "CORE-EVENT-21"],
    ["eventNames", "event", "CORE-EVENT-22"],
    ["origins", "origin", "CORE-EVENT-24"],
  ] as const) {
    if (broken.has(name)) continue;
    const last = events[0]?.[member] ?? "";
    const words = (some: string[]): object => ({ [name]: name === "origins" ? some : list(some) });
    const scope = name === "origins" ? {} : marks.scope(...events);
    const none = await gateway.admin.call("getEvents", { query: { ...scope, ...words(others.slice(0, 2)) } });
    // Whether an unknown keyword is rejected is not stated.
    if (!none.rejected)
      verify(requirement).equal(
        { shown: none.body().data.length, total: none.body().total },
        { shown: 0, total: 0 },
        `number of events with \`${name}\` of two keywords that no event has`,
        none,
      );
    const query = { ...scope, ...words([...others, last]), limit: pageSize };
    const answer = await gateway.admin.call("getEvents", { query });
    // How long a query may be is not stated.
    if (answer.rejected) continue;
    verify(name === "origins" ? requirement : "CORE-EVENT-26").equal(
      numbers(answer.body().data),
      numbers(events.filter((event) => event[member] === last)),
      `events with \`${name}\` of ${otherKeywords + 1} keywords, of which the last is ${last}`,
      answer,
    );
  }
}

/** An unknown severity beside a known one, and a keyword that is given twice, change no list and no `total`. */
async function verifyOddKeywords(
  { gateway, random, verify }: CaseContext,
  events: readonly PostedEvent[],
  broken: ReadonlySet<string>,
): Promise<void> {
  const [first] = events;
  if (first === undefined || broken.has("origins")) return;
  const { severity, category, event: name } = first;
  const unknown = `xo${random.word(8)}`;
  for (const [filter, words, fits] of [
    ["severities", [unknown, severity], (event: PostedEvent) => event.severity === severity],
    ["severities", [severity, unknown], (event: PostedEvent) => event.severity === severity],
    ["severities", [severity, severity], (event: PostedEvent) => event.severity === severity],
    ["categories", [category, category], (event: PostedEvent) => event.category === category],
    ["eventNames", [name, name], (event: PostedEvent) => event.event === name],
  ] as const) {
    if (broken.has(filter)) continue;
    const query = {
      origins: distinct(events.map(({ origin }) => origin)),
      [filter]: words.join(","),
      limit: pageSize,
    };
    const answer = await gateway.admin.call("getEvents", { query });
    // Whether such a list of keywords is rejected is not stated.
    if (answer.rejected) continue;
    const { data, total } = answer.body();
    const expected = events.filter(fits);
    const what = `events with \`${filter}\` ${words.join(",")} within the origins of the case`;
    if (verify("CORE-EVENT-26").equal(numbers(data), numbers(expected), what, answer))
      verify("CORE-EVENT-15").equal(total, expected.length, `\`total\` of ${what}`, answer);
  }
}

const notByOrigin = "the filter `origins` does not work";

export const pagingCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "events/pages-hold-everything-once",
    title: "Pages contain every matching event once, newest first; total counts all",
    requirements: [
      "CORE-EVENT-11",
      "CORE-EVENT-12",
      "CORE-EVENT-13",
      "CORE-EVENT-14",
      "CORE-EVENT-15",
      "CORE-EVENT-16",
      "CORE-EVENT-17",
      "CORE-EVENT-20",
    ],
    async run(context) {
      const { gateway, level, random, verify } = context;
      const marks = await entryMarks(context);
      const count = countByLevel[level];
      await requireKeptEvents(context);
      const events = ownEvents(context, marks, count);
      const mine = marks.query(...events);
      await post(context, random.shuffle(events));
      const first = await gateway.admin.call("getEvents", { query: mine });
      const byDefault = first.body();
      verify("CORE-EVENT-11").equal(
        { limit: byDefault.limit, shown: byDefault.data.length },
        { limit: 100, shown: 100 },
        `\`limit\` and number of events in an answer without \`limit\`, out of ${count}`,
        first,
      );
      verify("CORE-EVENT-12").equal(
        { offset: byDefault.offset, first: byDefault.data[0]?.message },
        { offset: 0, first: "number 0" },
        "`offset` and first event in an answer without `offset`",
        first,
      );
      const from = random.integer(20, 90);
      const later = await gateway.admin.call("getEvents", { query: { ...mine, offset: from } });
      verify("CORE-EVENT-11").equal(
        numbers(later.body().data),
        numbers(events.slice(from, from + 100)),
        `events of the page at offset ${from} without \`limit\``,
        later,
      );
      verify("CORE-EVENT-16").equal(
        numbers(byDefault.data),
        numbers(events.slice(0, 100)),
        "events without `order`, newest first",
        first,
      );
      verify("CORE-EVENT-17").equal(
        numbers(byDefault.data),
        numbers(events.slice(0, 100)),
        "events without `sort`, newest first",
        first,
      );
      const seen: string[] = [];
      const pages = Array.from(
        { length: Math.floor(count / pageLimit) + 1 },
        (_, index) => index * pageLimit,
      );
      const single = [0, 1, count - 1, ...Array.from({ length: 5 }, () => random.integer(2, count - 2))];
      for (const [offset, limit] of [
        ...pages.map((offset) => [offset, pageLimit] as const),
        ...single.map((offset) => [offset, 1] as const),
      ]) {
        const answer = await gateway.admin.call("getEvents", { query: { ...mine, limit, offset } });
        const { data, total, limit: shownLimit, offset: shownOffset, count: shown } = answer.body();
        if (limit === pageLimit) seen.push(...numbers(data));
        verify("CORE-EVENT-14").equal(
          numbers(data),
          numbers(events.slice(offset, offset + limit)),
          `events of the page at offset ${offset} with limit ${limit}`,
          answer,
        );
        verify("CORE-EVENT-13").equal(
          { limit: shownLimit, offset: shownOffset, count: shown },
          { limit, offset, count: Math.max(0, Math.min(limit, count - offset)) },
          `\`limit\`, \`offset\` and \`count\` of the page at offset ${offset}`,
          answer,
        );
        verify("CORE-EVENT-15").equal(total, count, `\`total\` of the page at offset ${offset}`, answer);
      }
      verify("CORE-EVENT-14").equal(seen, numbers(events), "events of all pages in sequence");
      for (const limit of longPages.filter((one) => one < count)) {
        const answer = await gateway.admin.call("getEvents", { query: { ...mine, limit } });
        // The largest page is not stated: a longer one may be rejected, or be cut, which the answer shows.
        if (answer.rejected) continue;
        const { data, limit: shown } = answer.body();
        if (shown === limit)
          verify("CORE-EVENT-14").equal(
            numbers(data),
            numbers(events.slice(0, limit)),
            `events of a page with limit ${limit}`,
            answer,
          );
      }
      const beyond = await page(gateway, { ...mine, limit: 10, offset: count + 5 });
      verify("CORE-EVENT-15").equal(
        { data: beyond.data, total: beyond.total },
        { data: [], total: count },
        "`data` and `total` of a page beyond the last event",
      );
      for (const order of eventOrders)
        for (const sort of eventSorts) {
          const collected: string[] = [];
          for (let offset = 0; offset < count; offset += 100) {
            const query = { ...mine, order, sort, limit: 100, offset };
            collected.push(...numbers((await page(gateway, query)).data));
          }
          if (order === "time")
            verify(sort === "asc" ? "CORE-EVENT-20" : "CORE-EVENT-16").equal(
              collected,
              numbers(sort === "asc" ? events.toReversed() : events),
              `events of all pages with \`order\` time and \`sort\` ${sort}`,
            );
          verify("CORE-EVENT-14").equal(
            collected.toSorted(),
            numbers(events).toSorted(),
            `events of all pages with \`order\` ${order} and \`sort\` ${sort}, whatever their order`,
          );
        }
    },
  }),
  testCase({
    ...shared,
    id: "events/filters-and-orders",
    title: "Filters and orders apply alone and combined, and total counts the matches",
    requirements: [
      ...new Set([...queryRequirements, ...closeRequirements]),
      "CORE-EVENT-21",
      "CORE-EVENT-22",
      "CORE-EVENT-23",
      "CORE-EVENT-24",
      "CORE-EVENT-26",
      "CORE-EVENT-30",
      "CORE-GENERAL-09",
    ],
    async run(context) {
      const { gateway, random, verify } = context;
      const marks = await entryMarks(context);
      const { longestSec } = await requireKeptEvents(context);
      const sorted = ownEvents(context, marks, filteredCount);
      const events = [...sorted, ...decoysOf(marks, sorted)];
      await post(context, random.shuffle(events));
      const [broken, skipped, decided] = [new Set<string>(), new Set<string>(), new Set<string>()];
      for (const { requirement, query, what, fits } of filterQueries(marks, sorted)) {
        const names = Object.keys(query);
        // What a filter lists alone fails once; in pairs and in totals it would fail again.
        if (names.some((name) => broken.has(name))) {
          skipped.add(requirement);
          continue;
        }
        decided.add(requirement);
        const answer = await gateway.admin.call("getEvents", { query: { ...query, limit: pageSize } });
        const { count, total } = answer.body();
        const data = await wholeList(gateway, query, answer);
        const expected = events.filter(fits);
        if (!verify(requirement).equal(numbers(data), numbers(expected), what, answer)) {
          if (requirement !== "CORE-EVENT-25") broken.add(names[0] ?? "");
          continue;
        }
        const few = await gateway.admin.call("getEvents", { query: { ...query, limit: 3 } });
        for (const [seen, shown] of [
          [answer, { count, total }],
          [few, { count: few.body().count, total: few.body().total }],
        ] as const)
          verify("CORE-EVENT-15").equal(
            shown,
            { count: Math.min(seen === few ? 3 : pageSize, expected.length), total: expected.length },
            `\`count\` and \`total\` of ${what}${seen === few ? ", with limit 3" : ""}`,
            seen,
          );
      }
      for (const requirement of skipped.difference(decided))
        verify(requirement).notApplicable("events within the origins of the case", notByOrigin);
      await verifyManyKeywords(context, marks, sorted, broken);
      await verifyOddKeywords(context, sorted, broken);
      await verifyAnyQueries(context, marks, events, broken);
      await verifyCloseEvents(context, marks, longestSec);
      const origins = distinct(sorted.map((event) => event.origin));
      for (const [requirement, order, member] of [
        ["CORE-EVENT-18", "category", "category"],
        ["CORE-EVENT-19", "eventName", "event"],
      ] as const) {
        if (broken.has("origins")) {
          verify(requirement).notApplicable("events within the origins of the case", notByOrigin);
          continue;
        }
        for (const [sort, sign] of [
          ["asc", 1],
          ["desc", -1],
        ] as const) {
          const data = await wholeList(gateway, { origins, order, sort });
          const values = data.map((event) => event[member]);
          verify(requirement).that(
            collations.some((key) => isSorted(values.map(key), sign)) && values.length === filteredCount,
            {
              what: `${member} of the events with \`order\` ${order} and \`sort\` ${sort}`,
              expected: `${filteredCount} values in ${sort === "asc" ? "ascending" : "descending"} order`,
              observed: values,
            },
          );
        }
      }
      for (const query of [{ order: "colour" }, { sort: "sideways" }]) {
        const answer = await gateway.admin.callInvalid("getEvents", {
          query: { origins, limit: pageSize, ...query },
        });
        verify("CORE-GENERAL-09").refused(answer);
        if (!answer.accepted) verify("CORE-EVENT-30").refused(answer);
        else
          verify("CORE-EVENT-30").equal(
            answer.data().map(({ id }) => id),
            (await page(gateway, { origins, limit: pageSize })).data.map(({ id }) => id),
            `ids of the events with ${JSON.stringify(query)}, compared with the default order`,
            answer,
          );
      }
    },
  }),
];
