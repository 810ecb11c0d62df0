// How a tag value is written: the same text in a monitor's answer and on a stream.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import type { Change } from "./values.ts";

const frames = new WeakMap<Tag, { head: string; tail: string }>();

/** One value of a stream: a `data:` line and an empty one. */
function frame({ tag, value, ts }: Change): string {
  let known = frames.get(tag);
  if (known === undefined) {
    const { prvdName, srcName, tagName, dataType, dataUnit } = tag;
    const before = JSON.stringify({ prvdName, srcName, tagName, dataType }).slice(0, -1);
    known = {
      head: `data:${before},"dataValue":`,
      tail: `,"dataUnit":${JSON.stringify(dataUnit)},"ts":`,
    };
    frames.set(tag, known);
  }
  return `${known.head}${literal(value)}${known.tail}${ts}}\n\n`;
}

/** All changes of a batch in one buffer, which any number of clients may be sent. */
export function framesOf(changes: readonly Change[]): Buffer {
  let text = "";
  for (const change of changes) text += frame(change);
  return Buffer.from(text);
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
