// Sets that are rejected right before a reboot: a gateway may store them before it checks them.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import { updatable } from "../settings/rejecting.ts";
import { settingWriters } from "../settings/writers.ts";
import type { MarkedSetting } from "../support/markedSettings.ts";
import { rejectedRequirement } from "../support/rejectedUpdates.ts";

interface Rejected {
  readonly setting: MarkedSetting;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends other values beside a wrong one; returns the settings and the check that no such value is in force later. */
export async function rejectedBefore(
  context: CaseContext,
  marked: readonly MarkedSetting[],
): Promise<{ readonly settings: readonly MarkedSetting[]; readonly verifyRejected: () => Promise<void> }> {
  const settings: MarkedSetting[] = [];
  const rejected: Rejected[] = [];
  for (const one of marked) {
    const writer = settingWriters.find(({ setting }) => setting === one.name);
    // A listener that a gateway switches off all the same may be the one in use.
    if (writer === undefined || one.name === "http-server") {
      settings.push(one);
      continue;
    }
    const { operation, body, wrong, restore } = await updatable(context, writer);
    const [member = "", values] = Object.entries(wrong).at(-1) ?? [];
    const { [member]: _right, ...others } = body;
    const json = { ...others, [member]: values?.[0] };
    const answer = await context.gateway.admin.callInvalid(operation, { json });
    if (answer.rejected) rejected.push({ setting: one, body: others });
    else await restore?.();
    settings.push(answer.rejected ? one : { ...one, value: await one.read() });
  }
  return {
    settings,
    async verifyRejected() {
      const verify = context.verify(rejectedRequirement);
      if (rejected.length === 0)
        return verify.notApplicable(
          "settings after a rejected set and a reboot",
          "no wrong value was rejected",
        );
      for (const { setting, body } of rejected) {
        const now = await setting.read();
        const inForce = Object.entries(body).filter(
          ([member, value]) => sameValue(now[member], value) && !sameValue(setting.value[member], value),
        );
        verify.equal(
          Object.fromEntries(inForce),
          {},
          `members of ${setting.what} after the reboot, with the values of a set that was rejected before it`,
        );
      }
    },
  };
}
