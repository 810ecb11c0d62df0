// Tells a gateway that is merely busy from one that is gone, when neither says a word.
import { probeOnce } from "./aliveProbe.ts";
import type { Interval } from "./interval.ts";
import type { ObserverSurroundings } from "./observer.ts";

/** So long a silence on connections that are taken is no longer that of a busy gateway. */
const longestBusyMs = 4000;

/**
 * Looks again until it is clear. Answers when the gateway was found gone, undefined when it answered after all or nobody
 * wants to know any more.
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
