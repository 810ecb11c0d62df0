// `compute=diff`: what a value moved by since the one sent before.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import type { Change } from "./values.ts";

/** Remembers the last sent value of each tag. */
export class Differences {
  readonly #last = new WeakMap<Tag, TagValue>();

  /** The changes as differences; the first value of a tag, and what has no difference, stays as it is. */
  of(changes: readonly Change[]): Change[] {
    return changes.map((change) => {
      const before = this.#last.get(change.tag);
      this.#last.set(change.tag, change.value);
      return before === undefined ? change : { ...change, value: difference(change.value, before) };
    });
  }
}

function difference(value: TagValue, before: TagValue): TagValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof before === "string" || typeof before === "boolean") return value;
  if (typeof value === "number" && typeof before === "number") {
    const plain = value - before;
    // Two integers that a double holds may lie further apart than a double holds.
    if (!Number.isInteger(value) || !Number.isInteger(before) || Number.isSafeInteger(plain)) return plain;
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(before)) return plain;
  }
  const exact = BigInt(value) - BigInt(before);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}
