// The disks that the configurations list, and the values of the tags that they name.
import { type CaseContext, setting, type SettingName } from "../../harness/index.ts";
import type { Disk } from "../../interface/resources/disk.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { keyOf, pathOf } from "../support/virtualTag.ts";

export type DiskEntry = Pick<Disk, "name" | "device" | "mount" | "total" | "used" | "free" | "percent"> &
  Partial<Pick<Disk, "tags">>;

const listing = [
  "log",
  "event-configuration",
  "upgrade-configuration",
] as const satisfies readonly SettingName[];

const sizes = ["free", "used"] as const;
/** Units in bytes in which a tag may show a size. */
const units = [1, 1000, 1024, 1000 ** 2, 1024 ** 2];
/** A smaller number may be a share, or a size in a larger unit. */
const leastValue = 1000;
/** Part of a disk by which its own size may differ from the tag, which may be read at another time. */
const ownSlack = 0.1;
/** Part of a size by which a tag that shows it may differ. */
const otherSlack = 0.02;

export async function listedDisks({
  gateway,
  declares,
}: CaseContext): Promise<{ readonly name: SettingName; readonly disks: readonly DiskEntry[] }[]> {
  const lists: { readonly name: SettingName; readonly disks: readonly DiskEntry[] }[] = [];
  for (const name of listing) {
    const { capability, read } = setting(name);
    if (declares(capability))
      lists.push({ name, disks: disksOf((await gateway.admin.callChecked(read)).body()) });
  }
  return lists;
}

function disksOf(body: unknown): readonly DiskEntry[] {
  return (body as { data: { disks?: readonly DiskEntry[] } }).data.disks ?? [];
}

/** Checks that the tags of a disk show its own `free` and `used`: not the other of both, nor those of another disk. */
export async function verifyTagValues(context: CaseContext): Promise<void> {
  const { gateway, verify } = context;
  const [list] = await listedDisks(context);
  if (list === undefined) return;
  const tags = Map.groupBy((await gateway.admin.call("listTags")).data(), ({ tagName }) => tagName);
  const shown = list.disks.flatMap((disk) =>
    sizes.map((size) => ({ disk, size, bytes: Number(disk[size]) })),
  );
  for (const { disk, size, bytes } of shown) {
    const name = disk.tags?.[size];
    const [tag, another] = name === undefined ? [] : (tags.get(name) ?? []);
    // Which of several tags of one name is meant is not stated.
    if (tag === undefined || another !== undefined) continue;
    const value = await valueOf(context, tag);
    if (
      value < leastValue ||
      units.some((unit) => isNear(value * unit, bytes, ownSlack * Number(disk.total)))
    )
      continue;
    const wrong = shown.find((one) =>
      units.some((unit) => isNear(value * unit, one.bytes, otherSlack * one.bytes)),
    );
    verify("CORE-LOG-09").that(wrong === undefined, {
      what: `value of the tag ${keyOf(tag)}, which \`tags.${size}\` of the disk ${disk.name} in the ${list.name} names`,
      expected: `\`${size}\` of this disk, ${bytes}`,
      observed: wrong === undefined ? value : `${value}, \`${wrong.size}\` of the disk ${wrong.disk.name}`,
    });
  }
}

const isNear = (one: number, other: number, slack: number): boolean => Math.abs(one - other) <= slack;

/** The monitored number of the tag, 0 where there is none. */
async function valueOf({ gateway }: CaseContext, tag: Tag): Promise<number> {
  const answer = await gateway.admin.call("monitorTags", {
    path: pathOf(tag),
    query: { tags: tag.tagName },
  });
  if (!answer.accepted) return 0;
  const value = [answer.data()].flat().findLast(({ tagName }) => tagName === tag.tagName)?.dataValue;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
}
