import type { Requirement } from "./requirement.ts";

const shared = { group: "events", level: "stated", capability: "events" } as const;
const record = { ...shared, place: "Resources: Event record" };
const getting = { ...shared, place: "Endpoints 10, Get events" };
const creating = { ...shared, place: "Endpoints 10, Create log" };
const configuration = { ...shared, place: "Resources: Event configuration" };
const setting = { ...shared, place: "Endpoints 10, Set event configuration" };
const kind = { ...shared, place: "Resources: Event kind" };
const catalogue = { ...shared, place: "Endpoints 10, Get event catalogue" };
const kinds = { ...shared, place: "Endpoints 10, Update event kinds" };

export const eventsRequirements: readonly Requirement[] = [
  { id: "CORE-EVENT-01", ...record, statement: "An event record has an integer id." },
  { id: "CORE-EVENT-02", ...record, statement: "An event record has a string category." },
  { id: "CORE-EVENT-03", ...record, statement: "An event record has the event message as the string event." },
  { id: "CORE-EVENT-04", ...record, statement: "An event record has the detail as the string message." },
  {
    id: "CORE-EVENT-05",
    ...record,
    statement: "An event record names the service or app that published it as the string origin.",
  },
  { id: "CORE-EVENT-06", ...record, statement: "An event record has the severity alert, warning or info." },
  {
    id: "CORE-EVENT-07",
    ...record,
    statement: "An event record names the user that triggered it as a string.",
  },
  { id: "CORE-EVENT-08", ...record, statement: "An event record has the user's origin as a string." },
  { id: "CORE-EVENT-09", ...record, statement: "An event record has createdAt as a timestamp." },
  {
    id: "CORE-EVENT-10",
    ...getting,
    statement: "Get events answers a page with count, data, limit, offset and total.",
  },
  {
    id: "CORE-EVENT-11",
    ...getting,
    statement: "Without a limit at most 100 events are answered, and limit is shown as 100.",
  },
  {
    id: "CORE-EVENT-12",
    ...getting,
    statement: "Without an offset the page begins with the first event, and offset is shown as 0.",
  },
  { id: "CORE-EVENT-13", ...getting, statement: "A limit is kept and shown." },
  {
    id: "CORE-EVENT-14",
    ...getting,
    statement: "Pages with consecutive offsets hold every matching event exactly once, to the last page.",
  },
  {
    id: "CORE-EVENT-15",
    ...getting,
    statement: "total is the number of events that match, whatever the page.",
  },
  { id: "CORE-EVENT-16", ...getting, statement: "The default order is by time." },
  { id: "CORE-EVENT-17", ...getting, statement: "The default sort is descending." },
  { id: "CORE-EVENT-18", ...getting, statement: "With order category the events are sorted by category." },
  {
    id: "CORE-EVENT-19",
    ...getting,
    statement: "With order eventName the events are sorted by their event.",
  },
  { id: "CORE-EVENT-20", ...getting, statement: "With sort asc the events come in ascending order." },
  { id: "CORE-EVENT-21", ...getting, statement: "categories restricts the events to those categories." },
  {
    id: "CORE-EVENT-22",
    ...getting,
    statement: "eventNames restricts the events to those with such a name.",
  },
  { id: "CORE-EVENT-23", ...getting, statement: "severities restricts the events to those severities." },
  { id: "CORE-EVENT-24", ...getting, statement: "origins restricts the events to those services." },
  {
    id: "CORE-EVENT-25",
    ...getting,
    statement: "Several filters together are met by every event that is answered.",
  },
  {
    id: "CORE-EVENT-26",
    ...getting,
    statement: "Several keywords of one filter, separated by commas, each let events through.",
  },
  {
    id: "CORE-EVENT-27",
    ...getting,
    statement: "With event the events are served as server-sent events.",
    capability: "event-stream",
  },
  {
    id: "CORE-EVENT-28",
    ...getting,
    statement: "A new event is sent to the reader of the event stream.",
    capability: "event-stream",
  },
  { id: "CORE-EVENT-29", ...getting, statement: "With download the events are answered as a zip file." },
  {
    id: "CORE-EVENT-30",
    ...getting,
    statement: "An order or sort that is none of the allowed values is refused.",
  },
  { id: "CORE-EVENT-31", ...creating, statement: "Create log answers the text ok under data." },
  {
    id: "CORE-EVENT-32",
    ...creating,
    statement: "A created entry is listed with the category, event and origin it was created with.",
  },
  {
    id: "CORE-EVENT-33",
    ...creating,
    statement: "A created entry is listed with the message, user and userOrigin it was created with.",
  },
  {
    id: "CORE-EVENT-34",
    ...creating,
    statement: "A created entry is listed with the severity it was created with.",
  },
  { id: "CORE-EVENT-35", ...creating, statement: "An entry without a severity has the severity info." },
  {
    id: "CORE-EVENT-36",
    ...creating,
    statement: "A created entry is listed with the createdAt it was created with.",
  },
  {
    id: "CORE-EVENT-37",
    ...creating,
    statement: "An entry without createdAt has the time at which it was created.",
  },
  { id: "CORE-EVENT-38", ...creating, statement: "An entry without category, event or origin is refused." },
  {
    id: "CORE-EVENT-39",
    ...creating,
    statement: "A severity that is none of the allowed values is refused.",
  },
  {
    id: "CORE-EVENT-40",
    ...configuration,
    statement: "The event configuration has desiredDiskCacheSizeMB as an integer in answers.",
  },
  { id: "CORE-EVENT-41", ...configuration, statement: "The event configuration lists the disks." },
  { id: "CORE-EVENT-42", ...configuration, statement: "The event configuration has a boolean enable." },
  {
    id: "CORE-EVENT-43",
    ...configuration,
    statement: "The event configuration has a boolean enableTimeToLiveSec.",
  },
  {
    id: "CORE-EVENT-44",
    ...configuration,
    statement: "The event configuration has reachThresholdPolicy rotate or stop.",
  },
  {
    id: "CORE-EVENT-45",
    ...configuration,
    statement: "The event configuration has targetDiskName as a string.",
  },
  {
    id: "CORE-EVENT-46",
    ...configuration,
    statement: "The event configuration has timeToLiveSec as an integer.",
  },
  {
    id: "CORE-EVENT-47",
    ...shared,
    place: "Endpoints 10, Get event configuration",
    statement: "Get event configuration answers it under data.",
  },
  {
    id: "CORE-EVENT-48",
    ...setting,
    statement: "Set event configuration answers the configuration as it now is, under data.",
  },
  {
    id: "CORE-EVENT-49",
    ...setting,
    statement: "desiredDiskCacheSizeMB is taken as a string and read back as the same integer.",
  },
  {
    id: "CORE-EVENT-50",
    ...setting,
    statement: "enableTimeToLiveSec and timeToLiveSec that were set are read back.",
  },
  { id: "CORE-EVENT-51", ...setting, statement: "The reachThresholdPolicy that was set is read back." },
  { id: "CORE-EVENT-52", ...setting, statement: "The targetDiskName that was set is read back." },
  {
    id: "CORE-EVENT-53",
    ...setting,
    statement: "A reachThresholdPolicy other than rotate and stop is refused.",
  },
  {
    id: "CORE-EVENT-54",
    ...configuration,
    statement: "The default of reachThresholdPolicy is rotate.",
    untestable:
      "the policy in force may have been set before the suite came, and what is set is always shown",
  },
  {
    id: "CORE-EVENT-55",
    ...configuration,
    statement: "With enableTimeToLiveSec events older than timeToLiveSec are removed.",
  },
  { id: "CORE-EVENT-56", ...kind, statement: "An event kind has an integer id." },
  { id: "CORE-EVENT-57", ...kind, statement: "An event kind has a string category." },
  { id: "CORE-EVENT-58", ...kind, statement: "An event kind has a string event." },
  { id: "CORE-EVENT-59", ...kind, statement: "An event kind has a boolean enable." },
  { id: "CORE-EVENT-60", ...kind, statement: "An event kind has the severity alert, warning or info." },
  { id: "CORE-EVENT-61", ...catalogue, statement: "The event catalogue lists the categories as strings." },
  { id: "CORE-EVENT-62", ...catalogue, statement: "The event catalogue lists the event names as strings." },
  { id: "CORE-EVENT-63", ...catalogue, statement: "The event catalogue lists the event kinds." },
  { id: "CORE-EVENT-64", ...catalogue, statement: "The event catalogue lists the origins as strings." },
  { id: "CORE-EVENT-65", ...catalogue, statement: "The event catalogue lists the severities as strings." },
  { id: "CORE-EVENT-66", ...catalogue, statement: "Get event catalogue answers the catalogue under data." },
  {
    id: "CORE-EVENT-67",
    ...shared,
    place: "Events: catalogue",
    statement:
      "The catalogue has every kind of the document under its id, with its category and event as spelled there.",
  },
  {
    id: "CORE-EVENT-68",
    ...shared,
    place: "Events: catalogue",
    statement: "The kinds of the document have the severity that the document gives them.",
  },
  {
    id: "CORE-EVENT-69",
    ...kinds,
    statement: "Updating a kind by id changes its enable, as answered and as read back.",
  },
  { id: "CORE-EVENT-70", ...kinds, statement: "Updating a kind leaves the others as they were." },
  { id: "CORE-EVENT-71", ...kinds, statement: "Update event kinds answers the catalogue as get does." },
  {
    id: "CORE-EVENT-72",
    ...shared,
    place: "Events",
    statement: "The severities offered are info, warning and alert.",
  },
  {
    id: "CORE-EVENT-73",
    ...shared,
    place: "Events",
    level: "published",
    statement:
      "A sign-in failure is recorded while the kind user login fail is enabled, and is not while it is disabled.",
  },
  {
    id: "CORE-EVENT-74",
    ...getting,
    level: "published",
    capability: "event-stream",
    statement: "An event stream that is opened with Last-Event-ID sends the events after that id, each once.",
  },
  {
    id: "CORE-EVENT-75",
    ...shared,
    place: "Events: catalogue",
    statement: "The kinds have the default for enable that the document shows.",
    untestable: "the switches may have been changed before the suite came",
  },
  {
    id: "CORE-EVENT-76",
    ...getting,
    capability: "event-stream",
    statement: "The event stream sends only events that match its filters.",
    level: "published",
  },
];
