// Distinguishes a busy gateway from one that is down, when neither answers.
import { probeOnce } from "./aliveProbe.ts";
import type { Interval } from "./interval.ts";
import type { ObserverSurroundings } from "./observer.ts";

/** After so long without an answer on accepted connections a gateway is down, not busy. */
const longestBusyMs = 4000;

/**
 * Probes until it is clear. Answers when the gateway was found to be down; undefined when it answered after all or the
 * signal was given.
 */
export async function untilGone(
  { clock, url, everyMs, deadlineMs, signal }: ObserverSurroundings,
  silentSinceMs: number,
): Promise<Interval | undefined> {
  while (!signal.aborted) {
    const probe = await probeOnce(clock, url(), deadlineMs);
    if (probe.outcome === "answered") return undefined;
    if (probe.outcome !== "silent" || probe.endedMs - silentSinceMs > longestBusyMs)
      return { low: silentSinceMs, high: probe.endedMs };
    await clock.delay(everyMs, signal).catch(() => undefined);
  }
  return undefined;
}
