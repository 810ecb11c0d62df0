import type { CrontabFields, RebootSchedule } from "../../interface/resources/reboot.ts";

/** The five fields in the order of a crontab expression. */
export function crontabOf({ minute, hour, day, month, dayOfWeek }: CrontabFields): string {
  return [minute, hour, day, month, dayOfWeek].join(" ");
}

/** A body of Reboot system that brings an earlier schedule back; where there was none it switches the scheduler off. */
export function asBefore({ at, enableScheduler }: RebootSchedule): { at?: string; enableScheduler: boolean } {
  const isComplete = [at.minute, at.hour, at.day, at.month, at.dayOfWeek].every((field) =>
    /^\S+$/.test(field),
  );
  return isComplete ? { at: crontabOf(at), enableScheduler } : { enableScheduler: false };
}

/**
 * Number of a month (1 to 12) that is some months away, so that a crontab expression of that month is not due while the
 * suite runs, whatever the gateway's time zone.
 */
export function farMonth(epochMs: number): number {
  return ((new Date(epochMs).getUTCMonth() + 4) % 12) + 1;
}
