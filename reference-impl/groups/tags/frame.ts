// How a tag value is written: the same text in a monitor's answer and on a stream. Streams are put together as bytes:
// what stays the same of a tag is copied, which takes an eighth of the time that joining and encoding text takes.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import type { Change } from "./values.ts";

interface Shape {
  /** `data:` and the value's members up to its value. */
  readonly head: Buffer;
  /** What stands between the value and its time. */
  readonly middle: Buffer;
}

const shapes = new WeakMap<Tag, Shape>();
const zero = 0x30;
const largestPlain = 2 ** 31 - 1;
const mostBytesOfNumber = 32;
const firstBytes = 64 * 1024;

function shapeOf(tag: Tag): Shape {
  let shape = shapes.get(tag);
  if (shape === undefined) {
    const { prvdName, srcName, tagName, dataType, dataUnit } = tag;
    const before = JSON.stringify({ prvdName, srcName, tagName, dataType }).slice(0, -1);
    shape = {
      head: Buffer.from(`data:${before},"dataValue":`),
      middle: Buffer.from(`,"dataUnit":${JSON.stringify(dataUnit)},"ts":`),
    };
    shapes.set(tag, shape);
  }
  return shape;
}

/** Bytes that grow; reused, so that a batch needs no other memory. */
class Scratch {
  #bytes = Buffer.allocUnsafe(firstBytes);
  length = 0;

  copy(part: Buffer): void {
    this.#room(part.length);
    this.#bytes.set(part, this.length);
    this.length += part.length;
  }

  text(text: string): void {
    this.#room(text.length * 3);
    this.length += this.#bytes.write(text, this.length, "utf8");
  }

  /** Digits of a whole number from 0 to 2^31-1. */
  digits(number: number): void {
    this.#room(mostBytesOfNumber);
    let digits = 1;
    for (let limit = 10; number >= limit; limit *= 10) digits += 1;
    let left = number;
    for (let index = this.length + digits - 1; index >= this.length; index--) {
      this.#bytes[index] = zero + (left % 10);
      left = Math.floor(left / 10);
    }
    this.length += digits;
  }

  /** A copy of what was written; the next batch begins anew. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  #room(bytes: number): void {
    if (this.length + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + bytes));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

const scratch = new Scratch();

/** All changes of a batch in one buffer, which any number of clients may be sent: for each a `data:` line and an empty one. */
export function framesOf(changes: readonly Change[]): Buffer {
  let end: Buffer | undefined;
  let endTs = Number.NaN;
  for (const { tag, value, ts } of changes) {
    const { head, middle } = shapeOf(tag);
    scratch.copy(head);
    if (
      typeof value === "number" &&
      value >= 0 &&
      value <= largestPlain &&
      Number.isInteger(value) &&
      !Object.is(value, -0)
    )
      scratch.digits(value);
    else scratch.text(literal(value));
    scratch.copy(middle);
    // Most changes of a batch came at the same time.
    if (end === undefined || ts !== endTs) {
      end = Buffer.from(`${ts}}\n\n`);
      endTs = ts;
    }
    scratch.copy(end);
  }
  return scratch.take();
}

/** A tag value as JSON: every digit of a 64-bit integer, and the sign of a zero. */
export function literal(value: TagValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "number") return String(value);
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(value) : "null";
}

/** A monitored value as the interface shows it. */
export function show({ tag, value, ts }: Change): object {
  const { prvdName, srcName, tagName, dataType, dataUnit } = tag;
  return { prvdName, srcName, tagName, dataType, dataValue: value, dataUnit, ts };
}
