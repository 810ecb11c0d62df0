// Distinguishes a busy gateway, and one on a line that loses packets, from one that is down, when none answers.
import { type Probe, probeOnce } from "./aliveProbe.ts";
import type { Interval } from "./interval.ts";
import type { ObserverSurroundings } from "./observer.ts";

/** After so long without an answer a gateway is down: neither busy nor on a line that lost every try. */
export const longestBusyMs = 4000;
/** A server in front may lose the gateway for a moment under load; a reboot takes longer. */
const briefMs = 200;

/** Whether the try had no answer of any kind; a busy gateway and a lost packet look the same. */
export function isUnanswered({ outcome }: Probe): boolean {
  return outcome === "silent" || outcome === "unreachable";
}

/**
 * The latest instant at which the gateway was surely down, before the probe that it answered: that of the last refused
 * try, or of a silence that lasted too long for lost packets.
 */
export function lastSurelyDown(
  { onTheLineMs }: Pick<ObserverSurroundings, "onTheLineMs">,
  refusedMs: number,
  unansweredMs: number,
  answered: Probe,
): number {
  return Math.max(refusedMs, Math.min(unansweredMs, answered.startedMs - longestBusyMs - onTheLineMs));
}

/** Whether the gateway is alive although the probe failed. */
export async function isAliveAfter(surroundings: ObserverSurroundings, failed: Probe): Promise<boolean> {
  const { clock, url, deadlineMs, everyMs, signal } = surroundings;
  const patienceMs = failed.outcome === "unavailable" ? briefMs : 0;
  for (;;) {
    const { isAlive, outcome, startedMs } = await probeOnce(clock, url(), deadlineMs);
    if (outcome === "unreachable") return (await untilGone(surroundings, startedMs)) === undefined;
    if (isAlive || startedMs - failed.startedMs >= patienceMs || signal.aborted) return isAlive;
    await clock.delay(everyMs(), signal).catch(() => undefined);
  }
}

/**
 * Probes until it is clear. Answers when the gateway was found to be down; undefined when it answered after all or the
 * signal was given.
 */
export async function untilGone(
  { clock, url, everyMs, deadlineMs, onTheLineMs, signal }: ObserverSurroundings,
  silentSinceMs: number,
): Promise<Interval | undefined> {
  while (!signal.aborted) {
    const probe = await probeOnce(clock, url(), deadlineMs);
    if (probe.outcome === "answered") return undefined;
    if (!isUnanswered(probe) || probe.endedMs - silentSinceMs > longestBusyMs + onTheLineMs)
      return { low: silentSinceMs, high: probe.endedMs };
    await clock.delay(everyMs(), signal).catch(() => undefined);
  }
  return undefined;
}
