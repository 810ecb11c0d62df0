import Type, { type Static } from "typebox";
import { field, Nullable, Timestamp } from "../schema/schema.ts";

export const appActions = ["start", "stop", "uninstall", "restart"] as const;
export type AppAction = (typeof appActions)[number];

const single = {
  id: field("CORE-APP-01", Type.String()),
  name: field("CORE-APP-02", Type.String()),
  displayName: field("CORE-APP-03", Type.String()),
  description: field("CORE-APP-04", Type.String()),
  arch: field("CORE-APP-05", Type.String()),
  attributes: field("CORE-APP-06", Type.Array(Type.String())),
  availableVersions: field("CORE-APP-07", Type.Array(Type.Any())),
  category: field("CORE-APP-08", Type.String()),
  desiredState: field("CORE-APP-09", Type.String()),
  state: field("CORE-APP-10", Type.String()),
  health: field("CORE-APP-11", Type.String()),
  hardwares: field("CORE-APP-12", Type.Array(Type.Any())),
  icon: field("CORE-APP-13", Type.String()),
  imageSize: field("CORE-APP-14", Type.Integer()),
  license: field("CORE-APP-15", Type.Object({ paid: Type.Boolean(), type: Type.String() })),
  version: field("CORE-APP-18", Type.String()),
};

/** An app in single-app responses: without `menuID`. */
export const App = Type.Object(single);
export type App = Static<typeof App>;
/** An app in `List apps`. */
export const ListedApp = Type.Object({ ...single, menuID: field("CORE-APP-16", Type.String()) });
export type ListedApp = Static<typeof ListedApp>;

export const Job = Type.Object({
  id: field("CORE-APP-20", Type.Integer()),
  owner: field("CORE-APP-21", Type.String()),
  resourceID: field("CORE-APP-22", Type.Integer()),
  resourceType: field("CORE-APP-23", Type.String()),
  now: field("CORE-APP-24", Type.Boolean()),
  at: field("CORE-APP-25", Nullable(Type.Any())),
  state: field("CORE-APP-26", Type.String()),
  lastState: field("CORE-APP-27", Type.String()),
  createdAt: field("CORE-APP-28", Nullable(Timestamp)),
  pendingAt: field("CORE-APP-29", Nullable(Timestamp)),
  startedAt: field("CORE-APP-30", Nullable(Timestamp)),
  completedAt: field("CORE-APP-31", Nullable(Timestamp)),
  nextTriggerAt: field("CORE-APP-32", Nullable(Timestamp)),
});
export type Job = Static<typeof Job>;
