import Type, { type Static } from "typebox";
import { field, Nullable, Timestamp } from "../schema/schema.ts";
import { Disk } from "./disk.ts";

export const upgradeActions = ["start", "cancel", "suspend", "resume"] as const;
export type UpgradeAction = (typeof upgradeActions)[number];

export const UpgradeConfiguration = Type.Object({
  allowOverCellular: field("CORE-UPGRADE-01", Type.Boolean()),
  caName: field("CORE-UPGRADE-02", Type.String()),
  certFileName: field("CORE-UPGRADE-03", Type.String()),
  keyFileName: field("CORE-UPGRADE-04", Type.String()),
  disks: field("CORE-UPGRADE-05", Type.Array(Disk)),
  enableClientAuth: field("CORE-UPGRADE-06", Type.Boolean()),
  enableSnapshot: field("CORE-UPGRADE-07", Type.Boolean()),
  isSnapshotSupported: field("CORE-UPGRADE-08", Type.Boolean()),
  retryCount: field("CORE-UPGRADE-09", Type.Integer({ description: "0 means unlimited" })),
  retryInterval: field("CORE-UPGRADE-10", Type.Integer({ description: "seconds" })),
  targetDiskName: field("CORE-UPGRADE-11", Type.String()),
});
export type UpgradeConfiguration = Static<typeof UpgradeConfiguration>;

export const UpgradeTask = Type.Object({
  id: field("CORE-UPGRADE-38", Type.Integer()),
  name: field("CORE-UPGRADE-39", Type.String()),
  type: field("CORE-UPGRADE-40", Type.String()),
  state: field("CORE-UPGRADE-41", Type.String()),
  progress: field("CORE-UPGRADE-42", Type.Integer()),
  speed: Type.Optional(field("CORE-UPGRADE-43", Type.Integer())),
  totalSize: field("CORE-UPGRADE-44", Type.Integer()),
  startedAt: field("CORE-UPGRADE-45", Nullable(Timestamp)),
  completedAt: field("CORE-UPGRADE-46", Nullable(Timestamp)),
});
export type UpgradeTask = Static<typeof UpgradeTask>;

export const UpgradeJob = Type.Object({
  id: field("CORE-UPGRADE-24", Type.Integer()),
  owner: field("CORE-UPGRADE-25", Type.String()),
  state: field("CORE-UPGRADE-26", Type.String()),
  lastState: field("CORE-UPGRADE-27", Type.String()),
  isDeleted: field("CORE-UPGRADE-28", Type.Boolean()),
  parameter: field(
    "CORE-UPGRADE-29",
    Type.Object({
      at: Nullable(Type.Object({})),
      deleteFileAfterInstallComplete: Type.Boolean(),
      download: Type.Boolean(),
      id: Nullable(Type.Integer()),
      install: Type.Boolean(),
      snapshot: Type.Boolean(),
    }),
  ),
  createdAt: field("CORE-UPGRADE-30", Nullable(Timestamp)),
  pendingAt: field("CORE-UPGRADE-31", Nullable(Timestamp)),
  startedAt: field("CORE-UPGRADE-32", Nullable(Timestamp)),
  completedAt: field("CORE-UPGRADE-33", Nullable(Timestamp)),
  triggerdAt: field("CORE-UPGRADE-34", Nullable(Timestamp)),
  totalTask: field("CORE-UPGRADE-35", Type.Integer()),
  completedTask: field("CORE-UPGRADE-36", Type.Integer()),
  tasks: field("CORE-UPGRADE-37", Type.Array(UpgradeTask)),
});
export type UpgradeJob = Static<typeof UpgradeJob>;
