// The expected page of events, from the events that the sequence created before.
import {
  defaultPage,
  eventFilterFields,
  eventOrderFields,
  eventPageRules,
} from "../../interface/behaviour/eventsAndTags.ts";
import { isOneOf } from "../../interface/behaviour/index.ts";
import type { Names } from "./names.ts";
import { thingName } from "./observation.ts";
import type { Judged, World } from "./world.ts";

type Query = Readonly<Record<string, unknown>>;
type Filter = keyof typeof eventFilterFields;

const filterNames = Object.keys(eventFilterFields) as Filter[];
/** The gateway's own clock: sorts after every given time. */
const byItsClock = "now";

/** Judges a page that was requested with the origin of this play: it has no other events. */
export function judgePage(query: Query, body: unknown, names: Names, world: World): Judged[] {
  const page = body as { data?: unknown; limit?: unknown; offset?: unknown; total?: unknown };
  if (!Array.isArray(page.data) || query["origins"] === undefined) return [];
  const shown = page.data as Record<string, unknown>[];
  const limit = Number(query["limit"] ?? defaultPage.limit);
  const offset = Number(query["offset"] ?? defaultPage.offset);
  const order = isOneOf(eventOrderFields, query["order"]) ? query["order"] : defaultPage.order;
  const isAscending = (query["sort"] ?? defaultPage.sort) === "asc";
  const matching = world.things("event").filter((name) => fits(name, query, names, world));
  const sorted = matching.map((name) => keyOf(name, order, world)).toSorted();
  if (!isAscending) sorted.reverse();
  const expected = sorted.slice(offset, offset + limit);
  const labels = shown.map((record) => thingName("event", names.label("event", record["message"], record)));
  const keys = labels.map((name) => keyOf(name, order, world));
  const stray = labels.find((name) => !matching.includes(name));
  return [
    judged(
      "limit",
      limit,
      page.limit,
      query["limit"] === undefined ? eventPageRules.defaultLimit : eventPageRules.limit,
    ),
    judged("offset", offset, page.offset, eventPageRules.offset),
    judged("total", matching.length, page.total, eventPageRules.total),
    judged(
      "events that do not match",
      0,
      labels.filter((name) => !matching.includes(name)).length,
      stray === undefined ? undefined : brokenFilter(stray, query, names, world),
    ),
    judged(
      `${eventOrderFields[order]} of the events on the page`,
      expected,
      keys,
      orderRequirement(keys, query, order, isAscending),
    ),
  ];
}

function judged(field: string, expected: unknown, found: unknown, requirement: string | undefined): Judged {
  const base = { thing: "page", kind: "event", field, text: JSON.stringify(found) ?? "no value" } as const;
  const wanted = JSON.stringify(expected);
  if (base.text === wanted) return { ...base, standing: "expected" };
  return {
    ...base,
    standing: "contrary",
    expected: wanted,
    ...(requirement === undefined ? {} : { requirement }),
  };
}

/** The words of a filter in the query; undefined without a filter. */
function wordsOf(query: Query, filter: Filter): string[] | undefined {
  const value = query[filter];
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? value.split(",") : [];
}

function passes(name: string, filter: Filter, query: Query, names: Names, world: World): boolean {
  const words = wordsOf(query, filter);
  if (words === undefined) return true;
  const text = world.fact(name, eventFilterFields[filter])?.text;
  return words.some((word) => JSON.stringify(names.text(word)) === text);
}

function fits(name: string, query: Query, names: Names, world: World): boolean {
  return filterNames.every((filter) => passes(name, filter, query, names, world));
}

function brokenFilter(name: string, query: Query, names: Names, world: World): string | undefined {
  const broken = filterNames.find((filter) => !passes(name, filter, query, names, world));
  return broken === undefined ? undefined : eventPageRules.filters[broken];
}

function keyOf(name: string, order: keyof typeof eventOrderFields, world: World): string {
  const field = eventOrderFields[order];
  const fact = world.fact(name, field);
  // A time that was not given is the gateway's; that it is the latest follows from the times that are given.
  if (field === "createdAt" && fact?.requirement === undefined) return byItsClock;
  return fact?.text ?? "";
}

function orderRequirement(
  keys: readonly string[],
  query: Query,
  order: keyof typeof eventOrderFields,
  isAscending: boolean,
): string {
  const ascending = keys.toSorted();
  const inOrder = isAscending ? ascending : ascending.toReversed();
  const other = isAscending ? ascending.toReversed() : ascending;
  if (keys.every((key, index) => key === inOrder[index])) return eventPageRules.pages;
  if (keys.every((key, index) => key === other[index]))
    return eventPageRules.sort[isAscending ? "asc" : "desc"];
  return query["order"] === undefined ? eventPageRules.order.time : eventPageRules.order[order];
}
