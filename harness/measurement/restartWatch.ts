// Observes the shutdown and the return of a gateway with all observers, as intervals that contain the instant.
import type { Sighting } from "../../rigs/index.ts";
import type { Clock } from "../clock.ts";
import { Arrivals } from "../transport/arrivals.ts";
import { Unmet } from "../../record/index.ts";
import { watchOpenConnection } from "./openConnection.ts";
import { combine, type Instant, type ObserverSurroundings, type Seen } from "./observer.ts";
import { watchSightings } from "./sightings.ts";
import { watchRequests } from "./requestProbe.ts";
import { longestBusyMs } from "./silence.ts";

/** Shutdown and return of the gateway. Instants on the campaign's monotonic clock. */
interface RestartSeen {
  /** Interval that contains the instant at which the gateway stopped answering. */
  readonly down: Instant;
  /** Interval that contains the instant at which it answered an operation again. */
  readonly up: Instant;
  readonly observers: readonly string[];
}

/** Watches for the gateway going down. Begin before asking for the reboot; dispose to stop watching. */
export interface RestartWatch extends AsyncDisposable {
  /**
   * Resolves when the gateway has answered each observer that asks it, and on a replay at once; also without an answer
   * after the longest time that a live gateway takes. A shutdown before it would have no beginning.
   */
  hasBegun(): Promise<void>;
  /** Resolves after shutdown and return; throws Unmet after the deadline, with the missing one. */
  restarted(limits: { downWithinMs: number; upWithinMs: number }): Promise<RestartSeen>;
  /** Resolves to the interval of the shutdown, or undefined without one within the time. */
  wentDown(withinMs: number): Promise<Instant | undefined>;
}

export interface RestartWatchSurroundings {
  readonly clock: Clock;
  readonly url: () => URL;
  /** Pause between two probes of an observer. */
  readonly everyMs: number;
  readonly probeDeadlineMs: number;
  /** What the line adds to an exchange, and so to each wait; default 0. */
  readonly onTheLineMs?: number;
  readonly signal: AbortSignal;
  /** Sightings of the equipment so far; the list grows. */
  readonly sightings?: readonly Sighting[];
  /** Starts the observers and receives their reports, or those of an earlier run. */
  readonly observe?: (
    report: (seen: Seen) => void,
    live: (report: (seen: Seen) => void) => Promise<unknown>,
  ) => Promise<unknown> | undefined;
}

/** How long the other observers may take after the first; a board under load resets a tenth of a second after its gateway. */
const graceMs = 250;
/** New connections cost both ends more than requests on an open one. */
const probesAreRarer = 4;

/** Where the gateway says that there are too many requests, probes are so far apart at least, and further each time. */
const leastLimitedGapMs = 40;
const mostLimitedGapMs = 500;
const limitSpanMs = 1000;

/** Starts all observers at once. */
export function watchForRestart(surroundings: RestartWatchSurroundings): RestartWatch {
  const { clock, signal, sightings = [], onTheLineMs = 0 } = surroundings;
  const stop = new AbortController();
  const seen = new Arrivals<Seen>(clock);
  let gapMs = surroundings.everyMs;
  let limitedMs = Number.NEGATIVE_INFINITY;
  const common: Omit<ObserverSurroundings, "report"> = {
    clock,
    url: surroundings.url,
    everyMs: () => gapMs,
    isLimited() {
      // Once for each of the seconds over which gateways usually count.
      if (clock.nowMs() - limitedMs < limitSpanMs) return;
      limitedMs = clock.nowMs();
      gapMs = Math.min(Math.max(2 * gapMs, leastLimitedGapMs), mostLimitedGapMs);
    },
    deadlineMs: surroundings.probeDeadlineMs,
    onTheLineMs,
    signal: AbortSignal.any([stop.signal, signal]),
    downSince() {
      const last = seen.items.findLast(({ isEnd }) => isEnd !== true);
      return last?.what === "down" ? last.interval : undefined;
    },
  };
  const connected = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  const start = (report: (one: Seen) => void): Promise<unknown> =>
    Promise.all([
      watchOpenConnection({ ...common, report, isAlive: connected.resolve }),
      watchRequests({
        ...common,
        report,
        everyMs: () => common.everyMs() * probesAreRarer,
        isAlive: requested.resolve,
      }),
      watchSightings({ ...common, report }, sightings),
    ]);
  const keep = (one: Seen): void => seen.add(one);
  const watching = surroundings.observe === undefined ? start(keep) : surroundings.observe(keep, start);

  /** The first shutdown, or the first return after it, by all observers; undefined without one in time. */
  const first = async (what: Seen["what"], withinMs: number, afterMs = 0): Promise<Instant | undefined> => {
    const fits = (one: Seen): boolean => one.what === what && one.interval.high > afterMs;
    let earliest: Seen;
    try {
      earliest = await seen.next(what, fits, withinMs + onTheLineMs, signal);
    } catch (thrown) {
      if (thrown instanceof Unmet) return undefined;
      throw thrown;
    }
    const waitMs = earliest.interval.high + graceMs - clock.nowMs();
    if (waitMs > 0) await clock.delay(waitMs, signal);
    return combine(firstOfEach(seen.items.filter(fits)));
  };

  return {
    async hasBegun() {
      if (watching === undefined) return;
      const enough = clock.delay(longestBusyMs + onTheLineMs, common.signal).catch(() => undefined);
      await Promise.race([Promise.all([connected.promise, requested.promise]), enough]);
    },
    async restarted({ downWithinMs, upWithinMs }): Promise<RestartSeen> {
      const down = await first("down", downWithinMs);
      if (down === undefined) {
        throw new Unmet(
          `expected a shutdown of the gateway within ${downWithinMs} ms, observed answers to all probes`,
          "deadline",
        );
      }
      const up = await first("up", upWithinMs, down.low);
      if (up === undefined) {
        throw new Unmet(
          `expected an answer of the gateway within ${upWithinMs} ms after its shutdown, observed none`,
          "deadline",
        );
      }
      return { down, up, observers: down.observers };
    },
    wentDown: (withinMs) => first("down", withinMs),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("watch ended"));
      await watching;
    },
  };
}

/** The first report of an observer counts. */
function firstOfEach(seen: readonly Seen[]): Seen[] {
  return [...Map.groupBy(seen, ({ observer }) => observer).values()].flatMap((one) => one.slice(0, 1));
}
