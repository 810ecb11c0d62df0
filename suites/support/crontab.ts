import { Cron } from "croner";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const quarterMs = 15 * minuteMs;
/** Time zones from 12 hours behind UTC to 14 hours ahead, in quarters of an hour. */
const zonesMs = Array.from({ length: 26 * 4 + 1 }, (_, index) => (index - 12 * 4) * quarterMs);

/**
 * The next instants after `afterMs` that a crontab expression can name, as milliseconds since the epoch: one per time
 * zone, because the interface does not state the zone of the expression.
 */
export function nextInstants(expression: string, afterMs: number): ReadonlySet<number> {
  return new Set(zonesMs.flatMap((zoneMs) => nextInstantIn(zoneMs, expression, afterMs) ?? []));
}

/** The next instant after `afterMs` that a crontab expression names in one time zone; undefined if it names none. */
export function nextInstantIn(zoneMs: number, expression: string, afterMs: number): number | undefined {
  const cron = new Cron(expression, { timezone: "UTC", paused: true });
  const local = cron.nextRun(new Date(afterMs + zoneMs));
  return local === null ? undefined : local.getTime() - zoneMs;
}

/** The instants that a local time of a zone may be, also where its offset changes until then. */
export function instantsNear(zoneMs: number, localMs: number): ReadonlySet<number> {
  return new Set(shiftsMs.map((shiftMs) => localMs - zoneMs - shiftMs));
}

/** The next instants in a zone, also where its offset changes until then. */
export function nextInstantsNear(zoneMs: number, expression: string, afterMs: number): ReadonlySet<number> {
  return new Set(shiftsMs.flatMap((shiftMs) => nextInstantIn(zoneMs + shiftMs, expression, afterMs) ?? []));
}

/** The time zones in which the instant is the next one that the expression names, as milliseconds ahead of UTC. */
export function zonesOf(expression: string, afterMs: number, instantMs: number): number[] {
  return zonesMs.filter((zoneMs) => nextInstantIn(zoneMs, expression, afterMs) === instantMs);
}

/** Time by which today's moment has passed, on a gateway whose clock differs a little. */
const passedMs = 10 * minuteMs;
const leastAheadMs = dayMs / 4;
/** Changes of a zone's offset, which may lie between now and the next time. */
const shiftsMs = [0, 30, -30, 60, -60].map((minutes) => minutes * minuteMs);

/**
 * Expressions whose next time hangs on one element of a list, one end of a range or the length of a month: the other
 * elements name times of today that have passed, or times far away. None is due while the suite runs.
 */
export function tellingExpressions(zoneMs: number, nowMs: number): string[] {
  const today = new Date(nowMs - passedMs + zoneMs);
  const tomorrow = new Date(today.getTime() + dayMs);
  const time = `${today.getUTCMinutes()} ${today.getUTCHours()}`;
  const ofDays = [today, tomorrow].map((date) => date.getUTCDate());
  const ofMonths = [today.getUTCMonth() + 1, ((today.getUTCMonth() + 1) % 12) + 1];
  const ofWeek = [today, tomorrow].map((date) => date.getUTCDay());
  const isInEveryMonth = today.getUTCDate() <= 28;
  const far = ((today.getUTCMonth() + 5) % 12) + 1;
  return [
    ...spans(ofDays).map((days) => `${time} ${days} * *`),
    ...spans(ofWeek).map((days) => `${time} * * ${days}`),
    ...(isInEveryMonth ? spans(ofMonths).map((months) => `${time} ${today.getUTCDate()} ${months} *`) : []),
    `47,13 9,5 24,17 ${far} *`,
    `13,47 5,9 17,24 ${far} *`,
    `0 0 29-30 ${far} *`,
    "0 12 31 * *",
    "0 12 30 * *",
  ].filter((expression) => (nextInstantIn(zoneMs, expression, nowMs) ?? 0) - nowMs > leastAheadMs);
}

/** The two values as lists in both orders and, where they are successive, as a range. */
function spans([first = 0, second = 0]: readonly number[]): string[] {
  const lists = [`${first},${second}`, `${second},${first}`];
  return second === first + 1 ? [...lists, `${first}-${second}`] : lists;
}
