// Which gateways of a rack may run now: a limited number at once, and never two that share a wire.

export interface Waiting {
  readonly name: string;
  readonly wires: readonly string[];
}

export class TurnQueue<T extends Waiting> {
  readonly #waiting: T[];
  readonly #running = new Set<T>();
  readonly #mostAtOnce: number;

  constructor(all: readonly T[], mostAtOnce: number) {
    this.#waiting = [...all];
    this.#mostAtOnce = mostAtOnce;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#running.size === 0;
  }

  /** The next one that may start, in the order of the rack file; undefined while it must wait. */
  take(): T | undefined {
    if (this.#running.size >= this.#mostAtOnce) return undefined;
    const busy = new Set([...this.#running].flatMap(({ wires }) => wires));
    const index = this.#waiting.findIndex(({ wires }) => !wires.some((wire) => busy.has(wire)));
    const [taken] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (taken !== undefined) this.#running.add(taken);
    return taken;
  }

  done(one: T): void {
    this.#running.delete(one);
  }

  /** To the end of the queue: another run uses it. */
  later(one: T): void {
    this.#running.delete(one);
    this.#waiting.push(one);
  }
}
