// The open streams of a gateway: how many it serves at once, where its profile declares a number, and which case has them.
import { NotApplicable } from "../../record/index.ts";
import type { Clock } from "../clock.ts";

/** Deadlines of cases are longer than this. */
const tellEveryMs = 500;

/**
 * With a limit one case at a time has streams: cases that hold some each, and wait for another one, would wait for ever. A case
 * that opens more than the gateway serves is not applicable. The owner of a stream is what stands for its case.
 */
export class StreamSlots {
  readonly #clock: Clock;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  readonly #open = new Map<object, Set<AsyncDisposable>>();
  #owner: object | undefined;
  #taken = 0;

  /** `atOnce`: undefined for a gateway that declares no limit. */
  constructor(clock: Clock, atOnce: number | undefined) {
    this.#clock = clock;
    this.#atOnce = atOnce ?? Number.POSITIVE_INFINITY;
  }

  /** Waits until no other owner has a stream; `waited` is called with each part of that time, in milliseconds. */
  async take(owner: object, signal: AbortSignal, waited: (waitMs: number) => void): Promise<void> {
    if (!Number.isFinite(this.#atOnce)) return;
    let sinceMs = this.#clock.nowMs();
    const tell = (): void => {
      const nowMs = this.#clock.nowMs();
      waited(nowMs - sinceMs);
      sinceMs = nowMs;
    };
    while (this.#owner !== undefined && this.#owner !== owner) {
      const freed = Promise.withResolvers<void>();
      this.#waiting.push(freed.resolve);
      const aborted = (): void => freed.reject(signal.reason);
      signal.addEventListener("abort", aborted, { once: true });
      const telling = setInterval(tell, tellEveryMs);
      try {
        await freed.promise;
      } finally {
        clearInterval(telling);
        signal.removeEventListener("abort", aborted);
      }
    }
    if (this.#taken >= this.#atOnce)
      throw new NotApplicable(`the profile declares ${this.#atOnce} streams at once`, "not-named");
    this.#owner = owner;
    this.#taken += 1;
    tell();
  }

  /** The stream that was opened after `take`. */
  opened(owner: object, stream: AsyncDisposable): void {
    this.#open.set(owner, (this.#open.get(owner) ?? new Set()).add(stream));
  }

  /** Gives back what `take` gave. */
  give(owner: object, stream?: AsyncDisposable): void {
    if (stream !== undefined) this.#open.get(owner)?.delete(stream);
    if (this.#owner !== owner) return;
    this.#taken -= 1;
    if (this.#taken > 0) return;
    this.#owner = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Closes the streams that a case which has ended left open. */
  async close(owner: object): Promise<void> {
    for (const stream of this.#open.get(owner) ?? []) await stream[Symbol.asyncDispose]();
    this.#open.delete(owner);
  }
}
