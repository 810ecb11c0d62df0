// Faults of the query of Get events: filters alone, together and with several keywords; pages, order and totals.
import { eventFilterFields, eventOrderFields } from "../../../interface/behaviour/eventsAndTags.ts";
import { eventOrders, eventSorts } from "../../../interface/resources/events.ts";
import { type Fields, fields, items, text } from "../../mechanism/edits.ts";
import type { GatewayAlterations } from "../../mechanism/gatewayAlterations.ts";
import { changed } from "../../mechanism/operationAlterations.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

const filters = ["categories", "eventNames", "severities", "origins"] as const;
type Filter = (typeof filters)[number];
const filtering: Readonly<Record<Filter, string>> = {
  categories: "CORE-EVENT-21",
  eventNames: "CORE-EVENT-22",
  severities: "CORE-EVENT-23",
  origins: "CORE-EVENT-24",
};

/** The forms in which events are returned. */
const forms = [
  {
    id: "page",
    is: "a page",
    isMeant: (query: Fields) => query["event"] !== true && query["download"] !== true,
  },
  { id: "stream", is: "a stream", isMeant: (query: Fields) => query["event"] === true },
  { id: "download", is: "a download", isMeant: (query: Fields) => query["download"] === true },
] as const;
const ofStream = (id: string): string[] =>
  id === "stream" ? ["CORE-EVENT-76"] : id === "download" ? ["CORE-EVENT-29", "CORE-EVENT-79"] : [];

function inForm(at: GatewayAlterations, form: (typeof forms)[number], edit: (query: Fields) => Fields): void {
  at.query("getEvents", (query) => (form.isMeant(query) ? edit(query) : query));
}

function keywords(value: unknown): string[] {
  return (Array.isArray(value) ? value.map(text).join(",") : text(value))
    .split(",")
    .filter((one) => one !== "");
}

function withKeywords(query: Fields, filter: Filter, words: readonly string[]): Fields {
  return { ...query, [filter]: filter === "origins" ? words : words.join(",") };
}

const severalFaults: readonly Fault[] = forms.flatMap((form) =>
  filters.flatMap((filter) => [
    ...(["first", "last"] as const).map((end) =>
      derived({
        operator: `${end}-of-several`,
        place: `getEvents.${filter}-${form.id}`,
        requirement: "CORE-EVENT-26",
        also: [filtering[filter], ...ofStream(form.id)],
        what: `Of several keywords in \`${filter}\`, ${form.is} regards only the ${end} one.`,
        install: (at) =>
          inForm(at, form, (query) =>
            query[filter] === undefined
              ? query
              : withKeywords(
                  query,
                  filter,
                  keywords(query[filter])
                    .slice(end === "first" ? 0 : -1)
                    .slice(0, 1),
                ),
          ),
      }),
    ),
    derived({
      operator: "filter-ignored",
      place: `getEvents.${filter}-${form.id}`,
      requirement: filtering[filter],
      also: ofStream(form.id),
      what: `${form.is} ignores \`${filter}\`.`.replace(/^a/, "A"),
      install: (at) => inForm(at, form, (query) => ({ ...query, [filter]: undefined })),
    }),
  ]),
);

const pairFaults: readonly Fault[] = forms.flatMap((form) =>
  filters.flatMap((ignored) =>
    filters
      .filter((other) => other !== ignored)
      .map((other) =>
        derived({
          operator: "ignored-together",
          place: `getEvents.${ignored}+${other}-${form.id}`,
          requirement: form.id === "stream" ? "CORE-EVENT-76" : "CORE-EVENT-25",
          also: [filtering[ignored], "CORE-EVENT-25", ...ofStream(form.id)],
          what: `In ${form.is}, \`${ignored}\` is ignored when \`${other}\` is given.`,
          install: (at) =>
            inForm(at, form, (query) =>
              query[other] === undefined ? query : { ...query, [ignored]: undefined },
            ),
        }),
      ),
  ),
);

const page = forms[0];
const everything = { limit: 10_000, offset: 0 };

/** Makes pages from all events by another selection or order. */
function selects(
  at: GatewayAlterations,
  without: readonly string[],
  select: (events: readonly Fields[], query: Fields) => readonly Fields[],
): void {
  at.around("getEvents", async (call, proceed) => {
    if (!page.isMeant(call.query)) return proceed(call);
    const { limit = 100, offset = 0 } = call.query as { limit?: number; offset?: number };
    const kept = Object.fromEntries(Object.entries(call.query).filter(([name]) => !without.includes(name)));
    const answer = await proceed(changed(call, { query: { ...kept, ...everything } }));
    if (answer.kind !== "json") return answer;
    const chosen = select(items(fields(answer.body)["data"]), call.query);
    const data = chosen.slice(offset, offset + limit);
    return { ...answer, body: { count: data.length, data, limit, offset, total: chosen.length } };
  });
}

/** How a keyword matches is not stated; origins restrict to the services that are named. */
const matches: readonly {
  readonly id: string;
  readonly how: string;
  readonly fits: (value: string, word: string) => boolean;
}[] = [
  { id: "part-matches", how: "values that contain a keyword", fits: (value, word) => value.includes(word) },
  {
    id: "start-matches",
    how: "values that begin with a keyword",
    fits: (value, word) => value.startsWith(word),
  },
];

const matchFaults: readonly Fault[] = filters.flatMap((filter) => {
  const member = eventFilterFields[filter];
  return [
    ...(filter === "origins" ? matches : []).map(({ id, how, fits }) =>
      derived({
        operator: id,
        place: `getEvents.${filter}`,
        requirement: filtering[filter],
        what: `\`${filter}\` matches ${how} too.`,
        install: (at) =>
          selects(at, [filter], (events, query) => {
            const words = keywords(query[filter]).map((word) => word.trim());
            return words.length === 0
              ? events
              : events.filter((event) => words.some((word) => fits(text(event[member]), word)));
          }),
      }),
    ),
    derived({
      operator: "any-field-matches",
      place: `getEvents.${filter}`,
      requirement: filtering[filter],
      what: `\`${filter}\` matches events with a keyword in any member.`,
      install: (at) =>
        selects(at, [filter], (events, query) => {
          const words = keywords(query[filter]).map((word) => word.trim());
          return words.length === 0
            ? events
            : events.filter((event) => words.some((word) => Object.values(event).includes(word)));
        }),
    }),
    derived({
      operator: "total-unfiltered",
      place: `getEvents.${filter}`,
      requirement: "CORE-EVENT-15",
      what: `\`total\` does not regard \`${filter}\`.`,
      install: (at) =>
        at.around("getEvents", async (call, proceed) => {
          const answer = await proceed(call);
          if (answer.kind !== "json" || call.query[filter] === undefined) return answer;
          const all = await proceed(changed(call, { query: { ...call.query, [filter]: undefined } }));
          const total = all.kind === "json" ? fields(all.body)["total"] : 0;
          return { ...answer, body: { ...fields(answer.body), total } };
        }),
    }),
    derived({
      operator: "order-ignored-together",
      place: `getEvents.${filter}`,
      requirement: "CORE-EVENT-20",
      also: ["CORE-EVENT-18", "CORE-EVENT-19", "CORE-EVENT-16"],
      what: `\`order\` and \`sort\` are ignored when \`${filter}\` is given.`,
      install: (at) =>
        at.query("getEvents", (query) =>
          query[filter] === undefined ? query : { ...query, order: undefined, sort: undefined },
        ),
    }),
  ];
});

const ordered = { time: "CORE-EVENT-16", category: "CORE-EVENT-18", eventName: "CORE-EVENT-19" } as const;
const orderFaults: readonly Fault[] = eventOrders.flatMap((order) => [
  ...eventSorts.map((sort) =>
    derived({
      operator: "sort-inverted",
      place: `getEvents.order-${order}-${sort}`,
      requirement: sort === "asc" ? "CORE-EVENT-20" : "CORE-EVENT-17",
      also: [ordered[order]],
      what: `With order ${order}, sort ${sort} sorts the other way.`,
      install: (at) =>
        at.query("getEvents", (query) =>
          (query["order"] ?? "time") === order && (query["sort"] ?? "desc") === sort
            ? { ...query, sort: sort === "asc" ? "desc" : "asc" }
            : query,
        ),
    }),
  ),
  derived({
    operator: "order-within-the-page",
    place: `getEvents.order-${order}`,
    requirement: ordered[order],
    also: ["CORE-EVENT-14", "CORE-EVENT-20"],
    what: `With order ${order}, each page is sorted by itself.`,
    install: (at) => {
      at.around("getEvents", async (call, proceed) => {
        if (!page.isMeant(call.query) || (call.query["order"] ?? "time") !== order) return proceed(call);
        const answer = await proceed(
          changed(call, {
            query: { ...call.query, order: order === "time" ? "category" : "time", sort: "desc" },
          }),
        );
        if (answer.kind !== "json") return answer;
        const member = eventOrderFields[order];
        const factor = call.query["sort"] === "asc" ? 1 : -1;
        const body = fields(answer.body);
        const data = items(body["data"]).toSorted(
          (a, b) => factor * compared(text(a[member]), text(b[member])),
        );
        return { ...answer, body: { ...body, data } };
      });
    },
  }),
  derived({
    operator: "order-unstable",
    place: `getEvents.order-${order}`,
    requirement: "CORE-EVENT-14",
    also: [ordered[order]],
    what: `With order ${order}, events with equal keys are in another order on every request.`,
    install: (at) => {
      let requests = 0;
      const member = eventOrderFields[order];
      selects(at, [], (events, query) => {
        if ((query["order"] ?? "time") !== order) return events;
        requests += 1;
        const groups = new Map<string, Fields[]>();
        for (const event of events)
          groups.set(text(event[member]), [...(groups.get(text(event[member])) ?? []), event]);
        return [...groups.values()].flatMap((group) => {
          const turn = requests % group.length;
          return [...group.slice(turn), ...group.slice(0, turn)];
        });
      });
    },
  }),
]);

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const pageFaults: readonly Fault[] = [
  derived({
    operator: "order-by-text",
    place: "getEvents.order-time",
    requirement: "CORE-EVENT-16",
    also: ["CORE-EVENT-20", "CORE-EVENT-17"],
    what: "Events are sorted by the text of their times, offsets included.",
    install: (at) =>
      selects(at, [], (events, query) => {
        if ((query["order"] ?? "time") !== "time") return events;
        const factor = query["sort"] === "asc" ? 1 : -1;
        return events.toSorted((a, b) => factor * compared(text(a["createdAt"]), text(b["createdAt"])));
      }),
  }),
  ...[100, 200, 500].flatMap((far) => [
    derived({
      operator: "offset-one-more",
      place: `getEvents.offset-past-${far}`,
      requirement: "CORE-EVENT-14",
      also: ["CORE-EVENT-12"],
      what: `A page with an offset of ${far} or more begins one event late.`,
      install: (at) => {
        inForm(at, page, (query) =>
          Number(query["offset"]) >= far ? { ...query, offset: Number(query["offset"]) + 1 } : query,
        );
        at.answer("getEvents", (body, call) => ({ ...body, offset: call.query["offset"] ?? 0 }));
      },
    }),
    derived({
      operator: "limit-capped",
      place: `getEvents.limit-${far}`,
      requirement: "CORE-EVENT-14",
      also: ["CORE-EVENT-13"],
      what: `A page has at most ${far} events, whatever \`limit\` says.`,
      install: (at) => {
        inForm(at, page, (query) => (Number(query["limit"]) > far ? { ...query, limit: far } : query));
        at.answer("getEvents", (body, call) => ({ ...body, limit: call.query["limit"] ?? 100 }));
      },
    }),
    derived({
      operator: "total-capped",
      place: `getEvents.total-${far}`,
      requirement: "CORE-EVENT-15",
      what: `\`total\` is at most ${far}.`,
      install: (at) =>
        at.answer("getEvents", (body) => ({ ...body, total: Math.min(far, Number(body["total"])) })),
    }),
  ]),
  derived({
    operator: "offset-int8",
    place: "getEvents.offset",
    requirement: "CORE-EVENT-14",
    also: ["CORE-EVENT-12"],
    what: "Only the low 8 bits of `offset` are regarded.",
    install: (at) => {
      inForm(at, page, (query) =>
        query["offset"] === undefined ? query : { ...query, offset: Number(query["offset"]) & 255 },
      );
      at.answer("getEvents", (body, call) => ({ ...body, offset: call.query["offset"] ?? 0 }));
    },
  }),
  ...(["limit", "total"] as const).map((member) =>
    derived({
      operator: `count-is-${member}`,
      place: "getEvents.count",
      requirement: "CORE-GENERAL-02",
      also: ["CORE-EVENT-10"],
      what: `\`count\` of Get events is \`${member}\`.`,
      install: (at) => at.answer("getEvents", (body) => ({ ...body, count: body[member] })),
    }),
  ),
  derived({
    operator: "total-from-the-offset",
    place: "getEvents.total",
    requirement: "CORE-EVENT-15",
    what: "`total` counts the events from `offset` on.",
    install: (at) =>
      at.answer("getEvents", (body) => ({
        ...body,
        total: Math.max(0, Number(body["total"]) - Number(body["offset"])),
      })),
  }),
  ...(["limit", "offset"] as const).map((name) =>
    derived({
      operator: "ignored-together",
      place: `getEvents.${name}+order`,
      requirement: "CORE-EVENT-14",
      also: ["CORE-EVENT-13", "CORE-EVENT-12", "CORE-EVENT-18", "CORE-EVENT-19"],
      what: `\`${name}\` is ignored when \`order\` is given.`,
      install: (at) => {
        inForm(at, page, (query) => (query["order"] === undefined ? query : { ...query, [name]: undefined }));
        at.answer("getEvents", (body, call) => ({
          ...body,
          [name]: call.query[name] ?? (name === "limit" ? 100 : 0),
        }));
      },
    }),
  ),
  derived({
    operator: "list-cut-at-100",
    place: "getEvents.download",
    requirement: "CORE-EVENT-29",
    what: "A download contains at most 100 events.",
    install: (at) =>
      at.query("getEvents", (query) =>
        query["download"] === true
          ? { ...query, limit: Math.min(100, Number(query["limit"] ?? 100)) }
          : query,
      ),
  }),
];

export const eventQueryFaults: readonly Fault[] = [
  ...severalFaults,
  ...pairFaults,
  ...matchFaults,
  ...orderFaults,
  ...pageFaults,
];
