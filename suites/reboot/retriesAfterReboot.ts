// The stored time between two tries of a download, in force after a reboot.
import type { CaseContext } from "../../harness/index.ts";
import { notDeclared } from "../support/persisted.ts";
import { serve } from "../upgrade/contents.ts";
import { begun, download } from "../upgrade/downloads.ts";

const retryInterval = 1;
/** Time that a gateway may need to begin a try after its interval. */
const retrySlackSec = 3;

/** Sets `retryInterval`; answers how to check after a reboot that a failing download is tried again by it. */
export async function retriedAfterReboot(context: CaseContext): Promise<() => Promise<void>> {
  const { declares, gateway, scratch, verify, waitFor } = context;
  const { admin } = gateway;
  const check = verify("CORE-UPGRADE-64");
  const what = "time from the first try of a download to the second after the reboot";
  if (!declares("upgrade-jobs")) return async () => check.notApplicable(what, notDeclared);
  const before = (await admin.call("getUpgradeConfiguration")).data();
  scratch.undo("retryInterval", () =>
    admin.call("updateUpgradeConfiguration", { json: { retryInterval: before.retryInterval } }),
  );
  await admin.call("updateUpgradeConfiguration", { json: { retryInterval } });
  return async () => {
    // That the setting persists is tested elsewhere.
    if ((await admin.call("getUpgradeConfiguration")).data().retryInterval !== retryInterval)
      return check.notApplicable(what, `\`retryInterval\` is not ${retryInterval}`);
    await using server = await serve(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1000 });
    const hasBegun = await download(context, server)
      .then(({ id }) => begun(context, server, id))
      .then(
        () => true,
        () => false,
      );
    if (!hasBegun) return check.notApplicable(what, "no download begins");
    const latest = retryInterval + retrySlackSec;
    await waitFor("the second try", () => server.requests[1], { deadlineMs: latest * 1000 }).catch(
      () => undefined,
    );
    const [first, second] = server.requests;
    const gap = second === undefined || first === undefined ? undefined : (second.atMs - first.atMs) / 1000;
    check.that(gap !== undefined && gap >= retryInterval - 0.1 && gap <= latest, {
      what,
      expected: `${retryInterval} s to ${latest} s`,
      observed: gap === undefined ? "no second try" : `${gap} s`,
    });
  };
}
