// The last bytes of a stream with their times, from which a failed check takes the lines around it.
import { maskText, type Transcript } from "../../record/index.ts";

/** Size of the stored bytes in all; older chunks are dropped. */
const mostBytes = 256 * 1024;
const linesBefore = 8;
const linesAfter = 4;
const longestLine = 400;

export class StreamLines {
  readonly #openedMs: number;
  readonly #chunks: { readonly bytes: Uint8Array; readonly atMs: number }[] = [];
  #bytes = 0;
  #endedMs: number | undefined;

  constructor(openedMs: number) {
    this.#openedMs = openedMs;
  }

  push(bytes: Uint8Array, atMs: number): void {
    this.#chunks.push({ bytes, atMs });
    this.#bytes += bytes.length;
    while (this.#bytes > mostBytes && this.#chunks.length > 1)
      this.#bytes -= this.#chunks.shift()?.bytes.length ?? 0;
  }

  /** The gateway ended the stream. */
  end(atMs: number): void {
    this.#endedMs ??= atMs;
  }

  /** The lines around the moment, with times after the opening. */
  around(momentMs: number): Transcript {
    const lines = this.#lines();
    const after = lines.findIndex(({ atMs }) => atMs > momentMs);
    const end = after === -1 ? lines.length : after;
    return {
      checkedAtMs: this.#sinceOpening(momentMs),
      ...(this.#endedMs === undefined ? {} : { endedAtMs: this.#sinceOpening(this.#endedMs) }),
      lines: lines
        .slice(Math.max(0, end - linesBefore), end + linesAfter)
        .map(({ atMs, line }) => ({ atMs: this.#sinceOpening(atMs), line: shown(line) })),
    };
  }

  /** Non-empty lines; each has the time at which its end arrived. */
  #lines(): { line: string; atMs: number }[] {
    const found: { line: string; atMs: number }[] = [];
    const decoder = new TextDecoder();
    let rest = "";
    for (const { bytes, atMs } of this.#chunks) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r/);
      rest = parts.pop() ?? "";
      for (const line of parts) if (line !== "") found.push({ line, atMs });
    }
    const last = this.#chunks.at(-1);
    if (rest !== "" && last !== undefined) found.push({ line: rest, atMs: last.atMs });
    return found;
  }

  #sinceOpening(atMs: number): number {
    return Math.round((atMs - this.#openedMs) * 10) / 10;
  }
}

function shown(line: string): string {
  const text = maskText(line);
  return text.length > longestLine ? `${text.slice(0, longestLine)}... (${text.length} characters)` : text;
}
