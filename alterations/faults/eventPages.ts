// Faults of pages of events: limits, order, filters.

import { severities } from "../../interface/resources/events.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const filters = ["categories", "eventNames", "severities", "origins"] as const;

export const pagingFaults: readonly Fault[] = faults([
  [
    "events-default-limit-is-50",
    "CORE-EVENT-11",
    "plain",
    "Without `limit`, 50 events are returned.",
    (at) => ofPages(at, (query) => ({ limit: 50, ...query })),
  ],
  [
    "events-begin-with-the-second",
    "CORE-EVENT-12",
    "subtle",
    "Without `offset`, the page begins with the second event, and `offset` is shown as 0.",
    (at) => {
      ofPages(at, (query) => ({ offset: 1, ...query }));
      at.answer("getEvents", (body, call) => ({ ...body, offset: call.query["offset"] ?? 0 }));
    },
  ],
  [
    "total-of-events-from-memory",
    "CORE-EVENT-15",
    "subtle",
    "`total` of equal queries is answered from memory for 3 s.",
    (at) => {
      const known = new Map<string, { total: unknown; atMs: number }>();
      at.answer("getEvents", (body, { query }) => {
        const key = JSON.stringify(query);
        const { total, atMs } = known.get(key) ?? { total: undefined, atMs: -Infinity };
        if (performance.now() - atMs < 3000) return { ...body, total };
        known.set(key, { total: body["total"], atMs: performance.now() });
        return body;
      });
    },
  ],
  [
    "events-limit-is-shown-as-100",
    "CORE-EVENT-13",
    "plain",
    "`limit` is shown as 100, whatever the request says.",
    (at) => at.answer("getEvents", (body) => ({ ...body, limit: 100 })),
  ],
  [
    "events-limit-is-exceeded-by-one",
    "CORE-EVENT-13",
    "subtle",
    "A page has one event more than `limit`.",
    (at) => {
      ofPages(at, (query) =>
        query["limit"] === undefined ? query : { ...query, limit: Number(query["limit"]) + 1 },
      );
      at.answer("getEvents", (body, call) => ({ ...body, limit: call.query["limit"] ?? 100 }));
    },
  ],
  [
    "last-page-lacks-its-last-event",
    "CORE-EVENT-14",
    "subtle",
    "The last page lacks its last event.",
    (at) =>
      at.answer("getEvents", (body) => {
        const data = items(body["data"]);
        const isLast = Number(body["offset"]) > 0 && Number(body["offset"]) + data.length === body["total"];
        return isLast ? { ...body, count: data.length - 1, data: data.slice(0, -1) } : body;
      }),
  ],
  [
    "pages-overlap-by-one",
    "CORE-EVENT-14",
    "subtle",
    "A page that does not begin at 0 begins one event early.",
    (at) => {
      ofPages(at, (query) =>
        Number(query["offset"]) > 0 ? { ...query, offset: Number(query["offset"]) - 1 } : query,
      );
      at.answer("getEvents", (body, call) => ({ ...body, offset: call.query["offset"] ?? 0 }));
    },
  ],
  [
    "total-is-that-of-the-page",
    "CORE-EVENT-15",
    "plain",
    "`total` is the number of events on the page.",
    (at) => at.answer("getEvents", (body) => ({ ...body, total: body["count"] })),
  ],
  [
    "total-is-counted-before-the-filter",
    "CORE-EVENT-15",
    "subtle",
    "`total` counts all events, whatever the filters say.",
    (at) =>
      at.around("getEvents", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "json" || filters.every((name) => call.query[name] === undefined)) return answer;
        const all = await proceed(changed(call, { query: { limit: 1 } }));
        const total = all.kind === "json" ? fields(all.body)["total"] : undefined;
        return { ...answer, body: { ...fields(answer.body), total } };
      }),
  ],
  [
    "events-in-the-order-of-categories",
    "CORE-EVENT-16",
    "subtle",
    "Without `order`, the events are sorted by category.",
    (at) => ofPages(at, (query) => ({ order: "category", ...query })),
  ],
  [
    "events-ascend-by-default",
    "CORE-EVENT-17",
    "plain",
    "Without `sort`, the events are in ascending order.",
    (at) => ofPages(at, (query) => ({ sort: "asc", ...query })),
  ],
  [
    "order-category-is-ignored",
    "CORE-EVENT-18",
    "plain",
    "`order` category sorts by time.",
    (at) => ofPages(at, (query) => (query["order"] === "category" ? { ...query, order: "time" } : query)),
  ],
  [
    "order-event-name-is-ignored",
    "CORE-EVENT-19",
    "plain",
    "`order` eventName sorts by category.",
    (at) =>
      ofPages(at, (query) => (query["order"] === "eventName" ? { ...query, order: "category" } : query)),
  ],
  [
    "sort-ascending-is-ignored",
    "CORE-EVENT-20",
    "plain",
    "`sort` asc is ignored.",
    (at) => ofPages(at, (query) => (query["sort"] === "asc" ? { ...query, sort: "desc" } : query)),
  ],
  [
    "events-ordered-by-whole-seconds",
    "CORE-EVENT-20",
    "subtle",
    "Events of one second are in the order of their ids, whatever the fraction of `createdAt`.",
    (at) =>
      at.answer("getEvents", (body, call) => {
        const { order = "time", sort = "desc" } = call.query;
        if (order !== "time") return body;
        const second = (event: Fields): number => Math.floor(Date.parse(String(event["createdAt"])) / 1000);
        const sign = sort === "asc" ? 1 : -1;
        const data = items(body["data"]).toSorted(
          (a, b) => sign * (second(a) - second(b) || Number(a["id"]) - Number(b["id"])),
        );
        return { ...body, data };
      }),
  ],
  ...filters.map(
    (name, index) =>
      [
        `filter-${name.toLowerCase()}-is-ignored`,
        `CORE-EVENT-${21 + index}`,
        "plain",
        `\`${name}\` is ignored.`,
        (at: GatewayAlterations) => ofPages(at, (query) => ({ ...query, [name]: undefined })),
      ] as const,
  ),
  [
    "only-the-first-filter-counts",
    "CORE-EVENT-25",
    "subtle",
    "Of several filters, only the first is applied.",
    (at) =>
      ofPages(at, (query) => {
        const given = filters.filter((name) => query[name] !== undefined);
        return Object.fromEntries(
          Object.entries(query).filter(([name]) => !given.slice(1).some((one) => one === name)),
        );
      }),
  ],
  [
    "filter-has-eight-keywords",
    "CORE-EVENT-26",
    "subtle",
    "Of the keywords of a filter, the first eight are applied.",
    (at) =>
      at.query("getEvents", (query) => ({
        ...query,
        ...(typeof query["categories"] === "string"
          ? { categories: query["categories"].split(",").slice(0, 8).join(",") }
          : {}),
      })),
  ],
  [
    "only-the-first-keyword-counts",
    "CORE-EVENT-26",
    "subtle",
    "Of several keywords of a filter, only the first is applied.",
    (at) =>
      ofPages(at, (query) => ({
        ...query,
        ...Object.fromEntries(
          filters
            .filter((name) => typeof query[name] === "string")
            .map((name) => [name, String(query[name]).split(",")[0]]),
        ),
      })),
  ],
  [
    "unknown-order-reverses",
    "CORE-EVENT-30",
    "subtle",
    "An unknown `order` or `sort` returns the events in the reverse of the default order.",
    (at) => {
      at.lenient("getEvents", "query", "order", "sort");
      at.query("getEvents", (query) => {
        const { order = "time", sort = "desc" } = query;
        const isKnown =
          ["time", "category", "eventName"].includes(String(order)) && ["asc", "desc"].includes(String(sort));
        return isKnown ? query : { ...query, order: "time", sort: "asc" };
      });
    },
  ],
  [
    "unknown-order-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An unknown `order` or `sort` is accepted as the default.",
    (at) => {
      at.lenient("getEvents", "query", "order", "sort");
      at.query("getEvents", (query) => ({
        ...query,
        order: ["time", "category", "eventName"].includes(String(query["order"])) ? query["order"] : "time",
        sort: ["asc", "desc"].includes(String(query["sort"])) ? query["sort"] : "desc",
      }));
    },
  ],
  [
    "events-download-is-text",
    "CORE-EVENT-29",
    "plain",
    "A download of the events is plain text with the media type of a zip file.",
    (at) => at.file("getEvents", () => Buffer.from("events follow\n")),
  ],
  [
    "unknown-severity-ends-the-filter",
    "CORE-EVENT-26",
    "subtle",
    "`severities` with an unknown keyword excludes no event.",
    (at) => at.query("getEvents", withKnownSeverities),
  ],
  [
    "unknown-severity-opens-the-stream",
    "CORE-EVENT-76",
    "subtle",
    "On a stream, `severities` with an unknown keyword excludes no event.",
    (at) => at.query("getEvents", (query) => (query["event"] === true ? withKnownSeverities(query) : query)),
  ],
  [
    "keyword-given-twice-counts-twice",
    "CORE-EVENT-15",
    "subtle",
    "`total` counts each event as often as its keyword is given in `categories`, `eventNames` or `severities`.",
    (at) =>
      at.answer("getEvents", (body, { query }) => {
        const times = ["categories", "eventNames", "severities"].map((name) => {
          const words = text(query[name]).split(",");
          return words.length / new Set(words).size;
        });
        return { ...body, total: Math.round(times.reduce((a, b) => a * b, Number(body["total"]))) };
      }),
  ],
]);

/** Changes the query of pages, not of streams and downloads. */
function ofPages(at: GatewayAlterations, edit: (query: Fields) => Fields): void {
  at.query("getEvents", (query) =>
    query["event"] === true || query["download"] === true ? query : edit(query),
  );
}

/** Leaves `severities` out where it has another keyword than those of the interface. */
function withKnownSeverities(query: Fields): Fields {
  const { severities: given, ...others } = query;
  const words = text(given).split(",");
  return given === undefined || words.every((word) => severities.some((known) => known === word))
    ? query
    : others;
}
