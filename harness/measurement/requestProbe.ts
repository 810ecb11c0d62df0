// Opens a new connection for each small request: observes a closed listener, even while older connections remain open.
import type { ObserverSurroundings } from "./observer.ts";
import { type Probe, probeOnce } from "./aliveProbe.ts";
import { isAliveAfter, isUnanswered, lastSurelyDown, untilGone } from "./silence.ts";

const observer = "request probe";

/** Probes until the signal; an answered probe proves life at its start, a refused one the shutdown at its end. */
export async function watchRequests(surroundings: ObserverSurroundings): Promise<void> {
  const { clock, signal, report } = surroundings;
  let last: Probe | undefined;
  let isDown = false;
  let refusedMs = Number.NEGATIVE_INFINITY;
  let unansweredMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const probe = await probeOnce(clock, surroundings.url(), surroundings.deadlineMs);
    if (probe.isAlive) surroundings.isAlive?.();
    if (probe.isLimited === true) surroundings.isLimited();
    if (last?.isAlive === true && !probe.isAlive) {
      // A connection that is closed in the middle of a request, by a gateway that answers the next one, proves nothing.
      if (!isUnanswered(probe) && (await isAliveAfter(surroundings, probe))) continue;
      const gone = isUnanswered(probe)
        ? await untilGone(surroundings, probe.startedMs)
        : { low: last.startedMs, high: probe.endedMs };
      // Busy or on a bad line, and answering again: the unanswered probe proves nothing.
      if (gone === undefined) continue;
      report({ observer, what: "down", interval: { low: last.startedMs, high: gone.high } });
      isDown = true;
      refusedMs = last.startedMs;
      unansweredMs = last.startedMs;
    } else if (probe.isAlive) {
      const low = lastSurelyDown(surroundings, refusedMs, unansweredMs, probe);
      const down = surroundings.downSince?.();
      if (isDown) report({ observer, what: "up", interval: { low, high: probe.endedMs } });
      else if (down !== undefined && probe.startedMs > down.high)
        report({ observer, what: "up", interval: { low: Math.max(down.low, low), high: probe.endedMs } });
      isDown = false;
    }
    if (isUnanswered(probe)) unansweredMs = probe.startedMs;
    else if (!probe.isAlive) refusedMs = probe.startedMs;
    last = probe;
    await clock.delay(surroundings.everyMs(), signal).catch(() => undefined);
  }
}
