import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";
import { LogDisk } from "./disk.ts";

export const LogConfiguration = Type.Object({
  desiredDiskCacheSizeMB: field("CORE-LOG-11", Type.Integer()),
  disks: field("CORE-LOG-12", Type.Array(LogDisk)),
  enable: field("CORE-LOG-13", Type.Boolean()),
  enableTimeToLiveSec: field("CORE-LOG-14", Type.Boolean()),
  targetDiskName: field("CORE-LOG-15", Type.String()),
  timeToLiveSec: field("CORE-LOG-16", Type.Integer({ description: "seconds; unlimited when <= 0" })),
});
export type LogConfiguration = Static<typeof LogConfiguration>;
