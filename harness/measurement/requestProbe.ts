// Opens a new connection for each small request: sees a listener that is gone, though older connections may live on.
import type { ObserverSurroundings } from "./observer.ts";
import { type Probe, probeOnce } from "./aliveProbe.ts";

/** Probes until the signal; a probe that was answered proves life when it began, a failed one death when it ended. */
export async function watchRequests(surroundings: ObserverSurroundings): Promise<void> {
  const { clock, signal, report } = surroundings;
  let last: Probe | undefined;
  while (!signal.aborted) {
    const probe = await probeOnce(clock, surroundings.url(), surroundings.deadlineMs);
    if (last !== undefined && last.isAlive !== probe.isAlive) {
      report({
        observer: "request probe",
        what: probe.isAlive ? "up" : "down",
        interval: { low: last.startedMs, high: probe.endedMs },
      });
    }
    last = probe;
    await clock.delay(surroundings.everyMs, signal).catch(() => undefined);
  }
}
