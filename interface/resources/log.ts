import Type, { type Static } from "typebox";
import { LogDisk } from "./disk.ts";

export const LogConfiguration = Type.Object({
  desiredDiskCacheSizeMB: Type.Integer(),
  disks: Type.Array(LogDisk),
  enable: Type.Boolean(),
  enableTimeToLiveSec: Type.Boolean(),
  targetDiskName: Type.String(),
  timeToLiveSec: Type.Integer({ description: "seconds; unlimited when <= 0" }),
});
export type LogConfiguration = Static<typeof LogConfiguration>;
