// Group 12 of "Endpoints": upgrade.
import Type from "typebox";
import { upgradeActions, UpgradeConfiguration, UpgradeJob } from "../resources/upgrade.ts";
import { Binary, DataOf, field, ListOf } from "../schema/schema.ts";
import type { OperationDefinition } from "./operation.ts";

const byId = Type.Object({ id: Type.Integer() });
const settings = {
  allowOverCellular: Type.Optional(Type.Boolean()),
  disks: Type.Optional(Type.Any()),
  enableClientAuth: Type.Optional(Type.Boolean()),
  enableSnapshot: Type.Optional(Type.Boolean()),
  isSnapshotSupported: Type.Optional(Type.Boolean()),
  retryCount: Type.Optional(Type.Integer()),
  retryInterval: Type.Optional(Type.Integer()),
  targetDiskName: Type.Optional(Type.String()),
};
const credentials = {
  ca: Type.Optional(Type.String()),
  caFilename: Type.Optional(Type.String()),
  cert: Type.Optional(Type.String()),
  certFilename: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
  keyFilename: Type.Optional(Type.String()),
};
const job = {
  at: Type.Optional(Type.Object({})),
  deleteFileAfterInstallComplete: Type.Optional(Type.Boolean()),
  download: Type.Optional(Type.Boolean()),
  id: Type.Optional(Type.Integer()),
  install: Type.Optional(Type.Boolean()),
  snapshot: Type.Optional(Type.Boolean()),
  url: Type.Optional(Type.String()),
};

export const upgradeOperations = {
  getUpgradeConfiguration: {
    group: "upgrade",
    purpose: "Get the upgrade configuration",
    answer: field("CORE-UPGRADE-12", DataOf(UpgradeConfiguration)),
    effect: "read-only",
  },
  updateUpgradeConfiguration: {
    group: "upgrade",
    purpose: "Set the upgrade configuration partially",
    json: Type.Object(settings),
    answer: field("CORE-UPGRADE-13", DataOf(UpgradeConfiguration)),
    effect: "reversible",
  },
  setUpgradeConfiguration: {
    group: "upgrade",
    purpose: "Set the upgrade configuration",
    json: Type.Object({ ...settings, ...credentials }),
    form: Type.Object({
      ...settings,
      ...credentials,
      caFile: Type.Optional(Binary),
      certFile: Type.Optional(Binary),
      keyFile: Type.Optional(Binary),
    }),
    answer: field("CORE-UPGRADE-22", DataOf(UpgradeConfiguration)),
    effect: "reversible",
  },
  listUpgradeJobs: {
    group: "upgrade",
    purpose: "List the upgrade jobs",
    answer: field("CORE-UPGRADE-47", ListOf(UpgradeJob)),
    effect: "read-only",
  },
  createUpgradeJob: {
    group: "upgrade",
    purpose: "Create an upgrade job",
    json: Type.Object(job),
    form: Type.Object({ ...job, file: Type.Optional(Binary) }),
    answer: field("CORE-UPGRADE-48", DataOf(UpgradeJob)),
    effect: "changes-firmware",
  },
  getUpgradeJob: {
    group: "upgrade",
    purpose: "Find an upgrade job by its id",
    path: byId,
    answer: field("CORE-UPGRADE-49", DataOf(UpgradeJob)),
    effect: "read-only",
  },
  operateUpgradeJob: {
    group: "upgrade",
    purpose: "Operate an upgrade job",
    path: Type.Object({ id: Type.Integer(), action: Type.Enum([...upgradeActions]) }),
    query: Type.Object({ deleteFileAfterInstallComplete: Type.Boolean() }),
    answer: field("CORE-UPGRADE-50", DataOf(UpgradeJob)),
    effect: "changes-firmware",
  },
} as const satisfies Record<string, OperationDefinition>;
