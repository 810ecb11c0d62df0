import type { Clock } from "../clock.ts";

/** A deadline that can be moved further away. */
export class ExtendableTimer implements Disposable {
  readonly #clock: Clock;
  readonly #expire: () => void;
  readonly #stop = new AbortController();
  #dueMs: number;

  constructor(clock: Clock, delayMs: number, expire: () => void) {
    this.#clock = clock;
    this.#expire = expire;
    this.#dueMs = clock.nowMs() + delayMs;
    void this.#wait();
  }

  extend(byMs: number): void {
    this.#dueMs += byMs;
  }

  async #wait(): Promise<void> {
    const { signal } = this.#stop;
    try {
      for (let leftMs = 1; leftMs > 0; leftMs = this.#dueMs - this.#clock.nowMs())
        await this.#clock.delay(this.#dueMs - this.#clock.nowMs(), signal);
      this.#expire();
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort(new Error("the deadline no longer applies"));
  }
}
