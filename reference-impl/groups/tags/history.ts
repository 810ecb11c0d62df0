// The last samples of one tag, bounded in number and in text.
import type { TagValue } from "./dataTypes.ts";

export interface Sample {
  readonly value: TagValue;
  /** Milliseconds since the epoch. */
  readonly ts: number;
}

/** A minute of a tag that changes every 100 ms. */
const longestHistory = 600;
const maxTextLength = 128 * 1024;
const compactAfter = 128;

// Two plain arrays of numbers take 16 bytes a sample; 2,048 tags with an object a sample would take 100 MB.
export class History {
  readonly #values: TagValue[] = [];
  readonly #ts: number[] = [];
  #first = 0;
  #textLength = 0;

  push(value: TagValue, ts: number): void {
    this.#values.push(value);
    this.#ts.push(ts);
    if (typeof value === "string") this.#textLength += value.length;
    const isTooMuch = (): boolean =>
      this.#values.length - this.#first > longestHistory ||
      (this.#textLength > maxTextLength && this.#values.length - this.#first > 1);
    while (isTooMuch()) this.#dropFirst();
    if (this.#first >= compactAfter) {
      this.#values.splice(0, this.#first);
      this.#ts.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** The newest sample holds until this time. */
  confirm(ts: number): void {
    if (this.#ts.length > this.#first) this.#ts[this.#ts.length - 1] = ts;
  }

  get latestValue(): TagValue | undefined {
    return this.#values.at(-1);
  }

  get latest(): Sample | undefined {
    const value = this.#values.at(-1);
    const ts = this.#ts.at(-1);
    return value === undefined || ts === undefined ? undefined : { value, ts };
  }

  /** Samples since the instant, in the order in which they came. */
  since(epochMs: number): Sample[] {
    const samples: Sample[] = [];
    for (let index = this.#first; index < this.#ts.length; index++) {
      const value = this.#values[index];
      const ts = this.#ts[index];
      if (value !== undefined && ts !== undefined && ts >= epochMs) samples.push({ value, ts });
    }
    return samples;
  }

  #dropFirst(): void {
    const dropped = this.#values[this.#first];
    if (typeof dropped === "string") {
      this.#textLength -= dropped.length;
      this.#values[this.#first] = "";
    }
    this.#first += 1;
  }
}
