// Many workers use the gateway at the same time; a worker that saw a failure gets exclusive use to find out whether its
// own request caused it.

export class Turns {
  readonly #busy = new Set<Promise<unknown>>();
  #holder: object | undefined;
  #given = Promise.withResolvers<void>();

  /** Acts when no other worker has exclusive use. */
  async run<T>(who: object, act: () => Promise<T>): Promise<T> {
    // No function around this: no other worker may run between the last check and the next line.
    while (this.#isTakenFrom(who)) await this.#given.promise;
    const work = act();
    this.#busy.add(work);
    try {
      return await work;
    } finally {
      this.#busy.delete(work);
    }
  }

  /** Blocks new work of other workers; returns when their current work has ended. */
  async take(who: object): Promise<void> {
    while (this.#isTakenFrom(who)) await this.#given.promise;
    this.#holder = who;
    await Promise.allSettled(this.#busy);
  }

  /** Ends the turn if this worker has it. */
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
