import type { Requirement } from "./requirement.ts";

const shared = { group: "events", level: "stated", capability: "events" } as const;
const record = (field: string) => ({ ...shared, place: `Resources, Event record: ${field}` });
const getting = { ...shared, place: "Endpoints 10, Get events" };
const query = (parameter: string) => ({ ...shared, place: `Endpoints 10, Get events: ${parameter}` });
const creating = { ...shared, place: "Endpoints 10, Create log" };
const configuration = (field: string) => ({ ...shared, place: `Resources, Event configuration: ${field}` });
const setting = { ...shared, place: "Endpoints 10, Set event configuration" };
const kind = (field: string) => ({ ...shared, place: `Resources, Event kind: ${field}` });
const catalogue = { ...shared, place: "Endpoints 10, Get event catalogue" };
const kinds = { ...shared, place: "Endpoints 10, Update event kinds" };
const listedKinds = { ...shared, place: "Events, catalogue of event kinds" };

export const eventsRequirements: readonly Requirement[] = [
  { id: "CORE-EVENT-01", ...record("id"), statement: "`id` of an event record is an integer." },
  { id: "CORE-EVENT-02", ...record("category"), statement: "`category` of an event record is a string." },
  {
    id: "CORE-EVENT-03",
    ...record("event"),
    statement: "`event` of an event record is a string with the event message.",
  },
  {
    id: "CORE-EVENT-04",
    ...record("message"),
    statement: "`message` of an event record is a string with the detail.",
  },
  {
    id: "CORE-EVENT-05",
    ...record("origin"),
    statement: "`origin` of an event record is a string that names the service or app that published it.",
  },
  {
    id: "CORE-EVENT-06",
    ...record("severity"),
    statement: "`severity` of an event record is `alert`, `warning` or `info`.",
  },
  {
    id: "CORE-EVENT-07",
    ...record("user"),
    statement: "`user` of an event record is a string that names the user who triggered it.",
  },
  { id: "CORE-EVENT-08", ...record("userOrigin"), statement: "`userOrigin` of an event record is a string." },
  {
    id: "CORE-EVENT-09",
    ...record("createdAt"),
    statement: "`createdAt` of an event record is a timestamp.",
  },
  {
    id: "CORE-EVENT-10",
    ...getting,
    statement: "`Get events` returns a page with `count`, `data`, `limit`, `offset` and `total`.",
  },
  { id: "CORE-EVENT-11", ...query("limit"), statement: "`limit` of `Get events` defaults to 100." },
  { id: "CORE-EVENT-12", ...query("offset"), statement: "`offset` of `Get events` defaults to 0." },
  {
    id: "CORE-EVENT-13",
    ...query("limit"),
    statement: "`Get events` returns at most `limit` records and shows `limit` as sent.",
  },
  {
    id: "CORE-EVENT-14",
    ...query("offset"),
    statement:
      "Pages with consecutive offsets contain every matching event exactly once, including the last page.",
  },
  {
    id: "CORE-EVENT-15",
    ...query("total"),
    statement: "`total` of `Get events` is the number of matching events on every page.",
  },
  { id: "CORE-EVENT-16", ...query("order"), statement: "`order` of `Get events` defaults to `time`." },
  { id: "CORE-EVENT-17", ...query("sort"), statement: "`sort` of `Get events` defaults to `desc`." },
  {
    id: "CORE-EVENT-18",
    ...query("order"),
    statement: "`Get events` with `order=category` orders the events by `category`.",
  },
  {
    id: "CORE-EVENT-19",
    ...query("order"),
    statement: "`Get events` with `order=eventName` orders the events by `event`.",
  },
  {
    id: "CORE-EVENT-20",
    ...query("sort"),
    statement: "`Get events` with `sort=asc` returns the events in ascending order.",
  },
  {
    id: "CORE-EVENT-21",
    ...query("categories"),
    statement: "`categories` restricts `Get events` to events of these categories.",
  },
  {
    id: "CORE-EVENT-22",
    ...query("eventNames"),
    statement: "`eventNames` restricts `Get events` to events with these names.",
  },
  {
    id: "CORE-EVENT-23",
    ...query("severities"),
    statement: "`severities` restricts `Get events` to events of these severities.",
  },
  {
    id: "CORE-EVENT-24",
    ...query("origins"),
    statement: "`origins` restricts `Get events` to events of these services.",
  },
  {
    id: "CORE-EVENT-25",
    ...getting,
    statement: "`Get events` with several filters returns only events that match all of them.",
  },
  {
    id: "CORE-EVENT-26",
    ...query("categories, eventNames, severities"),
    statement: "A filter with several comma-separated keywords matches the events of each keyword.",
  },
  {
    id: "CORE-EVENT-27",
    ...query("event"),
    statement: "`Get events` with `event` returns a stream of server-sent events.",
    capability: "event-stream",
  },
  {
    id: "CORE-EVENT-28",
    ...query("event"),
    statement: "The event stream sends every new event to its client.",
    capability: "event-stream",
  },
  {
    id: "CORE-EVENT-29",
    ...query("download"),
    statement: "`Get events` with `download` returns the events as a zip file.",
  },
  {
    id: "CORE-EVENT-30",
    ...query("order, sort"),
    statement:
      "`Get events` with an `order` or `sort` outside the allowed values is rejected, or answered in the default order.",
  },
  { id: "CORE-EVENT-31", ...creating, statement: "`Create log` returns the text `ok` in `data`." },
  {
    id: "CORE-EVENT-32",
    ...creating,
    statement: "`Create log` stores `category`, `event` and `origin` as sent.",
  },
  {
    id: "CORE-EVENT-33",
    ...creating,
    statement: "`Create log` stores `message`, `user` and `userOrigin` as sent.",
  },
  { id: "CORE-EVENT-34", ...creating, statement: "`Create log` stores `severity` as sent." },
  { id: "CORE-EVENT-35", ...creating, statement: "`severity` of `Create log` defaults to `info`." },
  { id: "CORE-EVENT-36", ...creating, statement: "`Create log` stores `createdAt` as sent." },
  {
    id: "CORE-EVENT-37",
    ...creating,
    statement: "`createdAt` of `Create log` defaults to the current time.",
  },
  {
    id: "CORE-EVENT-38",
    ...creating,
    statement: "The gateway rejects `Create log` without `category`, `event` or `origin`.",
  },
  {
    id: "CORE-EVENT-39",
    ...creating,
    statement:
      "`Create log` records no entry with a `severity` other than `alert`, `warning` and `info`, and none when it is rejected.",
  },
  {
    id: "CORE-EVENT-40",
    ...configuration("desiredDiskCacheSizeMB"),
    statement: "`desiredDiskCacheSizeMB` of the event configuration is an integer in responses.",
  },
  {
    id: "CORE-EVENT-41",
    ...configuration("disks"),
    statement: "`disks` of the event configuration is an array of disk entries.",
  },
  {
    id: "CORE-EVENT-42",
    ...configuration("enable"),
    statement: "`enable` of the event configuration is a boolean.",
  },
  {
    id: "CORE-EVENT-43",
    ...configuration("enableTimeToLiveSec"),
    statement: "`enableTimeToLiveSec` of the event configuration is a boolean.",
  },
  {
    id: "CORE-EVENT-44",
    ...configuration("reachThresholdPolicy"),
    statement: "`reachThresholdPolicy` of the event configuration is `rotate` or `stop`.",
  },
  {
    id: "CORE-EVENT-45",
    ...configuration("targetDiskName"),
    statement: "`targetDiskName` of the event configuration is a string.",
  },
  {
    id: "CORE-EVENT-46",
    ...configuration("timeToLiveSec"),
    statement: "`timeToLiveSec` of the event configuration is an integer.",
  },
  {
    id: "CORE-EVENT-47",
    ...shared,
    place: "Endpoints 10, Get event configuration",
    statement: "`Get event configuration` returns the event configuration in `data`.",
  },
  {
    id: "CORE-EVENT-48",
    ...setting,
    statement: "`Set event configuration` returns the updated event configuration in `data`.",
  },
  {
    id: "CORE-EVENT-49",
    ...setting,
    statement:
      "`Set event configuration` accepts `desiredDiskCacheSizeMB` as a string and stores it as the same integer.",
  },
  {
    id: "CORE-EVENT-50",
    ...setting,
    statement: "`Set event configuration` stores `enableTimeToLiveSec` and `timeToLiveSec` as sent.",
  },
  {
    id: "CORE-EVENT-51",
    ...setting,
    statement: "`Set event configuration` stores `reachThresholdPolicy` as sent.",
  },
  {
    id: "CORE-EVENT-52",
    ...setting,
    statement: "`Set event configuration` stores `targetDiskName` as sent.",
  },
  {
    id: "CORE-EVENT-53",
    ...setting,
    statement:
      "`Set event configuration` stores no `reachThresholdPolicy` other than `rotate` and `stop`, and changes no setting when it is rejected.",
  },
  {
    id: "CORE-EVENT-54",
    ...configuration("reachThresholdPolicy"),
    statement: "`reachThresholdPolicy` of the event configuration defaults to `rotate`.",
  },
  {
    id: "CORE-EVENT-55",
    ...configuration("enableTimeToLiveSec, timeToLiveSec"),
    statement: "The gateway removes events older than `timeToLiveSec` while `enableTimeToLiveSec` is true.",
  },
  { id: "CORE-EVENT-56", ...kind("id"), statement: "`id` of an event kind is an integer." },
  { id: "CORE-EVENT-57", ...kind("category"), statement: "`category` of an event kind is a string." },
  { id: "CORE-EVENT-58", ...kind("event"), statement: "`event` of an event kind is a string." },
  { id: "CORE-EVENT-59", ...kind("enable"), statement: "`enable` of an event kind is a boolean." },
  {
    id: "CORE-EVENT-60",
    ...kind("severity"),
    statement: "`severity` of an event kind is `alert`, `warning` or `info`.",
  },
  {
    id: "CORE-EVENT-61",
    ...catalogue,
    statement: "`categories` of `Get event catalogue` is an array of strings.",
  },
  {
    id: "CORE-EVENT-62",
    ...catalogue,
    statement: "`eventNames` of `Get event catalogue` is an array of strings.",
  },
  {
    id: "CORE-EVENT-63",
    ...catalogue,
    statement: "`events` of `Get event catalogue` is an array of event kinds.",
  },
  {
    id: "CORE-EVENT-64",
    ...catalogue,
    statement: "`origins` of `Get event catalogue` is an array of strings.",
  },
  {
    id: "CORE-EVENT-65",
    ...catalogue,
    statement: "`severities` of `Get event catalogue` is an array of strings.",
  },
  {
    id: "CORE-EVENT-66",
    ...catalogue,
    statement: "`Get event catalogue` returns the catalogue in `data`.",
  },
  {
    id: "CORE-EVENT-67",
    ...listedKinds,
    statement:
      "The event catalogue contains every event kind of the interface, with the `id`, `category` and `event` shown there.",
  },
  {
    id: "CORE-EVENT-68",
    ...listedKinds,
    statement: "Every event kind of the interface has the `severity` shown there.",
  },
  {
    id: "CORE-EVENT-69",
    ...kinds,
    statement: "`Update event kinds` stores `enable` of the event kinds named by `id`.",
  },
  { id: "CORE-EVENT-70", ...kinds, statement: "`Update event kinds` changes only the event kinds it names." },
  {
    id: "CORE-EVENT-71",
    ...kinds,
    statement: "`Update event kinds` returns the catalogue as `Get event catalogue` does.",
  },
  {
    id: "CORE-EVENT-72",
    ...shared,
    place: "Events: Severities",
    statement: "`severities` of the event catalogue contains `info`, `warning` and `alert`.",
  },
  {
    id: "CORE-EVENT-73",
    ...shared,
    place: "Events, catalogue: user login fail",
    level: "published",
    statement:
      "The gateway records the event `user login fail` for a failed sign-in if and only if its kind is enabled.",
  },
  {
    id: "CORE-EVENT-74",
    ...getting,
    level: "recommended",
    source:
      "HTML Living Standard, 9.2: a client that connects again sends the id of the last event that it has received",
    capability: "event-stream",
    statement:
      "An event stream opened with `Last-Event-ID` sends every event after that id, and each of them once.",
  },
  {
    id: "CORE-EVENT-75",
    ...listedKinds,
    statement: "`enable` of every event kind of the interface defaults to the value shown there.",
  },
  {
    id: "CORE-EVENT-76",
    ...getting,
    capability: "event-stream",
    statement: "The event stream sends only events that match its filters.",
  },
  {
    id: "CORE-EVENT-77",
    ...setting,
    statement: "The event configuration persists across a reboot.",
  },
  {
    id: "CORE-EVENT-78",
    ...kinds,
    statement: "`enable` of an event kind persists across a reboot.",
  },
  {
    id: "CORE-EVENT-79",
    ...getting,
    statement: "`Get events` with `download` returns only events that match its filters.",
  },
  {
    id: "CORE-EVENT-80",
    ...configuration("enableTimeToLiveSec, timeToLiveSec"),
    statement:
      "The gateway removes no event for its age while `enableTimeToLiveSec` is false or `timeToLiveSec` is 0 or less.",
  },
  {
    id: "CORE-EVENT-81",
    ...shared,
    place: "Events: Origins",
    statement:
      "`origins` of the event catalogue contains `AID App`, `AIE App`, `Device App`, `MQTT Client`, `Modbus` and `system`.",
  },
  {
    id: "CORE-EVENT-82",
    ...configuration("reachThresholdPolicy"),
    statement:
      "While `reachThresholdPolicy` is `rotate`, an event log that has reached its size records new events.",
  },
  {
    id: "CORE-EVENT-83",
    ...configuration("reachThresholdPolicy"),
    statement:
      "While `reachThresholdPolicy` is `stop`, an event log that has reached its size keeps its recorded events.",
  },
  {
    id: "CORE-EVENT-84",
    ...getting,
    level: "published",
    place: "Published binding, wire facts: events stream",
    capability: "event-stream",
    statement: "Each record on the event stream has the `id` of its event in the field `id`.",
  },
];
