// Groups 10 and 11 of "Endpoints": events, apps and jobs.
import Type from "typebox";
import { App, appActions, Job, ListedApp } from "../resources/apps.ts";
import {
  EventCatalogue,
  EventConfiguration,
  eventOrders,
  EventPage,
  eventSorts,
  reachThresholdPolicies,
  severities,
} from "../resources/events.ts";
import { DataOf, field, ListOf, Timestamp } from "../schema/schema.ts";
import type { OperationDefinition } from "./operation.ts";

export const eventAndAppOperations = {
  getEvents: {
    group: "events",
    purpose: "Get events as a page, a stream of server-sent events or a zip file",
    query: Type.Object({
      limit: Type.Optional(Type.Integer()),
      offset: Type.Optional(Type.Integer()),
      order: Type.Optional(Type.Enum([...eventOrders])),
      sort: Type.Optional(Type.Enum([...eventSorts])),
      categories: Type.Optional(Type.String()),
      eventNames: Type.Optional(Type.String()),
      severities: Type.Optional(Type.String()),
      origins: Type.Optional(Type.Array(Type.String())),
      event: Type.Optional(Type.Boolean()),
      download: Type.Optional(Type.Boolean()),
    }),
    answer: field("CORE-EVENT-10", EventPage),
    effect: "read-only",
  },
  createEvent: {
    group: "events",
    purpose: "Create a log entry",
    json: Type.Object({
      category: Type.String(),
      event: Type.String(),
      origin: Type.String(),
      createdAt: Type.Optional(Timestamp),
      message: Type.Optional(Type.String()),
      severity: Type.Optional(Type.Enum([...severities])),
      user: Type.Optional(Type.String()),
      userOrigin: Type.Optional(Type.String()),
    }),
    answer: field("CORE-EVENT-31", DataOf(Type.String())),
    effect: "reversible",
  },
  getEventConfiguration: {
    group: "events",
    purpose: "Get the event configuration",
    answer: field("CORE-EVENT-47", DataOf(EventConfiguration)),
    effect: "read-only",
  },
  setEventConfiguration: {
    group: "events",
    purpose: "Set the event configuration",
    json: Type.Object({
      desiredDiskCacheSizeMB: Type.Optional(Type.String()),
      enable: Type.Optional(Type.Boolean()),
      enableTimeToLiveSec: Type.Optional(Type.Boolean()),
      reachThresholdPolicy: Type.Optional(Type.Enum([...reachThresholdPolicies])),
      targetDiskName: Type.Optional(Type.String()),
      timeToLiveSec: Type.Optional(Type.Integer()),
    }),
    answer: field("CORE-EVENT-48", DataOf(EventConfiguration)),
    effect: "reversible",
  },
  getEventCatalogue: {
    group: "events",
    purpose: "Get the event catalogue",
    answer: field("CORE-EVENT-66", DataOf(EventCatalogue)),
    effect: "read-only",
  },
  updateEventKinds: {
    group: "events",
    purpose: "Update event kinds",
    json: Type.Object({
      events: Type.Array(Type.Object({ enable: Type.Boolean(), id: Type.Optional(Type.Integer()) })),
    }),
    answer: field("CORE-EVENT-71", DataOf(EventCatalogue)),
    effect: "reversible",
  },
  listApps: {
    group: "apps",
    purpose: "List the apps",
    answer: field("CORE-APP-33", ListOf(ListedApp)),
    effect: "read-only",
  },
  getApp: {
    group: "apps",
    purpose: "Get an app",
    path: Type.Object({ appname: Type.String() }),
    answer: field("CORE-APP-35", DataOf(App)),
    effect: "read-only",
  },
  operateApp: {
    group: "apps",
    purpose: "Operate an app",
    path: Type.Object({ appname: Type.String(), action: Type.Enum([...appActions]) }),
    answer: field("CORE-APP-37", DataOf(App)),
    effect: "reversible",
  },
  listJobs: {
    group: "apps",
    purpose: "List the background jobs",
    answer: field("CORE-APP-45", ListOf(Job)),
    effect: "read-only",
  },
} as const satisfies Record<string, OperationDefinition>;
