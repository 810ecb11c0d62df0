/** A deadline that can be moved further away. */
export class ExtendableTimer implements Disposable {
  readonly #expire: () => void;
  #dueMs: number;
  #handle: NodeJS.Timeout;

  constructor(delayMs: number, expire: () => void) {
    this.#expire = expire;
    this.#dueMs = performance.now() + delayMs;
    this.#handle = setTimeout(expire, delayMs);
  }

  extend(byMs: number): void {
    clearTimeout(this.#handle);
    this.#dueMs += byMs;
    this.#handle = setTimeout(this.#expire, this.#dueMs - performance.now());
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#handle);
  }
}
