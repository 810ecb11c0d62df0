// Present values and a bounded history per tag, and the listeners for changes: in batches, per source.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import { History, type Sample } from "./history.ts";
import { keyOf, sourceKey } from "./names.ts";

export interface Change extends Sample {
  readonly tag: Tag;
}

type Listener = (changes: readonly Change[]) => void;
type Enter = (tag: Tag, value: TagValue, ts: number) => void;

/** Gets every value on its way into the table; what it hands to `enter` is taken. */
export type Intake = (tag: Tag, value: TagValue, ts: number, enter: Enter) => void;

/** What is stored of one tag, found by the tag itself: names are put together once, not at every value. */
interface Cell {
  readonly history: History;
  readonly source: Source;
}

/** Who listens to a source, and what they have not heard of yet. */
interface Source {
  readonly listeners: Set<Listener>;
  pending: Change[];
}

/** The values of all tags. Providers set them; readers, monitors and streams take them from here. */
export class ValueTable {
  readonly #histories = new Map<string, History>();
  readonly #sources = new Map<string, Source>();
  #cells = new WeakMap<Tag, Cell>();
  #pending: Source[] = [];
  readonly #intake: Intake | undefined;

  constructor(intake?: Intake) {
    this.#intake = intake;
  }

  /** Takes a value; listeners of the source are called in the same turn of the loop, all changes at once. */
  set(tag: Tag, value: TagValue, ts: number): void {
    if (this.#intake === undefined) this.#enter(tag, value, ts);
    else this.#intake(tag, value, ts, (...given) => this.#enter(...given));
  }

  /** The value is still what it was, at this time. */
  confirm(tag: Tag, ts: number): void {
    (this.#cells.get(tag)?.history ?? this.#histories.get(keyOf(tag)))?.confirm(ts);
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
    this.#cells = new WeakMap();
  }

  /** Tells the listener of every change of a value from now on, in order. */
  onChange(provider: string, source: string, listener: Listener): Disposable {
    const { listeners } = this.#source(sourceKey(provider, source));
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  /** Tells of the changes so far at once: who reads present values next will not hear of them again. */
  flush(): void {
    const sources = this.#pending;
    if (sources.length === 0) return;
    this.#pending = [];
    for (const source of sources) {
      const changes = source.pending;
      source.pending = [];
      for (const listener of source.listeners) listener(changes);
    }
  }

  #enter(tag: Tag, value: TagValue, ts: number): void {
    const { history, source } = this.#cell(tag);
    // Two NaNs are no change; a zero with another sign is one.
    const isChange = !Object.is(history.latestValue, value);
    history.push(value, ts);
    if (isChange && source.listeners.size > 0) this.#announce(source, { tag, value, ts });
  }

  #announce(source: Source, change: Change): void {
    if (this.#pending.length === 0) setImmediate(() => this.flush());
    if (source.pending.length === 0) this.#pending.push(source);
    source.pending.push(change);
  }

  #cell(tag: Tag): Cell {
    let cell = this.#cells.get(tag);
    if (cell === undefined) {
      const key = keyOf(tag);
      let history = this.#histories.get(key);
      if (history === undefined) this.#histories.set(key, (history = new History()));
      cell = { history, source: this.#source(sourceKey(tag.prvdName, tag.srcName)) };
      this.#cells.set(tag, cell);
    }
    return cell;
  }

  #source(key: string): Source {
    let source = this.#sources.get(key);
    if (source === undefined) this.#sources.set(key, (source = { listeners: new Set(), pending: [] }));
    return source;
  }
}
