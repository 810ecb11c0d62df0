// Effects of the operations of groups 10 and 13 on the event log, its configuration and catalogue, and on virtual tags.
import { EventConfiguration, EventKind, EventRecord } from "../resources/events.ts";
import { DirectRead, MonitoredValue, Tag } from "../resources/tags.ts";
import type { Behaviour, Thing } from "./behaviour.ts";

export const eventThings = {
  event: { schema: EventRecord, key: "message", keyFrom: "caller", open: ["id"] },
  eventKind: { schema: EventKind, key: "id", keyFrom: "interface", open: ["category"] },
  eventConfiguration: { schema: EventConfiguration, open: ["disks"] },
} as const satisfies Partial<Record<string, Thing>>;

export const tagThings = {
  tag: {
    schema: Tag,
    key: "tagName",
    keyFrom: "caller",
    open: ["timestamp", "ts"],
    comesAndGoes: true,
  },
} as const satisfies Partial<Record<string, Thing>>;

const kinds = [{ at: "/data/events", kind: "eventKind" }] as const;
const configuration = [{ at: "/data", kind: "eventConfiguration" }] as const;

export const eventBehaviours = {
  getEvents: { kind: "event", does: "show", answers: [{ at: "/data", kind: "event" }] },
  createEvent: {
    kind: "event",
    does: "create",
    stores: {
      category: "CORE-EVENT-32",
      event: "CORE-EVENT-32",
      origin: "CORE-EVENT-32",
      message: "CORE-EVENT-33",
      user: "CORE-EVENT-33",
      userOrigin: "CORE-EVENT-33",
      severity: "CORE-EVENT-34",
      createdAt: "CORE-EVENT-36",
    },
    defaults: { severity: ["info", "CORE-EVENT-35"] },
  },
  getEventConfiguration: {
    kind: "eventConfiguration",
    does: "show",
    answers: configuration,
    shows: "CORE-EVENT-47",
  },
  setEventConfiguration: {
    kind: "eventConfiguration",
    does: "change",
    answers: configuration,
    stores: {
      desiredDiskCacheSizeMB: "CORE-EVENT-49",
      enableTimeToLiveSec: "CORE-EVENT-50",
      timeToLiveSec: "CORE-EVENT-50",
      reachThresholdPolicy: "CORE-EVENT-51",
      targetDiskName: "CORE-EVENT-52",
    },
    unsettles: ["enable", "service:eventlog.enable"],
  },
  getEventCatalogue: {
    kind: "eventKind",
    does: "list",
    answers: kinds,
    shows: "CORE-EVENT-66",
    complete: "CORE-EVENT-67",
  },
  updateEventKinds: {
    kind: "eventKind",
    does: "change",
    names: "json/events/*/id",
    answers: kinds,
    stores: { enable: "CORE-EVENT-69" },
    shows: "CORE-EVENT-71",
    complete: "CORE-EVENT-71",
    keeps: "CORE-EVENT-70",
  },
} as const satisfies Record<string, Behaviour>;

/** Rules for every page of events. */
export const eventPageRules = {
  limit: "CORE-EVENT-13",
  defaultLimit: "CORE-EVENT-11",
  offset: "CORE-EVENT-12",
  total: "CORE-EVENT-15",
  pages: "CORE-EVENT-14",
  order: { time: "CORE-EVENT-16", category: "CORE-EVENT-18", eventName: "CORE-EVENT-19" },
  sort: { desc: "CORE-EVENT-17", asc: "CORE-EVENT-20" },
  filters: {
    categories: "CORE-EVENT-21",
    eventNames: "CORE-EVENT-22",
    severities: "CORE-EVENT-23",
    origins: "CORE-EVENT-24",
  },
} as const;

/** Field of an event record that each filter compares and each order sorts by. */
export const eventFilterFields = {
  categories: "category",
  eventNames: "event",
  severities: "severity",
  origins: "origin",
} as const;
export const eventOrderFields = { time: "createdAt", category: "category", eventName: "event" } as const;

export const defaultPage = { limit: 100, offset: 0, order: "time", sort: "desc" } as const;

const tag = [{ at: "/data", kind: "tag" }] as const;
const definition = {
  dataType: "CORE-TAG-27",
  dataSize: "CORE-TAG-27",
  dataUnit: "CORE-TAG-27",
  access: "CORE-TAG-27",
  prvdName: "CORE-TAG-27",
  srcName: "CORE-TAG-27",
} as const;

export const tagBehaviours = {
  listTags: { kind: "tag", does: "list", answers: tag, shows: "CORE-TAG-21", complete: "CORE-TAG-27" },
  createVirtualTag: {
    kind: "tag",
    does: "create",
    names: "json/tagName",
    answers: tag,
    stores: definition,
    keeps: "CORE-TAG-27",
  },
  updateVirtualTag: {
    kind: "tag",
    does: "change",
    names: "json/tagName",
    answers: tag,
    stores: {
      dataType: "CORE-TAG-28",
      dataSize: "CORE-TAG-28",
      dataUnit: "CORE-TAG-28",
      access: "CORE-TAG-28",
    },
    unsettles: ["dataValue"],
  },
  deleteVirtualTag: {
    kind: "tag",
    does: "remove",
    names: "json/tagName",
    gone: "CORE-TAG-29",
  },
  readTag: {
    kind: "tag",
    does: "show",
    names: "path/tag",
    answers: [{ at: "", kind: "tag", schema: DirectRead }],
    shows: "CORE-TAG-30",
    afterWriteOf: "dataValue",
    onlyWhen: { field: "access", values: ["r", "rw"], requirement: "CORE-TAG-32", status: 400 },
  },
  writeTag: {
    kind: "tag",
    does: "change",
    names: "path/tag",
    stores: { dataValue: "CORE-TAG-30" },
    keepsOmitted: true,
    taken: "CORE-TAG-35",
    agrees: ["dataType"],
    onlyWhen: { field: "access", values: ["w", "rw"], requirement: "CORE-TAG-33", status: 400 },
  },
  monitorTags: {
    kind: "tag",
    does: "show",
    names: "query/tags",
    answers: [{ at: "/data", kind: "tag", schema: MonitoredValue }],
    shows: "CORE-TAG-48",
  },
} as const satisfies Record<string, Behaviour>;
