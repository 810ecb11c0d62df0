// Many workers ask the gateway at the same time; one that saw it fail has it to itself while it looks whether it was the
// one who made it fail.

export class Turns {
  readonly #busy = new Set<Promise<unknown>>();
  #holder: object | undefined;
  #given = Promise.withResolvers<void>();

  /** Does something when nobody else has the gateway to themselves. */
  async run<T>(who: object, act: () => Promise<T>): Promise<T> {
    // No function around this: between the last look and what follows nobody else may run.
    while (this.#isTakenFrom(who)) await this.#given.promise;
    const work = act();
    this.#busy.add(work);
    try {
      return await work;
    } finally {
      this.#busy.delete(work);
    }
  }

  /** From now on nobody else begins anything; answers when what they had begun has ended. */
  async take(who: object): Promise<void> {
    while (this.#isTakenFrom(who)) await this.#given.promise;
    this.#holder = who;
    await Promise.allSettled(this.#busy);
  }

  /** Ends the turn, if it was this one's. */
  give(who: object): void {
    if (this.#holder !== who) return;
    this.#holder = undefined;
    this.#given.resolve();
    this.#given = Promise.withResolvers<void>();
  }

  #isTakenFrom(who: object): boolean {
    return this.#holder !== undefined && this.#holder !== who;
  }
}
