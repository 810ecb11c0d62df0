import Type, { type Static } from "typebox";
import { Timestamp } from "../schema.ts";
import { Disk } from "./disk.ts";

export const severities = ["alert", "warning", "info"] as const;
export type Severity = (typeof severities)[number];
export const eventOrders = ["time", "category", "eventName"] as const;
export type EventOrder = (typeof eventOrders)[number];
export const eventSorts = ["asc", "desc"] as const;
export const reachThresholdPolicies = ["rotate", "stop"] as const;

export const EventRecord = Type.Object({
  id: Type.Integer(),
  category: Type.String(),
  event: Type.String(),
  message: Type.String(),
  origin: Type.String(),
  severity: Type.Enum([...severities]),
  user: Type.String(),
  userOrigin: Type.String(),
  createdAt: Timestamp,
});
export type EventRecord = Static<typeof EventRecord>;

export const EventPage = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  data: Type.Array(EventRecord),
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ minimum: 0 }),
});
export type EventPage = Static<typeof EventPage>;

export const EventConfiguration = Type.Object({
  desiredDiskCacheSizeMB: Type.Integer(),
  disks: Type.Array(Disk),
  enable: Type.Boolean(),
  enableTimeToLiveSec: Type.Boolean(),
  reachThresholdPolicy: Type.Enum([...reachThresholdPolicies]),
  targetDiskName: Type.String(),
  timeToLiveSec: Type.Integer({ description: "seconds; unlimited when <= 0" }),
});
export type EventConfiguration = Static<typeof EventConfiguration>;

export const EventKind = Type.Object({
  id: Type.Integer(),
  category: Type.String(),
  event: Type.String(),
  enable: Type.Boolean(),
  severity: Type.Enum([...severities]),
});
export type EventKind = Static<typeof EventKind>;

export const EventCatalogue = Type.Object({
  categories: Type.Array(Type.String()),
  eventNames: Type.Array(Type.String()),
  events: Type.Array(EventKind),
  origins: Type.Array(Type.String()),
  severities: Type.Array(Type.String()),
});
export type EventCatalogue = Static<typeof EventCatalogue>;
