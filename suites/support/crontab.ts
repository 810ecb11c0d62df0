import { Cron } from "croner";

const quarterMs = 15 * 60_000;
/** Time zones from 12 hours behind UTC to 14 hours ahead, in quarters of an hour. */
const zonesMs = Array.from({ length: 26 * 4 + 1 }, (_, index) => (index - 12 * 4) * quarterMs);

/**
 * The next instants after `afterMs` that a crontab expression can name, as milliseconds since the epoch: one per time
 * zone, because the interface does not state the zone of the expression.
 */
export function nextInstants(expression: string, afterMs: number): ReadonlySet<number> {
  const cron = new Cron(expression, { timezone: "UTC", paused: true });
  return new Set(
    zonesMs.flatMap((zoneMs) => {
      const local = cron.nextRun(new Date(afterMs + zoneMs));
      return local === null ? [] : [local.getTime() - zoneMs];
    }),
  );
}
