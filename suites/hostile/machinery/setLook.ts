// Looks at what an operation sets after each request that was refused: half of a refused request must not take effect.
import { isDeepStrictEqual } from "node:util";
import type { Observation } from "./channel.ts";
import type { AttackTarget } from "./target.ts";

export class SetLook {
  readonly #target: AttackTarget;
  #held: unknown;

  constructor(target: AttackTarget) {
    this.#target = target;
  }

  /** What is wrong with the state after the answer; a state that changed is put back, so that it can change again. */
  async faultAfter(observation: Observation): Promise<string | undefined> {
    const { sets } = this.#target;
    if (sets === undefined) return undefined;
    const isRefused = observation.outcome === "answered" && observation.answer.status >= 400;
    const isKnown = this.#held !== undefined;
    // What was accepted, or may have been, counts from now on.
    if (!isRefused) {
      this.#held = undefined;
      return undefined;
    }
    const before = this.#held;
    this.#held = await sets.read().catch(() => undefined);
    if (!isKnown || this.#held === undefined || isDeepStrictEqual(this.#held, before)) return undefined;
    await sets.restore?.(before);
    this.#held = await sets.read().catch(() => undefined);
    return `refused, and yet ${sets.name} changed`;
  }
}
