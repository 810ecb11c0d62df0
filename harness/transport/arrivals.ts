// A growing list of items that arrive, and bounded waits for one that fits.
import type { Clock } from "../clock.ts";
import { Unmet } from "../../record/index.ts";

export class Arrivals<T> {
  readonly items: T[] = [];
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ended(): boolean {
    return this.#ended;
  }

  add(item: T): void {
    this.items.push(item);
    this.wake();
  }

  /** Wakes waiting callers, after items were pushed directly. */
  wake(): void {
    for (const wake of this.#waiting) wake();
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** The first item that fits, arrived or to come. Throws Unmet after the deadline, at the end, or when aborted. */
  async next(what: string, fits: (item: T) => boolean, deadlineMs: number, signal: AbortSignal): Promise<T> {
    const startedMs = this.#clock.nowMs();
    let looked = 0;
    for (;;) {
      for (; looked < this.items.length; looked++) {
        const item = this.items[looked] as T;
        if (fits(item)) return item;
      }
      const leftMs = deadlineMs - (this.#clock.nowMs() - startedMs);
      if (this.#ended || leftMs <= 0) {
        const why = this.#ended ? "the stream ended" : `none within ${deadlineMs} ms`;
        throw new Unmet(`expected ${what}: ${why}; ${this.items.length} items arrived`, "deadline");
      }
      await this.#change(leftMs, signal);
    }
  }

  async #change(limitMs: number, signal: AbortSignal): Promise<void> {
    const giveUp = new AbortController();
    const bounded = AbortSignal.any([giveUp.signal, signal]);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    try {
      await Promise.race([promise, this.#clock.delay(limitMs, bounded).catch(() => signal.throwIfAborted())]);
    } finally {
      this.#waiting.delete(resolve);
      giveUp.abort(new Error("wait ended"));
    }
  }
}
