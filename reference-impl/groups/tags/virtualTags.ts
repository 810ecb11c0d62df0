// Tags that users define.
import type { Tag, VirtualTagInput } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import { badInput, notFound } from "../../base/refusal.ts";
import type { Store } from "../../store/store.ts";
import { type TagValue, toTagValue, zeroOf } from "./dataTypes.ts";
import type { Sample } from "./history.ts";
import { keyOf, type TagName } from "./names.ts";
import type { ValueTable } from "./values.ts";
import { mostVirtualTags, toTag, toTags } from "./virtualTagDocument.ts";
import { VirtualTagStore } from "./virtualTagStore.ts";

/** The virtual tags: definitions and last values are durable when a call returns. */
export class VirtualTags {
  readonly #store: VirtualTagStore;
  readonly #values: ValueTable;
  readonly #clock: Clock;
  readonly #isReserved: (provider: string) => boolean;
  readonly #tags = new Map<string, Tag>();

  /** `isReserved` tells the names of built-in providers, which no virtual tag may take. */
  constructor(store: Store, values: ValueTable, clock: Clock, isReserved: (provider: string) => boolean) {
    this.#store = new VirtualTagStore(store);
    this.#values = values;
    this.#clock = clock;
    this.#isReserved = isReserved;
    for (const { tag, sample } of this.#store.all(clock.nowMs())) {
      this.#tags.set(keyOf(tag), tag);
      values.set(tag, sample.value, sample.ts);
    }
  }

  all(): Tag[] {
    return [...this.#tags.values()];
  }

  find(name: TagName): Tag | undefined {
    return this.#tags.get(keyOf(name));
  }

  /** Endpoints 13, Create virtual tag; 400 when there is one of the name. */
  create(input: VirtualTagInput): Tag {
    const tag = toTag(input, this.#isReserved);
    if (this.#tags.has(keyOf(tag)))
      throw badInput(`tagName: the virtual tag ${shortName(tag)} exists already`);
    if (this.#tags.size >= mostVirtualTags)
      throw badInput(`tagName: the gateway holds at most ${mostVirtualTags} virtual tags`);
    this.#put(tag, { value: zeroOf(tag.dataType), ts: this.#clock.nowMs() });
    return tag;
  }

  /** Endpoints 13, Update virtual tag; 404 when there is none of the name. A value that still fits stays. */
  update(input: VirtualTagInput): Tag {
    const present = this.#require(input);
    const tag = toTag({ ...present, ...input }, this.#isReserved);
    const sample = this.#values.latest(present);
    if (sample !== undefined && tag.dataType === present.dataType && fits(tag, sample.value)) {
      this.#store.put(tag, sample);
      this.#tags.set(keyOf(tag), tag);
      return tag;
    }
    this.#values.forget(present);
    this.#put(tag, { value: zeroOf(tag.dataType), ts: this.#clock.nowMs() });
    return tag;
  }

  /** Endpoints 13, Delete virtual tag: answers those that remain; 404 when there is none of the name. */
  delete(name: TagName): Tag[] {
    const tag = this.#require(name);
    this.#store.delete(tag);
    this.#tags.delete(keyOf(tag));
    this.#values.forget(tag);
    return this.all();
  }

  /** Takes a value that was checked. */
  write(tag: Tag, value: TagValue): void {
    const ts = this.#clock.nowMs();
    this.#store.write(tag, { value, ts });
    this.#values.set(tag, value, ts);
  }

  /** Throws a Refusal unless the document has valid definitions. */
  check(document: unknown): void {
    toTags(document, this.#isReserved);
  }

  /** Stores the definitions of a checked document; in effect at the next boot. */
  replaceAll(document: unknown): void {
    this.#store.replaceAll(toTags(document, this.#isReserved), this.#clock.nowMs());
  }

  clear(): void {
    this.#store.clear();
    for (const tag of this.#tags.values()) this.#values.forget(tag);
    this.#tags.clear();
  }

  #require(name: TagName): Tag {
    const tag = this.find(name);
    if (tag === undefined) throw notFound(`the virtual tag ${shortName(name)}`);
    return tag;
  }

  #put(tag: Tag, sample: Sample): void {
    this.#store.put(tag, sample);
    this.#tags.set(keyOf(tag), tag);
    this.#values.set(tag, sample.value, sample.ts);
  }
}

function fits(tag: Tag, value: TagValue): boolean {
  try {
    toTagValue(tag.dataType, tag.dataSize, value);
    return true;
  } catch {
    return false;
  }
}

/** A name for a message: whole names may have 1024 characters in each part. */
function shortName({ prvdName, srcName, tagName }: TagName): string {
  return [prvdName, srcName, tagName]
    .map((part) => (part.length > 64 ? `${part.slice(0, 61)}...` : part))
    .join("/");
}
