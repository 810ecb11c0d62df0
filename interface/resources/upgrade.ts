import Type, { type Static } from "typebox";
import { Nullable, Timestamp } from "../schema.ts";
import { Disk } from "./disk.ts";

export const upgradeActions = ["start", "cancel", "suspend", "resume"] as const;
export type UpgradeAction = (typeof upgradeActions)[number];

export const UpgradeConfiguration = Type.Object({
  allowOverCellular: Type.Boolean(),
  caName: Type.String(),
  certFileName: Type.String(),
  keyFileName: Type.String(),
  disks: Type.Array(Disk),
  enableClientAuth: Type.Boolean(),
  enableSnapshot: Type.Boolean(),
  isSnapshotSupported: Type.Boolean(),
  retryCount: Type.Integer({ description: "0 means unlimited" }),
  retryInterval: Type.Integer({ description: "seconds" }),
  targetDiskName: Type.String(),
});
export type UpgradeConfiguration = Static<typeof UpgradeConfiguration>;

export const UpgradeTask = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  state: Type.String(),
  progress: Type.Integer(),
  speed: Type.Optional(Type.Integer()),
  totalSize: Type.Integer(),
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
});
export type UpgradeTask = Static<typeof UpgradeTask>;

export const UpgradeJob = Type.Object({
  id: Type.Integer(),
  owner: Type.String(),
  state: Type.String(),
  lastState: Type.String(),
  isDeleted: Type.Boolean(),
  parameter: Type.Object({
    at: Nullable(Type.Object({})),
    deleteFileAfterInstallComplete: Type.Boolean(),
    download: Type.Boolean(),
    id: Nullable(Type.Integer()),
    install: Type.Boolean(),
    snapshot: Type.Boolean(),
  }),
  createdAt: Nullable(Timestamp),
  pendingAt: Nullable(Timestamp),
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  triggerdAt: Nullable(Timestamp),
  totalTask: Type.Integer(),
  completedTask: Type.Integer(),
  tasks: Type.Array(UpgradeTask),
});
export type UpgradeJob = Static<typeof UpgradeJob>;
