import type { CrontabFields, RebootSchedule } from "../../interface/resources/reboot.ts";

/** The five fields in the order of a crontab expression. */
export function crontabOf({ minute, hour, day, month, dayOfWeek }: CrontabFields): string {
  return [minute, hour, day, month, dayOfWeek].join(" ");
}

/** A body of Reboot system that restores an earlier schedule, or disables the scheduler where there was none. */
export function asBefore({ at, enableScheduler }: RebootSchedule): { at?: string; enableScheduler: boolean } {
  const isComplete = [at.minute, at.hour, at.day, at.month, at.dayOfWeek].every((field) =>
    /^\S+$/.test(field),
  );
  return isComplete ? { at: crontabOf(at), enableScheduler } : { enableScheduler: false };
}

/**
 * Number of a month (1 to 12) some months ahead: a crontab expression of that month does not become due during a run,
 * in any time zone.
 */
export function farMonth(epochMs: number): number {
  return ((new Date(epochMs).getUTCMonth() + 4) % 12) + 1;
}
