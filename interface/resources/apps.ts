import Type, { type Static } from "typebox";
import { Nullable, Timestamp } from "../schema.ts";

export const appActions = ["start", "stop", "uninstall", "restart"] as const;
export type AppAction = (typeof appActions)[number];

const single = {
  id: Type.String(),
  name: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  arch: Type.String(),
  attributes: Type.Array(Type.String()),
  availableVersions: Type.Array(Type.Any()),
  category: Type.String(),
  desiredState: Type.String(),
  state: Type.String(),
  health: Type.String(),
  hardwares: Type.Array(Type.Any()),
  icon: Type.String(),
  imageSize: Type.Integer(),
  license: Type.Object({ paid: Type.Boolean(), type: Type.String() }),
  version: Type.String(),
};

/** An app as single-app responses show it: without `menuID`. */
export const App = Type.Object(single);
export type App = Static<typeof App>;
/** An app as the list shows it. */
export const ListedApp = Type.Object({ ...single, menuID: Type.String() });
export type ListedApp = Static<typeof ListedApp>;

export const Job = Type.Object({
  id: Type.Integer(),
  owner: Type.String(),
  resourceID: Type.Integer(),
  resourceType: Type.String(),
  now: Type.Boolean(),
  at: Nullable(Type.Any()),
  state: Type.String(),
  lastState: Type.String(),
  createdAt: Nullable(Timestamp),
  pendingAt: Nullable(Timestamp),
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  nextTriggerAt: Nullable(Timestamp),
});
export type Job = Static<typeof Job>;
