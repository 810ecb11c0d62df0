import { type TestCase, setting, type SettingName, testCase } from "../../harness/index.ts";
import type { Disk } from "../../interface/resources/disk.ts";

type DiskEntry = Pick<Disk, "name" | "device" | "mount" | "total" | "used" | "free">;

const requirement = "CORE-GENERAL-11";
const listing = [
  "log",
  "event-configuration",
  "upgrade-configuration",
] as const satisfies readonly SettingName[];
/** Files grow and shrink between two readings: the part of the disk by which they may differ. */
const mostChange = 0.05;

export const diskCases: readonly TestCase[] = [
  testCase({
    id: "general/disks-agree",
    title: "The log, event and upgrade configurations show the same sizes of a disk",
    group: "general",
    requirements: [requirement],
    effect: "read-only",
    touches: [],
    async run({ gateway, declares, verify, notApplicable }) {
      const lists: { readonly name: SettingName; readonly disks: readonly DiskEntry[] }[] = [];
      for (const name of listing)
        if (declares(setting(name).capability)) {
          const { read } = setting(name);
          lists.push({ name, disks: disksOf((await gateway.admin.callChecked(read)).body()) });
        }
      let compared = 0;
      for (const [index, one] of lists.entries())
        for (const disk of one.disks)
          for (const other of lists.slice(index + 1)) {
            const same = other.disks.find((each) => isSameDisk(each, disk));
            if (same === undefined) continue;
            compared += 1;
            const slack = Number(disk.total) * mostChange;
            const isClose = (["total", "used", "free"] as const).every(
              (size) => Math.abs(Number(disk[size]) - Number(same[size])) <= (size === "total" ? 0 : slack),
            );
            verify(requirement).that(isClose, {
              what: `sizes of the disk ${disk.name} in the ${other.name}, compared with the ${one.name}`,
              expected: `${sizesOf(disk)}, within ${mostChange * 100} % of its total`,
              observed: sizesOf(same),
            });
          }
      if (compared === 0) notApplicable("no two configurations list the same disk");
    },
  }),
];

function disksOf(body: unknown): readonly DiskEntry[] {
  return (body as { data: { disks?: readonly DiskEntry[] } }).data.disks ?? [];
}

function isSameDisk(one: DiskEntry, other: DiskEntry): boolean {
  return one.name === other.name && one.device === other.device && one.mount === other.mount;
}

function sizesOf({ total, used, free }: DiskEntry): string {
  return `total ${total}, used ${used}, free ${free}`;
}
