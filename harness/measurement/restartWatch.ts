// Sees a gateway go down and come back, as intervals: between the last sign of life and the first sign of death.
import type { Clock } from "../clock.ts";
import type { RestartSeen, RestartWatch } from "../client/gatewayUnderTest.ts";
import { Arrivals } from "../client/arrivals.ts";
import { Unmet } from "../suite/outcome.ts";
import type { Interval } from "./interval.ts";
import { type Probe, probeOnce } from "./aliveProbe.ts";

export interface RestartWatchSurroundings {
  readonly clock: Clock;
  readonly url: () => URL;
  /** Pause between two probes. */
  readonly everyMs: number;
  readonly probeDeadlineMs: number;
  readonly signal: AbortSignal;
}

/** Starts probing at once; a probe that fails is the observer's evidence that the gateway is down. */
export function watchForRestart(surroundings: RestartWatchSurroundings): RestartWatch {
  const { clock, signal } = surroundings;
  const stop = new AbortController();
  const bounded = AbortSignal.any([stop.signal, signal]);
  const changes = new Arrivals<{ kind: "down" | "up"; interval: Interval }>(clock);

  const watch = async (): Promise<void> => {
    let last: Probe | undefined;
    while (!bounded.aborted) {
      const probe = await probeOnce(clock, surroundings.url(), surroundings.probeDeadlineMs);
      if (last !== undefined && last.isAlive !== probe.isAlive) {
        // Answered probes prove life when they began being answered; a failed one proves death when it ended.
        const interval = { low: last.startedMs, high: probe.endedMs };
        changes.add({ kind: probe.isAlive ? "up" : "down", interval });
      }
      last = probe;
      await clock.delay(surroundings.everyMs, bounded).catch(() => undefined);
    }
  };
  const watching = watch();

  const wait = async (kind: "down" | "up", withinMs: number): Promise<Interval | undefined> => {
    try {
      return (await changes.next(kind, (change) => change.kind === kind, withinMs, signal)).interval;
    } catch (thrown) {
      if (thrown instanceof Unmet) return undefined;
      throw thrown;
    }
  };

  return {
    async restarted({ downWithinMs, upWithinMs }): Promise<RestartSeen> {
      const down = await wait("down", downWithinMs);
      if (down === undefined) {
        throw new Unmet(
          `expected the gateway to go down within ${downWithinMs} ms: every probe was answered`,
          "deadline",
        );
      }
      const up = await wait("up", upWithinMs);
      if (up === undefined) {
        throw new Unmet(
          `expected the gateway to come back within ${upWithinMs} ms: no probe was answered`,
          "deadline",
        );
      }
      return { down, up, observers: ["request probe"] };
    },
    wentDown: (withinMs) => wait("down", withinMs),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("no longer watched"));
      await watching;
    },
  };
}
