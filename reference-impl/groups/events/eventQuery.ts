import type { EventOrder, eventSorts } from "../../../interface/resources/events.ts";
import type { Call } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";

/** The words of a filter: which texts fit one of them. */
interface Words {
  has(text: string): boolean;
}

/** Which events a client requests; an absent list means all. */
export interface EventFilter {
  readonly categories?: Words;
  readonly events?: Words;
  readonly severities?: Words;
  readonly origins?: Words;
}

export interface EventPageQuery extends EventFilter {
  readonly limit: number;
  readonly offset: number;
  readonly order: EventOrder;
  readonly sort: (typeof eventSorts)[number];
}

const maxLimit = 10_000;

/** Reads the query of Get events; keywords fit a part of a text where `fitParts` is set. Throws a Refusal that names the parameter. */
export function readQuery(call: Call, fitParts: boolean): EventPageQuery {
  const query = call.query as {
    limit?: number;
    offset?: number;
    order?: EventOrder;
    sort?: "asc" | "desc";
    origins?: string[];
  } & Record<string, string>;
  const { limit = 100, offset = 0, order = "time", sort = "desc" } = query;
  if (limit < 0 || limit > maxLimit)
    throw badInput(`query parameter limit: expected 0 to ${maxLimit}, found ${limit}`);
  if (offset < 0) throw badInput(`query parameter offset: expected 0 or more, found ${offset}`);
  return {
    limit,
    offset,
    order,
    sort,
    ...words("categories", query["categories"], fitParts),
    ...words("events", query["eventNames"], fitParts),
    ...words("severities", query["severities"]),
    ...words("origins", query.origins?.join(",")),
  };
}

function words(name: keyof EventFilter, text: string | undefined, fitParts = false): EventFilter {
  const list =
    text
      ?.split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "") ?? [];
  return list.length === 0 ? {} : { [name]: fitParts ? partsOf(list) : new Set(list) };
}

function partsOf(keywords: readonly string[]): Words {
  const parts = keywords.map((word) => word.toLowerCase());
  return { has: (text) => parts.some((part) => text.toLowerCase().includes(part)) };
}

/** Whether an event fits the filter. */
export function fits(
  filter: EventFilter,
  event: {
    readonly category: string;
    readonly event: string;
    readonly severity: string;
    readonly origin: string;
  },
): boolean {
  return (
    (filter.categories?.has(event.category) ?? true) &&
    (filter.events?.has(event.event) ?? true) &&
    (filter.severities?.has(event.severity) ?? true) &&
    (filter.origins?.has(event.origin) ?? true)
  );
}
