import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { severities } from "../../interface/resources/events.ts";
import { page, post, type PostedEvent } from "./support.ts";

const count = 107;

/** Events of the case: three categories, four names, two origins, all severities, 1 s apart, posted in random order. */
async function ownEvents({ gateway, random, clock }: CaseContext): Promise<PostedEvent[]> {
  const own = `rp${random.word(8)}`;
  const newestMs = clock.epochMs() - 60_000;
  const events = Array.from({ length: count }, (_, index): PostedEvent => ({
    category: `${own}-${"abc"[index % 3]}`,
    event: `${own} event ${"wxyz"[(index * 7) % 4]}`,
    origin: `${own}-${index % 5 === 0 ? "second" : "first"}`,
    message: `number ${index}`,
    severity: severities[index % severities.length] ?? "info",
    user: "",
    userOrigin: "127.0.0.1",
    createdAt: new Date(newestMs - index * 1000).toISOString(),
  }));
  await post(gateway, random.shuffle(events));
  return events;
}

const numbers = (events: readonly { readonly message: string }[]): string[] =>
  events.map((event) => event.message);
const list = (values: Iterable<string>): string => [...new Set(values)].join(",");
const isSorted = (values: readonly string[], sign: 1 | -1): boolean =>
  values.every(
    (value, index) =>
      index === 0 ||
      sign * ((values[index - 1] ?? "") < value ? 1 : (values[index - 1] ?? "") > value ? -1 : 0) >= 0,
  );

const shared = {
  group: "events",
  effect: "reversible",
  touches: ["event-log"],
  capabilities: ["events"],
  deadlineMs: 120_000,
} as const;

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
      const { gateway, verify } = context;
      const events = await ownEvents(context);
      const categories = list(events.map((event) => event.category));
      const first = await gateway.admin.call("getEvents", { query: { categories } });
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
      const limit = 10;
      const seen: string[] = [];
      for (let offset = 0; offset <= count; offset += limit) {
        const answer = await gateway.admin.call("getEvents", { query: { categories, limit, offset } });
        const { data, total, limit: shownLimit, offset: shownOffset, count: shown } = answer.body();
        seen.push(...numbers(data));
        verify("CORE-EVENT-13").equal(
          { limit: shownLimit, offset: shownOffset, count: shown },
          { limit, offset, count: Math.max(0, Math.min(limit, count - offset)) },
          `\`limit\`, \`offset\` and \`count\` of the page at offset ${offset}`,
          answer,
        );
        verify("CORE-EVENT-15").equal(total, count, `\`total\` of the page at offset ${offset}`, answer);
      }
      verify("CORE-EVENT-14").equal(seen, numbers(events), "events of all pages in sequence");
      const beyond = await page(gateway, { categories, limit, offset: count + 5 });
      verify("CORE-EVENT-15").equal(
        { data: beyond.data, total: beyond.total },
        { data: [], total: count },
        "`data` and `total` of a page beyond the last event",
      );
      const ascending = await page(gateway, { categories, sort: "asc", limit: 100, offset: 0 });
      const oldest = await page(gateway, { categories, sort: "asc", limit: 100, offset: 100 });
      verify("CORE-EVENT-20").equal(
        numbers([...ascending.data, ...oldest.data]),
        numbers(events.toReversed()),
        "events with `sort` asc, oldest first",
      );
    },
  }),
  testCase({
    ...shared,
    id: "events/filters-and-orders",
    title: "Filters and orders apply alone and combined, and total counts the matches",
    requirements: [
      "CORE-EVENT-15",
      "CORE-EVENT-18",
      "CORE-EVENT-19",
      "CORE-EVENT-21",
      "CORE-EVENT-22",
      "CORE-EVENT-23",
      "CORE-EVENT-24",
      "CORE-EVENT-25",
      "CORE-EVENT-26",
      "CORE-EVENT-30",
    ],
    async run(context) {
      const { gateway, verify } = context;
      const events = await ownEvents(context);
      const origins = [...new Set(events.map((event) => event.origin))];
      const limit = count + 50;
      const check = async (
        requirement: string,
        query: Parameters<typeof page>[1],
        fits: (event: PostedEvent) => boolean,
        what: string,
      ): Promise<void> => {
        const answer = await gateway.admin.call("getEvents", { query: { ...query, limit } });
        const { data, total } = answer.body();
        const expected = events.filter(fits);
        verify(requirement).equal(numbers(data), numbers(expected), what, answer);
        verify("CORE-EVENT-15").equal(total, expected.length, `\`total\` of ${what}`, answer);
      };
      const [a = "", b = ""] = [...new Set(events.map((event) => event.category))];
      const [w = "", x = ""] = [...new Set(events.map((event) => event.event))];
      const [first = "", second = ""] = origins;
      await check(
        "CORE-EVENT-21",
        { categories: a },
        (event) => event.category === a,
        "events of one category",
      );
      await check("CORE-EVENT-22", { eventNames: w }, (event) => event.event === w, "events of one name");
      await check(
        "CORE-EVENT-24",
        { origins: [second] },
        (event) => event.origin === second,
        "events of one origin",
      );
      await check("CORE-EVENT-24", { origins: [first, second] }, () => true, "events of two origins");
      for (const severity of severities) {
        await check(
          "CORE-EVENT-23",
          { severities: severity, origins },
          (event) => event.severity === severity,
          `events of the severity ${severity}`,
        );
      }
      await check(
        "CORE-EVENT-25",
        { categories: a, severities: "alert" },
        (event) => event.category === a && event.severity === "alert",
        "events of one category and severity",
      );
      await check(
        "CORE-EVENT-25",
        { eventNames: w, origins: [second] },
        (event) => event.event === w && event.origin === second,
        "events of one name and origin",
      );
      await check(
        "CORE-EVENT-25",
        { categories: b, eventNames: x, severities: "info,alert" },
        (event) => event.category === b && event.event === x && event.severity !== "warning",
        "events of one category and name and two severities",
      );
      await check(
        "CORE-EVENT-26",
        { categories: `${a},${b}` },
        (event) => event.category === a || event.category === b,
        "events of two categories",
      );
      await check(
        "CORE-EVENT-26",
        { eventNames: `${w},${x}` },
        (event) => event.event === w || event.event === x,
        "events of two names",
      );
      for (const [requirement, order, member] of [
        ["CORE-EVENT-18", "category", "category"],
        ["CORE-EVENT-19", "eventName", "event"],
      ] as const) {
        for (const [sort, sign] of [
          ["asc", 1],
          ["desc", -1],
        ] as const) {
          const { data } = await page(gateway, { origins, order, sort, limit });
          const values = data.map((event) => event[member]);
          verify(requirement).that(isSorted(values, sign) && values.length === count, {
            what: `${member} of the events with \`order\` ${order} and \`sort\` ${sort}`,
            expected: `${count} values in ${sort === "asc" ? "ascending" : "descending"} order`,
            observed: values,
          });
        }
      }
      verify("CORE-EVENT-30").refused(
        await gateway.admin.callInvalid("getEvents", { query: { order: "colour" } }),
      );
      verify("CORE-EVENT-30").refused(
        await gateway.admin.callInvalid("getEvents", { query: { sort: "sideways" } }),
      );
    },
  }),
];
