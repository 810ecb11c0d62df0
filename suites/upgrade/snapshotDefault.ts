import type { CaseContext } from "../../harness/index.ts";

interface SnapshotDefault {
  readonly present: boolean;
  readonly isSupported: boolean;
  /** Sets it where snapshots are supported; answers the one that holds now. */
  readonly set: (enableSnapshot: boolean) => Promise<boolean>;
}

/** `enableSnapshot` of the upgrade configuration, the default of `snapshot`; it is restored when the case ends. */
export async function snapshotDefault({
  gateway: { admin },
  scratch,
}: CaseContext): Promise<SnapshotDefault> {
  const { enableSnapshot: present, isSnapshotSupported } = (
    await admin.call("getUpgradeConfiguration")
  ).data();
  let isSupported = isSnapshotSupported;
  if (!isSupported) {
    // A set may name it: a gateway that stores it supports snapshots from then on.
    const support = (supported: boolean) =>
      admin.call("updateUpgradeConfiguration", { json: { isSnapshotSupported: supported } });
    const answer = await support(true);
    isSupported = answer.accepted && answer.data().isSnapshotSupported;
    if (isSupported) scratch.undo("isSnapshotSupported", () => support(false));
  }
  if (!isSupported) return { present, isSupported, set: () => Promise.resolve(present) };
  const write = (enableSnapshot: boolean) =>
    admin.call("updateUpgradeConfiguration", { json: { enableSnapshot } });
  scratch.undo("enableSnapshot", () => write(present));
  return { present, isSupported, set: async (value) => (await write(value)).data().enableSnapshot };
}
