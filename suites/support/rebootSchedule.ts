import { type CaseContext, scheduleBody } from "../../harness/index.ts";
import { memberOf } from "./settingCheck.ts";

/** Restores the reboot schedule at the end of the case. What stands where nothing is scheduled is not stated. */
export async function restoreScheduleLater({ gateway: { admin }, scratch }: CaseContext): Promise<void> {
  const before = await admin.call("getReboot");
  const json = scheduleBody({
    at: memberOf(before, "at"),
    enableScheduler: memberOf(before, "enableScheduler"),
  });
  scratch.undo("reboot schedule", () => admin.call("setReboot", { json }));
}

/**
 * Number of a month (1 to 12) that is some months away, so that a crontab expression of that month is not due while the
 * suite runs, whatever the gateway's time zone.
 */
export function farMonth(epochMs: number): number {
  return ((new Date(epochMs).getUTCMonth() + 4) % 12) + 1;
}
