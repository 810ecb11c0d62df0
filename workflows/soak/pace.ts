// Begins the actions of the mix at their pace.
import type { Action, Workplace } from "./action.ts";
import { type Ground, ownView, sleep } from "./ground.ts";

/** Time that actions under way have to finish before they are cut off. */
const drainMs = 5000;

export class Pace {
  readonly #ground: Ground;
  readonly #place: Workplace;
  readonly #underWay = new Map<Promise<void>, Disposable>();
  #resumed: PromiseWithResolvers<void> | undefined;

  constructor(ground: Ground, place: Workplace) {
    this.#ground = ground;
    this.#place = place;
  }

  get isPaused(): boolean {
    return this.#resumed !== undefined;
  }

  /** Begins no action until the answer is disposed; resolves when those under way have finished. */
  async pause(): Promise<Disposable> {
    const resumed = Promise.withResolvers<void>();
    this.#resumed = resumed;
    await this.#drain();
    return {
      [Symbol.dispose]: () => {
        this.#resumed = undefined;
        resumed.resolve();
      },
    };
  }

  /** A late action is not made up for, and no more than `concurrency` run at a time. */
  async run(chosen: readonly (readonly [Action, number])[], failed: () => void): Promise<void> {
    const { clock, mix, stopped } = this.#ground;
    const everyMs = 1000 / mix.actionsPerSec;
    let dueMs = clock.nowMs();
    while (!stopped.aborted) {
      dueMs = Math.max(dueMs + everyMs, clock.nowMs());
      await sleep(this.#ground, dueMs - clock.nowMs());
      while (this.#underWay.size >= mix.concurrency) await Promise.race(this.#underWay.keys());
      await this.#resumed?.promise;
      if (!stopped.aborted) this.#begin(this.#pick(chosen), failed);
    }
    await this.#drain();
  }

  #pick(chosen: readonly (readonly [Action, number])[]): Action {
    const total = chosen.reduce((sum, [, share]) => sum + share, 0);
    let left = (this.#place.random.integer(0, 999_999) / 1_000_000) * total;
    const [action] = chosen.find(([, share]) => (left -= share) < 0) ?? chosen[0] ?? [];
    if (action === undefined) throw new Error("a mix without actions");
    return action;
  }

  #begin(action: Action, failed: () => void): void {
    const view = ownView(this.#ground);
    // What was not accepted is in the tally.
    const one = action
      .run(view.gateway, this.#place)
      .catch(failed)
      .finally(() => {
        view[Symbol.dispose]();
        this.#underWay.delete(one);
      });
    this.#underWay.set(one, view);
  }

  async #drain(): Promise<void> {
    const cut = setTimeout(() => {
      for (const view of this.#underWay.values()) view[Symbol.dispose]();
    }, drainMs);
    await Promise.all(this.#underWay.keys());
    clearTimeout(cut);
  }
}
