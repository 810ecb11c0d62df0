import type { CrontabFields } from "../../interface/resources/reboot.ts";

const fields = ["minute", "hour", "day", "month", "dayOfWeek"] as const;

/** The five fields in the order of a crontab expression. */
export function crontabOf(at: CrontabFields): string {
  return fields.map((field) => at[field]).join(" ");
}

/** A body of Reboot system that restores a schedule that was read; where none was set it disables the scheduler. */
export function scheduleBody({
  at,
  enableScheduler,
}: {
  readonly at?: unknown;
  readonly enableScheduler?: unknown;
}): { at?: string; enableScheduler: boolean } {
  const isEnabled = enableScheduler === true;
  return isComplete(at) ? { at: crontabOf(at), enableScheduler: isEnabled } : { enableScheduler: false };
}

function isComplete(at: unknown): at is CrontabFields {
  const given = new Map<string, unknown>(typeof at === "object" && at !== null ? Object.entries(at) : []);
  return fields.every((field) => {
    const text = given.get(field);
    return typeof text === "string" && /^\S+$/.test(text);
  });
}
