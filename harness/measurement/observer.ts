// An observer watches one sign of a gateway's life and says when it ended and when it began again, as intervals.
import type { Clock } from "../clock.ts";
import { HarnessFault } from "../../record/index.ts";
import type { Interval } from "./interval.ts";

/** What one observer saw. The instant lies in the interval, whatever the observer's own delay. */
export interface Seen {
  readonly observer: string;
  readonly what: "down" | "up";
  readonly interval: Interval;
  /** True when it is the last of the going down, such as the reset of the board, and not its first sign. */
  readonly isEnd?: boolean;
}

export interface ObserverSurroundings {
  readonly clock: Clock;
  readonly url: () => URL;
  /** Pause between two looks. */
  readonly everyMs: number;
  /** How long one look may take. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly report: (seen: Seen) => void;
  /**
   * The instant by which an observer saw the gateway down, as long as none has seen it up again; an answer to what was
   * asked later proves that it is. Needed where this machine stood still meanwhile, and no probe ever failed.
   */
  readonly downSince?: () => Interval | undefined;
}

/** What several observers saw of the same going down or coming up. */
export interface Instant extends Interval {
  /** Those whose intervals hold the instant. */
  readonly observers: readonly string[];
  /** What each of them saw by itself. */
  readonly seenBy: readonly ObserverInterval[];
}

/** What one observer saw of a measured quantity. */
export interface ObserverInterval extends Interval {
  readonly observer: string;
}

/**
 * Signs of life end one after another when a gateway shuts down in order, and within milliseconds when it does not; the
 * instant is that of the first. Where the board's own reset was seen shortly after, that is the reboot, and as exact as
 * who saw it. Only what is further apart than a shutdown may take is a contradiction.
 */
const longestShutdownMs = 10_000;

/** Narrows the instant down with all observers that saw it; throws a HarnessFault when they contradict one another. */
export function combine(seen: readonly Seen[]): Instant | undefined {
  const first = seen.reduce<Seen | undefined>(
    (earliest, one) =>
      earliest === undefined || one.interval.high < earliest.interval.high ? one : earliest,
    undefined,
  );
  if (first === undefined) return undefined;
  const liar = seen.find(({ interval }) => interval.low > first.interval.high + longestShutdownMs);
  if (liar !== undefined) {
    throw new HarnessFault(
      `${first.observer} and ${liar.observer} contradict one another: ${first.what} by ${first.interval.high.toFixed(1)} ms, and not before ${liar.interval.low.toFixed(1)} ms`,
    );
  }
  const agreeing = seen.filter(({ interval }) => interval.low <= first.interval.high);
  const reset = seen.find(({ isEnd }) => isEnd === true);
  const counted = reset === undefined || agreeing.includes(reset) ? agreeing : [...agreeing, reset];
  return {
    low: reset?.interval.low ?? Math.max(...agreeing.map(({ interval }) => interval.low)),
    high: reset?.interval.high ?? first.interval.high,
    observers: counted.map(({ observer }) => observer),
    seenBy: counted.map(({ observer, interval: { low, high } }) => ({ observer, low, high })),
  };
}
