// Compares the state that an operation sets after each rejected request: no part of it may take effect.
import { sameValue } from "../../../harness/index.ts";
import type { Observation } from "./channel.ts";
import type { AttackTarget } from "./target.ts";

export class SetGuard {
  readonly #target: AttackTarget;
  #reference: unknown;

  constructor(target: AttackTarget) {
    this.#target = target;
  }

  /** The deviation of the state after the answer; a changed state is restored, which allows it to change again. */
  async faultAfter(observation: Observation): Promise<string | undefined> {
    const { sets } = this.#target;
    if (sets === undefined) return undefined;
    const isRejected = observation.outcome === "answered" && observation.answer.status >= 400;
    const isKnown = this.#reference !== undefined;
    // A request that was or may have been accepted sets a new reference.
    if (!isRejected) {
      this.#reference = undefined;
      return undefined;
    }
    const before = this.#reference;
    this.#reference = await sets.read().catch(() => undefined);
    if (!isKnown || this.#reference === undefined || sameValue(this.#reference, before)) return undefined;
    await sets.restore?.(before);
    this.#reference = await sets.read().catch(() => undefined);
    return `rejected, but ${sets.name} changed`;
  }
}
