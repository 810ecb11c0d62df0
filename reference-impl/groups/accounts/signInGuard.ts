import type { Clock } from "../../base/clock.ts";
import { Refusal } from "../../base/refusal.ts";

const maxNames = 10_000;

/** Locks a name for a short time after several failures in a row (423). */
export class SignInGuard {
  readonly #clock: Clock;
  readonly #failuresToLock: number;
  readonly #lockedMs: number;
  readonly #names = new Map<string, { failures: number; lockedUntilMs: number }>();

  constructor(clock: Clock, failuresToLock: number, lockedMs: number) {
    this.#clock = clock;
    this.#failuresToLock = failuresToLock;
    this.#lockedMs = lockedMs;
  }

  assertNotLocked(name: string): void {
    const entry = this.#names.get(name);
    const leftMs = (entry?.lockedUntilMs ?? 0) - this.#clock.monotonicMs();
    if (leftMs > 0) throw new Refusal(423, `too many failures: locked for ${Math.ceil(leftMs / 1000)} s`);
  }

  failed(name: string): void {
    // Unknown names must not fill the memory.
    if (this.#names.size >= maxNames) this.#names.clear();
    const entry = this.#names.get(name) ?? { failures: 0, lockedUntilMs: 0 };
    entry.failures += 1;
    if (entry.failures >= this.#failuresToLock) {
      entry.failures = 0;
      entry.lockedUntilMs = this.#clock.monotonicMs() + this.#lockedMs;
    }
    this.#names.set(name, entry);
  }

  succeeded(name: string): void {
    this.#names.delete(name);
  }
}
