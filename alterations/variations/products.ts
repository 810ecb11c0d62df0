// Parts and defaults of other products.
import type { Disk } from "../../interface/resources/disk.ts";
import type { EventKind } from "../../interface/resources/events.ts";
import type { InstalledApp } from "../../reference-impl/product/apps.ts";

export const moreEventKinds: readonly EventKind[] = [
  { id: 32, category: "can", event: "bus off", enable: true, severity: "alert" },
  { id: 4001, category: "system", event: "watchdog, late", enable: false, severity: "warning" },
  { id: 5_000_000_001, category: "", event: "", enable: true, severity: "info" },
];

export const moreApps: readonly InstalledApp[] = ["com.example.edge app", "ünïcode_1.2"].map((id, index) => ({
  id,
  displayName: "",
  description: "line one\nline two",
  category: "vendor",
  attributes: [],
  paid: index > 0,
  imageSize: 0,
  isEssential: false,
  initial: index > 0 ? "stopped" : "ready",
  providers: [],
}));

export const moreDisks: readonly Disk[] = [
  {
    device: "/dev/sdb1",
    mount: "/media/usb stick",
    name: "usb stick",
    total: 0,
    used: 0,
    free: 0,
    percent: 0,
    protect: 0,
    tags: { free: "", percent: "", used: "" },
  },
  {
    device: "/dev/mapper/big",
    mount: "/big",
    name: "big",
    total: 8_000_000_000_000_000,
    used: 1,
    free: 7_999_999_999_999_999,
    percent: 1e-13,
    protect: 10,
    tags: { free: "bigFree", percent: "bigPercent", used: "bigUsed" },
  },
];

export const otherDefaults: Readonly<Record<string, object>> = {
  ssh: { enable: true, port: 2222 },
  log: { desiredDiskCacheSizeMB: 3, enableTimeToLiveSec: true, timeToLiveSec: 604_800 },
  events: { desiredDiskCacheSizeMB: 129, enableTimeToLiveSec: true, timeToLiveSec: 31_536_000 },
  provision: { enable: true },
  upgrade: { allowOverCellular: true, retryCount: 4, retryInterval: 1 },
};
