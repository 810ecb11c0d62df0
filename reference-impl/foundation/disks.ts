// The disks that the configurations list, from the real file system.
import { statfsSync } from "node:fs";
import type { Disk } from "../../interface/resources/disk.ts";

/** Name of the disk with the file system that holds the gateway's state. */
export const stateDiskName = "system";

/** Sizes in bytes; `protect` is the share in per cent that stays free. */
export function listDisks(stateFolder: string, more: readonly Disk[] = []): Disk[] {
  const { bsize, blocks, bavail, bfree } = statfsSync(stateFolder);
  const total = blocks * bsize;
  const used = (blocks - bfree) * bsize;
  const free = bavail * bsize;
  return [
    {
      device: "/dev/root",
      mount: "/",
      name: stateDiskName,
      total,
      used,
      free,
      percent: total === 0 ? 0 : Math.round((used / (used + free)) * 1000) / 10,
      protect: 5,
      tags: { free: "storageFree", percent: "storagePercent", used: "storageUsed" },
    },
    ...more,
  ];
}
