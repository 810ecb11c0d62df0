// What distinguishes one product from another: its name plate, its parts, its defaults, its choices. The rules are the
// same for all.
import { eventCategories, eventKinds } from "../../interface/catalogue.ts";
import type { Disk } from "../../interface/resources/disk.ts";
import type { EventKind } from "../../interface/resources/events.ts";
import { installedApps, type InstalledApp } from "./apps.ts";
import { type Conduct, plainConduct } from "./conduct.ts";

export interface Product {
  readonly model: string;
  readonly tpeversion: string;
  readonly serialNumber: string;
  /** Defaults of settings that differ from those of the groups, by the setting's name; other members keep theirs. */
  readonly defaults: Readonly<Record<string, object>>;
  /** Ids that the gateway assigns begin after this number. */
  readonly idsAfter: number;
  readonly eventCategories: readonly string[];
  readonly eventKinds: readonly EventKind[];
  readonly apps: readonly InstalledApp[];
  /** Disks besides the one that holds the gateway's state. */
  readonly moreDisks: readonly Disk[];
  /** Names of accounts besides the administrator's, inactive and with a role each. */
  readonly moreAccounts: readonly string[];
  /** Replaceable parts that an exported configuration names in its manifest. */
  readonly parts: Readonly<Record<string, { readonly model: string }>>;
  /** Entries of an exported configuration are numbered, and its manifest says which section each one is. */
  readonly areEntriesNumbered: boolean;
  /** File name of an uploaded configuration, with %s for its number. */
  readonly uploadName: string;
  /** Kind of key of the certificate that the gateway makes at its first boot. */
  readonly keyKind: "ec" | "rsa";
  readonly conduct: Conduct;
}

const sdCard: Disk = {
  device: "/dev/mmcblk1p1",
  mount: "/media/sdcard",
  name: "sdcard",
  total: 15_931_539_456,
  used: 2_147_483_648,
  free: 13_784_055_808,
  percent: 13.5,
  protect: 5,
  tags: { free: "sdcardFree", percent: "sdcardPercent", used: "sdcardUsed" },
};

/** The product that this program is by default. */
export const plainProduct: Product = {
  model: "RP-1000",
  tpeversion: "2.3.0",
  serialNumber: "RP1000-000001",
  defaults: {},
  idsAfter: 0,
  eventCategories,
  eventKinds,
  apps: installedApps,
  moreDisks: [sdCard],
  moreAccounts: [],
  parts: {},
  areEntriesNumbered: false,
  uploadName: "configuration-%s.tar.gz",
  keyKind: "ec",
  conduct: plainConduct,
};
