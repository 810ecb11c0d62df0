// Reads a tag stream the way field clients do: every line that starts with `data:` is JSON, a value or an array. A message
// with a name of its own may be something else, such as a sign of life.
import { parseJson } from "../../record/index.ts";
import { WholeLines } from "./lines.ts";

export interface ValueLinesSink {
  /** One member of a data line: a tag value, or what the gateway sent instead. */
  value(json: unknown, isNamed: boolean): void;
  /** A data line that is not JSON, of a message without a name. */
  malformed(line: string): void;
}

const fieldName = "data:";

export class ValueLines {
  readonly #lines = new WholeLines();
  readonly #sink: ValueLinesSink;
  #isNamed = false;

  constructor(sink: ValueLinesSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    const bytes = this.#lines.take(chunk);
    if (bytes === undefined) return;
    const text = bytes.toString("utf8");
    for (let at = 0; at < text.length;) {
      const end = text.indexOf("\n", at);
      if (text.startsWith(fieldName, at)) this.#read(text.slice(at + fieldName.length, end));
      else if (text.startsWith("event:", at)) this.#isNamed = isOwnName(text.slice(at, end));
      else if (end === at || text.startsWith("\r\n", at)) this.#isNamed = false;
      at = end + 1;
    }
  }

  #read(json: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(json);
    } catch {
      if (!this.#isNamed) this.#sink.malformed(fieldName + json);
      return;
    }
    const exact = isRounded(parsed) ? parseJson(json) : parsed;
    if (Array.isArray(exact)) for (const value of exact) this.#sink.value(value, this.#isNamed);
    else this.#sink.value(exact, this.#isNamed);
  }
}

/** Whether the line gives its message another name than the usual one. */
export const isOwnName = (line: string): boolean =>
  !["", "message"].includes(line.slice("event:".length).trim());

/** Whether a value may have lost digits: only such lines need the slower parser that preserves them. */
function isRounded(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRounded);
  const number = (value as { dataValue?: unknown } | null)?.dataValue;
  return typeof number === "number" && Math.abs(number) > Number.MAX_SAFE_INTEGER;
}
