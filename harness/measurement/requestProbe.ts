// Opens a new connection for each small request: sees a listener that is gone, though older connections may live on.
import type { ObserverSurroundings } from "./observer.ts";
import { type Probe, probeOnce } from "./aliveProbe.ts";
import { untilGone } from "./silence.ts";

const observer = "request probe";

/** Probes until the signal; a probe that was answered proves life when it began, a refused one death when it ended. */
export async function watchRequests(surroundings: ObserverSurroundings): Promise<void> {
  const { clock, signal, report } = surroundings;
  let last: Probe | undefined;
  while (!signal.aborted) {
    const probe = await probeOnce(clock, surroundings.url(), surroundings.deadlineMs);
    if (last?.isAlive === true && !probe.isAlive) {
      const gone =
        probe.outcome === "silent"
          ? await untilGone(surroundings, probe.startedMs)
          : { low: last.startedMs, high: probe.endedMs };
      // Busy, and answers again: the probe that was not answered says nothing.
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
