// Cells of lists and of streams: completeness, counts, filters, pages, order, length and end.
import { eventOrders, eventSorts } from "../resources/events.ts";
import { operation, type OperationId } from "../operations/index.ts";
import { type Cell, cell, notObservable } from "./cell.ts";

export const eventFilters = ["categories", "eventNames", "severities", "origins"] as const;
/** A list is far out from here: a store may change its behaviour past the first hundreds. */
export const farOffset = 200;
/** A stream is long from here. */
export const longStream = 100;

/** Lists, with whether a client can add an entry and find it, and whether the answer has a count. */
const lists: readonly { id: OperationId; counts: boolean; adds: boolean }[] = [
  { id: "exportConfiguration", counts: true, adds: false },
  { id: "listPermissions", counts: true, adds: false },
  { id: "listRoles", counts: true, adds: true },
  { id: "listUsers", counts: true, adds: true },
  { id: "getEvents", counts: true, adds: true },
  { id: "listApps", counts: true, adds: false },
  { id: "listJobs", counts: true, adds: false },
  { id: "listUpgradeJobs", counts: true, adds: true },
  { id: "listTags", counts: false, adds: true },
];

const of = (kind: "list" | "stream", id: OperationId, subject: string, aspect: string, place: string): Cell =>
  cell({ kind, subject, aspect, group: operation(id).group, operations: [id], place });
const events = (aspect: string): Cell =>
  of("list", "getEvents", "getEvents", aspect, "Endpoints 10, Get events");
const sections = (aspect: string): Cell =>
  of("list", "exportConfiguration", "exportConfiguration", aspect, "Endpoints 1, Export configurations");

/** Pairs of different names, in their order. */
export function pairsOf<T>(names: readonly T[]): [T, T][] {
  return names.flatMap((first, index) => names.slice(index + 1).map((second): [T, T] => [first, second]));
}

export const listCells: readonly Cell[] = [
  ...lists.flatMap(({ id, counts, adds }) => [
    ...(counts ? [of("list", id, id, "count", "Conventions: List responses")] : []),
    ...(adds ? [of("list", id, id, "complete", `${id} shows what was created`)] : []),
  ]),
  ...eventFilters.flatMap((filter) => [
    events(`filter:${filter}`),
    events(`several:${filter}`),
    events(`total:${filter}`),
    events(`download:${filter}`),
  ]),
  ...pairsOf(eventFilters).map(([first, second]) => events(`pairs:${first}+${second}`)),
  events("far-offset"),
  events("past-the-end"),
  events("total"),
  events("download"),
  ...eventOrders.flatMap((order) => eventSorts.map((sort) => events(`order:${order}/${sort}`))),
  sections("filter:select"),
  sections("several:select"),
  sections("filter:filter"),
  sections("pairs:select+filter"),
  sections("download"),
  of("list", "getLog", "getLog", "download", "Endpoints 4"),
  of("list", "getLog", "getLog", "download:appName", "Endpoints 4"),
  of("list", "monitorTags", "monitorTags", "filter:tags", "Endpoints 13, Monitor query parameters"),
  of("list", "monitorTags", "monitorTags", "several:tags", "Endpoints 13, Monitor query parameters"),
  of("list", "monitorTags", "monitorTags", "history", "Endpoints 13, Monitor query parameters: ms"),
];

const eventStream = (aspect: string): Cell =>
  of("stream", "getEvents", "getEvents.event", aspect, "Events, Delivery modes");
const tagStream = (flag: string, aspect: string): Cell =>
  of("stream", "monitorTags", `monitorTags.${flag}`, aspect, "Endpoints 13, Monitor query parameters");

export const streamCells: readonly Cell[] = [
  ...["values", "long", "order", "end", "several-clients"].map(eventStream),
  ...eventFilters.map((filter) => eventStream(`filter:${filter}`)),
  ...pairsOf(eventFilters).map(([first, second]) => eventStream(`pairs:${first}+${second}`)),
  ...["streamInterval", "onChanged"].flatMap((flag) => [
    ...["values", "long", "order", "end", "several-clients", "one-tag", "several-tags", "all-tags"].map(
      (aspect) => tagStream(flag, aspect),
    ),
    tagStream(flag, "compute"),
  ]),
  tagStream("onChanged", "bare-flag"),
  cell({
    kind: "stream",
    subject: "websocket",
    aspect: "messages",
    group: "auth",
    operations: ["getWebsocketToken"],
    place: "Events, Delivery modes",
    ...notObservable("the formats of websocket messages are not shown"),
  }),
];
