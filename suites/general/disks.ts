import { type TestCase, testCase } from "../../harness/index.ts";
import { type DiskEntry, listedDisks, verifyTagValues } from "./diskTags.ts";

const requirement = "CORE-GENERAL-11";
const ofTags = "CORE-LOG-09";
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
    async run(context) {
      const { verify, notApplicable } = context;
      const lists = await listedDisks(context);
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
            // What it is a part of is not stated; it is the same of one disk.
            const isSamePart = Math.abs(disk.percent - same.percent) <= mostChange * 100;
            verify(requirement).that(isClose && isSamePart, {
              what: `sizes of the disk ${disk.name} in the ${other.name}, compared with the ${one.name}`,
              expected: `${sizesOf(disk)}, within ${mostChange * 100} % of its total each`,
              observed: sizesOf(same),
            });
          }
      if (compared === 0) notApplicable("no two configurations list the same disk");
    },
  }),
  testCase({
    id: "general/disk-tags-are-listed",
    title: "The names in `tags` of a disk are names of tags",
    group: "general",
    requirements: [ofTags],
    effect: "read-only",
    touches: [],
    capabilities: ["tags"],
    async run(context) {
      const { gateway, verify, notApplicable } = context;
      const tags = (await gateway.admin.call("listTags")).data();
      // Whether they are names within a source or whole is not stated.
      const listed = new Set(
        tags.flatMap(({ prvdName, srcName, tagName }) => [
          tagName,
          `${srcName}/${tagName}`,
          `${prvdName}/${srcName}/${tagName}`,
        ]),
      );
      const named = (await listedDisks(context)).flatMap(({ name, disks }) =>
        disks.map((disk) => ({
          what: `the disk ${disk.name} in the ${name}`,
          names: Object.values(disk.tags ?? {}),
        })),
      );
      // Where none of them is listed, the gateway names its tags in another way, or does not collect them now.
      const partly = named.filter(({ names }) => names.some((one) => listed.has(one)));
      for (const { what, names } of partly)
        verify(ofTags).equal(
          names.filter((one) => !listed.has(one)),
          [],
          `names of no listed tag in \`tags\` of ${what}`,
        );
      await verifyTagValues(context);
      if (partly.length === 0) notApplicable("no listed tag has a name in `tags` of a disk");
    },
  }),
];

function isSameDisk(one: DiskEntry, other: DiskEntry): boolean {
  return one.name === other.name && one.device === other.device && one.mount === other.mount;
}

function sizesOf({ total, used, free, percent }: DiskEntry): string {
  return `total ${total}, used ${used}, free ${free}, percent ${percent}`;
}
