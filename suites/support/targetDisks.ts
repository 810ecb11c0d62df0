// The disk of a log: a listed disk may be absent, read-only or too small, and a log may take time to move.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { Disk } from "../../interface/resources/disk.ts";
import { keptMember, memberOf } from "./settingCheck.ts";

const member = "targetDiskName";
const bytesPerMegabyte = 1_000_000;

interface Present {
  readonly disks: readonly Pick<Disk, "name" | "free">[];
  readonly targetDiskName: string;
  readonly desiredDiskCacheSizeMB: number;
}

/** Checks that the listed disks are accepted as the target: the present one, and one of several others with enough room. */
export async function verifyTargets(
  { profile, verify, waitFor }: CaseContext,
  requirement: string,
  { disks, targetDiskName, desiredDiskCacheSizeMB }: Present,
  { read, set }: { read: () => Promise<Answer>; set: (name: string) => Promise<Answer> },
): Promise<void> {
  if (disks.length === 0)
    verify(requirement).notApplicable("`targetDiskName` of each listed disk", "no disk is listed");
  const rejected: { answer: Answer; hasRoom: boolean }[] = [];
  let roomy = 0;
  for (const { name, free } of disks) {
    const isOther = name !== targetDiskName;
    const hasRoom = isOther && free > desiredDiskCacheSizeMB * bytesPerMegabyte;
    if (hasRoom) roomy += 1;
    const answer = await set(name);
    if (isOther && answer.rejected) {
      rejected.push({ answer, hasRoom });
      continue;
    }
    if (!verify(requirement).accepted(answer)) continue;
    let seen = await read();
    const isMoving = memberOf(answer, member) !== name && memberOf(seen, member) !== name;
    const isTarget = async (): Promise<true | undefined> => {
      if (memberOf(seen, member) === name) return true;
      seen = await read();
      return undefined;
    };
    const wait = { deadlineMs: profile.patience.settleMs, lastSeen: () => memberOf(seen, member) };
    await waitFor(`${name} to be the target`, isTarget, wait).catch(() => undefined);
    keptMember(verify(requirement), member, name, isMoving ? seen : answer, seen);
  }
  // The only one may be read-only, which is not shown.
  const areAllRejected = roomy > 1 && rejected.filter(({ hasRoom }) => hasRoom).length === roomy;
  for (const { answer, hasRoom } of rejected)
    if (areAllRejected && hasRoom) verify(requirement).accepted(answer);
    else
      verify(requirement).notApplicable("`targetDiskName` of another disk", "the gateway rejects this disk");
}
