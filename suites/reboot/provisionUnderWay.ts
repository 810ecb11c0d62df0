import type { CaseContext } from "../../harness/index.ts";
import { memberOf } from "../support/settingCheck.ts";

/** Longer than the way to an immediate reboot takes on most gateways. */
const seconds = 3;

/**
 * Starts a provisioning schedule; what it answers verifies after a reboot that the schedule disables provisioning.
 * Whether the seconds count from the boot anew is not stated.
 */
export async function provisionUnderWay(context: CaseContext): Promise<() => Promise<void>> {
  const { gateway, declares, profile, scratch, verify, waitFor } = context;
  const { admin } = gateway;
  const decided = verify("CORE-PROVISION-09");
  const what = "provisioning whose schedule was under way when the gateway rebooted";
  const notApplicable = (why: string) => (): Promise<void> =>
    Promise.resolve(decided.notApplicable(what, why));
  if (!declares("provision")) return notApplicable("the profile does not declare it");
  const before = await admin.call("getProvision");
  if (!before.accepted) return notApplicable(`Get provisioning returned ${before.summary()}`);
  scratch.undo("provisioning configuration", () => admin.call("setProvision", { json: before.data() }));
  const put = (enable: boolean): ReturnType<typeof admin.call<"setProvision">> =>
    admin.call("setProvision", { json: { enable, schedule: { enable, disableAfterSec: seconds } } });
  await put(false);
  const set = await put(true);
  if (memberOf(set, "enable") !== true || memberOf(set, "schedule.enable") !== true)
    return notApplicable(`Set provisioning returned ${set.summary()}`);
  return async () => {
    let last = await admin.call("getProvision");
    // Whether a schedule stays on after its end is not stated.
    if (memberOf(last, "schedule.enable") !== true && memberOf(last, "enable") !== true)
      return decided.notApplicable(what, "provisioning and the schedule are off after the reboot");
    const deadlineMs = seconds * 1000 + profile.patience.settleMs;
    const isOff = async (): Promise<true | undefined> => {
      last = await admin.call("getProvision");
      return memberOf(last, "enable") === false || undefined;
    };
    const isDisabled = await waitFor("provisioning to be disabled by its schedule", isOff, {
      deadlineMs,
      lastSeen: () => last.json,
    }).catch(() => false);
    decided.that(isDisabled, {
      what,
      expected: `disabled within ${deadlineMs / 1000} s of the boot`,
      observed: isDisabled ? "disabled" : "still enabled",
      evidence: last,
    });
  };
}
