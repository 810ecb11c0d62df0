// Present values and a bounded history per tag, and who is told of changes: in batches, per source.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import { History, type Sample } from "./history.ts";
import { keyOf, sourceKey } from "./names.ts";

export interface Change extends Sample {
  readonly tag: Tag;
}

type Listener = (changes: readonly Change[]) => void;

/** The values of all tags. Providers set them; readers, monitors and streams take them from here. */
export class ValueTable {
  readonly #histories = new Map<string, History>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #pending = new Map<string, Change[]>();

  /** Takes a value; listeners of the source are told in the same turn of the loop, all changes at once. */
  set(tag: Tag, value: TagValue, ts: number): void {
    const key = keyOf(tag);
    let history = this.#histories.get(key);
    if (history === undefined) this.#histories.set(key, (history = new History()));
    // Two NaNs are no change; a zero with another sign is one.
    const isChange = !Object.is(history.latest?.value, value);
    history.push(value, ts);
    if (isChange) this.#announce({ tag, value, ts });
  }

  /** The value is still what it was, at this time. */
  confirm(tag: Tag, ts: number): void {
    this.#histories.get(keyOf(tag))?.confirm(ts);
  }

  latest(tag: Tag): Sample | undefined {
    return this.#histories.get(keyOf(tag))?.latest;
  }

  /** Samples since the instant, in the order in which they came. */
  since(tag: Tag, epochMs: number): Sample[] {
    return this.#histories.get(keyOf(tag))?.since(epochMs) ?? [];
  }

  forget(tag: Tag): void {
    this.#histories.delete(keyOf(tag));
  }

  /** Tells the listener of every change of a value from now on, in order. */
  onChange(provider: string, source: string, listener: Listener): Disposable {
    const key = sourceKey(provider, source);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
      },
    };
  }

  /** Tells of the changes so far at once: who reads present values next will not hear of them again. */
  flush(): void {
    const batches = this.#pending;
    if (batches.size === 0) return;
    this.#pending = new Map();
    for (const [key, changes] of batches)
      for (const listener of this.#listeners.get(key) ?? []) listener(changes);
  }

  #announce(change: Change): void {
    const key = sourceKey(change.tag.prvdName, change.tag.srcName);
    if (!this.#listeners.has(key)) return;
    if (this.#pending.size === 0) setImmediate(() => this.flush());
    const batch = this.#pending.get(key);
    if (batch === undefined) this.#pending.set(key, [change]);
    else batch.push(change);
  }
}
