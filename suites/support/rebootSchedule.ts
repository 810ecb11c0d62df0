/**
 * Number of a month (1 to 12) that is some months away, so that a crontab expression of that month is not due while the
 * suite runs, whatever the gateway's time zone.
 */
export function farMonth(epochMs: number): number {
  return ((new Date(epochMs).getUTCMonth() + 4) % 12) + 1;
}
