// Opens a new connection for each small request: observes a closed listener, even while older connections remain open.
import type { ObserverSurroundings } from "./observer.ts";
import { type Probe, probeOnce } from "./aliveProbe.ts";
import { untilGone } from "./silence.ts";

const observer = "request probe";

/** Probes until the signal; an answered probe proves life at its start, a refused one the shutdown at its end. */
export async function watchRequests(surroundings: ObserverSurroundings): Promise<void> {
  const { clock, signal, report } = surroundings;
  let last: Probe | undefined;
  while (!signal.aborted) {
    const probe = await probeOnce(clock, surroundings.url(), surroundings.deadlineMs);
    if (last?.isAlive === true && !probe.isAlive) {
      // A connection that is closed in the middle of a request, by a gateway that answers the next one, proves nothing.
      if (probe.outcome !== "silent" && (await isAliveNow(surroundings))) continue;
      const gone =
        probe.outcome === "silent"
          ? await untilGone(surroundings, probe.startedMs)
          : { low: last.startedMs, high: probe.endedMs };
      // Busy, and answering again: the unanswered probe proves nothing.
      if (gone === undefined) continue;
      report({ observer, what: "down", interval: { low: last.startedMs, high: gone.high } });
    } else if (last?.isAlive === false && probe.isAlive) {
      report({ observer, what: "up", interval: { low: last.startedMs, high: probe.endedMs } });
    } else if (probe.isAlive) {
      const down = surroundings.downSince?.();
      if (down !== undefined && probe.startedMs > down.high)
        report({ observer, what: "up", interval: { low: down.low, high: probe.endedMs } });
    }
    last = probe;
    await clock.delay(surroundings.everyMs, signal).catch(() => undefined);
  }
}

async function isAliveNow({ clock, url, deadlineMs }: ObserverSurroundings): Promise<boolean> {
  return (await probeOnce(clock, url(), deadlineMs)).isAlive;
}
