import Type, { type Static } from "typebox";
import { field, Nullable, Timestamp } from "../schema/schema.ts";
import { Disk } from "./disk.ts";

export const severities = ["alert", "warning", "info"] as const;
export type Severity = (typeof severities)[number];
export const eventOrders = ["time", "category", "eventName"] as const;
export type EventOrder = (typeof eventOrders)[number];
export const eventSorts = ["asc", "desc"] as const;
export const reachThresholdPolicies = ["rotate", "stop"] as const;

/** What stands there for an event that no user triggered is not stated. */
const text = (requirement: string) => Type.Optional(field(requirement, Nullable(Type.String())));

export const EventRecord = Type.Object({
  id: field("CORE-EVENT-01", Type.Integer()),
  category: field("CORE-EVENT-02", Type.String()),
  event: field("CORE-EVENT-03", Type.String()),
  message: field("CORE-EVENT-04", Type.String()),
  origin: field("CORE-EVENT-05", Type.String()),
  severity: field("CORE-EVENT-06", Type.Enum([...severities])),
  user: text("CORE-EVENT-07"),
  userOrigin: text("CORE-EVENT-08"),
  createdAt: field("CORE-EVENT-09", Timestamp),
});
export type EventRecord = Static<typeof EventRecord>;

export const EventPage = Type.Object({
  count: Type.Integer({ minimum: 0, requirement: "CORE-GENERAL-02" }),
  data: Type.Array(EventRecord),
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ minimum: 0 }),
});
export type EventPage = Static<typeof EventPage>;

export const EventConfiguration = Type.Object({
  desiredDiskCacheSizeMB: field("CORE-EVENT-40", Type.Integer()),
  disks: field("CORE-EVENT-41", Type.Array(Disk)),
  enable: field("CORE-EVENT-42", Type.Boolean()),
  enableTimeToLiveSec: field("CORE-EVENT-43", Type.Boolean()),
  reachThresholdPolicy: field("CORE-EVENT-44", Type.Enum([...reachThresholdPolicies])),
  targetDiskName: field("CORE-EVENT-45", Type.String()),
  timeToLiveSec: field("CORE-EVENT-46", Type.Integer({ description: "seconds; unlimited when <= 0" })),
});
export type EventConfiguration = Static<typeof EventConfiguration>;

export const EventKind = Type.Object({
  id: field("CORE-EVENT-56", Type.Integer()),
  category: field("CORE-EVENT-57", Type.String()),
  event: field("CORE-EVENT-58", Type.String()),
  enable: field("CORE-EVENT-59", Type.Boolean()),
  severity: field("CORE-EVENT-60", Type.Enum([...severities])),
});
export type EventKind = Static<typeof EventKind>;

export const EventCatalogue = Type.Object({
  categories: field("CORE-EVENT-61", Type.Array(Type.String())),
  eventNames: field("CORE-EVENT-62", Type.Array(Type.String())),
  events: field("CORE-EVENT-63", Type.Array(EventKind)),
  origins: field("CORE-EVENT-64", Type.Array(Type.String())),
  severities: field("CORE-EVENT-65", Type.Array(Type.String())),
});
export type EventCatalogue = Static<typeof EventCatalogue>;
