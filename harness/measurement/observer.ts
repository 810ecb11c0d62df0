// An observer watches one sign of a gateway's life and reports its end and its return as intervals.
import type { Clock } from "../clock.ts";
import { HarnessFault } from "../../record/index.ts";
import type { Interval } from "./interval.ts";

/** The report of one observer. The instant lies in the interval, whatever the delay of the observer. */
export interface Seen {
  readonly observer: string;
  readonly what: "down" | "up";
  readonly interval: Interval;
  /** True for the last sign of the shutdown, such as the reset of the board. */
  readonly isEnd?: boolean;
}

export interface ObserverSurroundings {
  readonly clock: Clock;
  readonly url: () => URL;
  /** Pause between two probes. */
  readonly everyMs: () => number;
  /** How long one probe may take. */
  readonly deadlineMs: number;
  /** What the line adds to an exchange: so much longer is a silence that proves nothing. */
  readonly onTheLineMs: number;
  readonly signal: AbortSignal;
  readonly report: (seen: Seen) => void;
  /** Called at each sign of life. */
  readonly isAlive?: () => void;
  /** Called when the gateway answered that there are too many requests. */
  readonly isLimited: () => void;
  /**
   * The instant by which an observer saw the gateway down, as long as none has seen it up again; an answer to what was
   * asked later proves that it is. Needed where this machine stood still meanwhile, and no probe ever failed.
   */
  readonly downSince?: () => Interval | undefined;
}

/** The reports of several observers on the same shutdown or return. */
export interface Instant extends Interval {
  /** Observers whose intervals contain the instant. */
  readonly observers: readonly string[];
  /** The interval of each of them. */
  readonly seenBy: readonly ObserverInterval[];
}

/** The report of one observer on a measured quantity. */
export interface ObserverInterval extends Interval {
  readonly observer: string;
}

/**
 * Signs of life end one after another when a gateway shuts down in order, and within milliseconds when it does not; the
 * instant is that of the first. Where the reset of the board was observed shortly after, that is the instant of the
 * reboot. Only intervals further apart than a shutdown may take contradict one another.
 */
const longestShutdownMs = 10_000;

/** Intersects the intervals of all observers; throws a HarnessFault when they contradict one another. */
export function combine(seen: readonly Seen[]): Instant | undefined {
  const first = seen.reduce<Seen | undefined>(
    (earliest, one) =>
      earliest === undefined || one.interval.high < earliest.interval.high ? one : earliest,
    undefined,
  );
  if (first === undefined) return undefined;
  const contradicting = seen.find(({ interval }) => interval.low > first.interval.high + longestShutdownMs);
  if (contradicting !== undefined) {
    throw new HarnessFault(
      `${first.observer} and ${contradicting.observer} contradict one another: ${first.what} by ${first.interval.high.toFixed(1)} ms and not before ${contradicting.interval.low.toFixed(1)} ms`,
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
