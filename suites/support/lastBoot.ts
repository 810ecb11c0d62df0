// The time of the last boot, before and after one that a case causes.
import type { CaseContext } from "../../harness/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const requirement = "CORE-REBOOT-13";
/** A boot takes some minutes at most and may begin before the gateway's clock is set. */
const bootedSlackMs = 10 * 60_000;

/**
 * Reads `lastBootAt` before a reboot. Answers how to check it after `event`: it has advanced to about the present of the
 * gateway's clock. Not applicable where the profile does not declare `reboot`.
 */
export async function readLastBoot({
  gateway: { admin },
  declares,
  verify,
  waitFor,
  profile,
}: CaseContext): Promise<(event: string) => Promise<void>> {
  if (!declares("reboot"))
    return async (event) =>
      verify(requirement).notApplicable(`\`lastBootAt\` after ${event}`, "the profile does not declare it");
  const before = (await admin.call("getReboot")).data();
  return async (event) => {
    let after = await admin.call("getReboot");
    const isLater = (): boolean => epochMsOf(after.data().lastBootAt) > epochMsOf(before.lastBootAt);
    const isNear = (): boolean => {
      const { date } = after.headers;
      return (
        date === undefined || Math.abs(epochMsOf(after.data().lastBootAt) - epochMsOf(date)) < bootedSlackMs
      );
    };
    // A gateway without a clock of its own may boot with a saved time, and correct it later.
    const isCorrected = async (): Promise<true | undefined> => {
      if (isLater() && isNear()) return true;
      after = await admin.call("getReboot");
      return undefined;
    };
    const { settleMs } = profile.patience;
    await waitFor("a corrected `lastBootAt`", isCorrected, { deadlineMs: settleMs }).catch(() => undefined);
    const { lastBootAt } = after.data();
    verify(requirement).that(isLater(), {
      what: `\`lastBootAt\` after ${event}, compared with before`,
      expected: `later than ${before.lastBootAt}`,
      observed: lastBootAt,
      evidence: after,
    });
    const nowMs = epochMsOf(after.headers["date"] ?? "");
    if (Number.isNaN(nowMs)) return;
    verify(requirement).that(isNear(), {
      what: `\`lastBootAt\` after ${event}, compared with the gateway's clock`,
      expected: `within ${bootedSlackMs / 60_000} minutes of ${new Date(nowMs).toISOString()}`,
      observed: lastBootAt,
      evidence: after,
    });
  };
}
