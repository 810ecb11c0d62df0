import { Cron } from "croner";

const quarterMs = 15 * 60_000;
/** Zones lie between 12 hours behind UTC and 14 hours before it, on whole quarters of an hour. */
const zonesMs = Array.from({ length: 26 * 4 + 1 }, (_, index) => (index - 12 * 4) * quarterMs);

/**
 * The next instants after `afterMs` that a crontab expression can name, as milliseconds since the epoch: one for each
 * time zone, because the interface does not say in which one the expression is meant.
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
