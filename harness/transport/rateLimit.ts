// A gateway may limit how many requests it takes from a client: the harness keeps below what is declared, and waits
// where it is asked to.
import type { Clock } from "../clock.ts";

/** What the harness leaves free below the declared rate, for its probes and for clocks that differ. */
const shareOfRate = 0.8;
/** The same while a restart is watched for, because its probes use up to half of the rate. */
const shareBesideProbes = 0.3;
const defaultRetryAfterMs = 1000;
/** Longest time one request waits for a gateway that answers 429 again and again. */
export const longestRateWaitMs = 60_000;
/** Longest time to wait until a gateway that answers 503 has room for one more stream. */
export const longestRoomWaitMs = 5000;

/** Spaces requests out so that no more than the declared number a second begin. */
export class Pace {
  readonly #clock: Clock;
  readonly #requestsPerSec: number;
  #nextMs = 0;
  #watches = 0;

  /** `requestsPerSec`: undefined for a gateway that declares no limit. */
  constructor(clock: Clock, requestsPerSec: number | undefined) {
    this.#clock = clock;
    this.#requestsPerSec = requestsPerSec ?? Number.POSITIVE_INFINITY;
  }

  /** Leaves room for the probes of a watch until it is disposed. */
  besideProbes(): Disposable {
    this.#watches += 1;
    return { [Symbol.dispose]: () => void (this.#watches -= 1) };
  }

  /** Resolves when the next request may begin, with the milliseconds that it waited. */
  async turn(signal: AbortSignal): Promise<number> {
    const share = this.#watches > 0 ? shareBesideProbes : shareOfRate;
    const gapMs = 1000 / (this.#requestsPerSec * share);
    if (gapMs === 0) return 0;
    const nowMs = this.#clock.nowMs();
    const dueMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = dueMs + gapMs;
    if (dueMs > nowMs) await this.#clock.delay(dueMs - nowMs, signal);
    return dueMs - nowMs;
  }
}

/** How long the answer asks the client to wait: seconds or a date in `Retry-After` (RFC 9110, 10.2.3); else a second. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, epochMs: number): number {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? defaultRetryAfterMs : Math.max(0, dateMs - epochMs);
}
