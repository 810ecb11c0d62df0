// Present values and a bounded history per tag, and who is told of changes: in batches, per source.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import { keyOf, sourceKey } from "./provider.ts";

export interface Sample {
  readonly value: TagValue;
  /** Milliseconds since the epoch. */
  readonly ts: number;
}

export interface Change extends Sample {
  readonly tag: Tag;
}

const historyLength = 1000;

export class ValueTable {
  readonly #samples = new Map<string, Sample[]>();
  readonly #listeners = new Map<string, Set<(changes: readonly Change[]) => void>>();
  #pending = new Map<string, Change[]>();

  /** Takes a value; listeners of the source are told in the same turn of the loop, all changes at once. */
  set(tag: Tag, value: TagValue, ts: number): void {
    const key = keyOf(tag);
    const samples = this.#samples.get(key) ?? [];
    if (samples.length === 0) this.#samples.set(key, samples);
    const isChange = samples.at(-1)?.value !== value;
    samples.push({ value, ts });
    if (samples.length > 2 * historyLength) samples.splice(0, historyLength);
    if (isChange) this.#announce({ tag, value, ts });
  }

  latest(tag: Tag): Sample | undefined {
    return this.#samples.get(keyOf(tag))?.at(-1);
  }

  /** Samples since the instant, oldest first. */
  since(tag: Tag, epochMs: number): readonly Sample[] {
    return this.#samples.get(keyOf(tag))?.filter((sample) => sample.ts >= epochMs) ?? [];
  }

  forget(tag: Tag): void {
    this.#samples.delete(keyOf(tag));
  }

  onChange(provider: string, source: string, listener: (changes: readonly Change[]) => void): Disposable {
    const key = sourceKey(provider, source);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(key);
      },
    };
  }

  #announce(change: Change): void {
    const key = sourceKey(change.tag.prvdName, change.tag.srcName);
    if (!this.#listeners.has(key)) return;
    if (this.#pending.size === 0) setImmediate(() => this.#flush());
    const batch = this.#pending.get(key);
    if (batch === undefined) this.#pending.set(key, [change]);
    else batch.push(change);
  }

  #flush(): void {
    const batches = this.#pending;
    this.#pending = new Map();
    for (const [key, changes] of batches)
      for (const listener of this.#listeners.get(key) ?? []) listener(changes);
  }
}
