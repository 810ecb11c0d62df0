// Reads HTTP/1.1 answers from a connection as the bytes arrive, and keeps what a verdict needs. A client library would
// hide defects of an answer, or not send such a request.

export interface ReadAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly body: Buffer;
  /** Whether the connection can carry another request. */
  readonly isReusable: boolean;
  /** Whether the answer announces the end of the connection. */
  readonly isLast: boolean;
}

/** Enough for what was created by the longest texts: its id names what to remove. */
const keptBytes = 2 ** 20;
const maxHeadBytes = 256 * 1024;

/** Reading progress of an answer. */
export type Progress = "no-head" | "in-body" | "whole" | "not-http";

/** One answer, fed with bytes until it is complete. */
export class AnswerReader {
  readonly #isHead: boolean;
  #pending: Buffer = Buffer.alloc(0);
  #status = 0;
  #headers: Record<string, string> = {};
  #body: Buffer = Buffer.alloc(0);
  #left: number | "chunked" | "until-end" = 0;
  #progress: Progress = "no-head";

  /** `isHead`: the request was a HEAD, whose answer has no body. */
  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Bytes after the answer: the beginning of the next one. */
  get rest(): Buffer {
    return this.#pending;
  }

  take(bytes: Buffer): Progress {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    while (this.#progress === "no-head" && this.#readHead());
    if (this.#progress === "in-body") this.#readBody();
    return this.#progress;
  }

  /** The peer closed the connection, which completes a body without a length. */
  end(): Progress {
    if (this.#progress === "in-body" && this.#left === "until-end") this.#progress = "whole";
    return this.#progress;
  }

  /** The answer read; only after its head has arrived. */
  answer(): ReadAnswer {
    const isKept = !/\bclose\b/i.test(this.#headers["connection"] ?? "");
    const isLast = !isKept || this.#status === 101 || this.#left === "until-end";
    const isReusable = this.#progress === "whole" && !isLast && this.#pending.length === 0;
    return { status: this.#status, headers: this.#headers, body: this.#body, isReusable, isLast };
  }

  /** Returns true when an interim answer was read and another head follows. */
  #readHead(): boolean {
    const end = this.#pending.indexOf("\r\n\r\n");
    if (end < 0) {
      const isStatusLine = "HTTP/1.".startsWith(this.#pending.subarray(0, 7).toString("latin1"));
      if (!isStatusLine || this.#pending.length > maxHeadBytes) this.#progress = "not-http";
      return false;
    }
    const [statusLine = "", ...lines] = this.#pending.subarray(0, end).toString("latin1").split("\r\n");
    const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
    if (status === undefined) {
      this.#progress = "not-http";
      return false;
    }
    this.#pending = this.#pending.subarray(end + 4);
    this.#status = Number(status);
    if (this.#status < 200 && this.#status !== 101) return this.#pending.length > 0;
    this.#headers = readHeaders(lines);
    this.#left = this.#bodyLength();
    this.#progress = this.#left === 0 ? "whole" : "in-body";
    return false;
  }

  #bodyLength(): number | "chunked" | "until-end" {
    if (this.#isHead || this.#status < 200 || this.#status === 204 || this.#status === 304) return 0;
    if (/chunked/i.test(this.#headers["transfer-encoding"] ?? "")) return "chunked";
    const length = this.#headers["content-length"];
    return length === undefined ? "until-end" : Number(length);
  }

  #readBody(): void {
    if (this.#left === "chunked") {
      while (this.#readChunk());
      return;
    }
    const take =
      this.#left === "until-end" ? this.#pending.length : Math.min(this.#left, this.#pending.length);
    this.#keep(this.#pending.subarray(0, take));
    this.#pending = this.#pending.subarray(take);
    if (this.#left === "until-end") return;
    this.#left -= take;
    if (this.#left === 0) this.#progress = "whole";
  }

  #readChunk(): boolean {
    const lineEnd = this.#pending.indexOf("\r\n");
    if (lineEnd < 0) return false;
    const size = Number.parseInt(this.#pending.subarray(0, lineEnd).toString("latin1"), 16);
    if (Number.isNaN(size)) {
      this.#progress = "not-http";
      return false;
    }
    const from = lineEnd + 2;
    if (size === 0) return this.#readTrailer(from);
    if (this.#pending.length < from + size + 2) return false;
    this.#keep(this.#pending.subarray(from, from + size));
    this.#pending = this.#pending.subarray(from + size + 2);
    return true;
  }

  /** Fields may follow the last chunk; an empty line ends them. */
  #readTrailer(from: number): false {
    let at = from;
    let end = this.#pending.indexOf("\r\n", at);
    while (end > at) {
      at = end + 2;
      end = this.#pending.indexOf("\r\n", at);
    }
    if (end < 0) return false;
    this.#pending = this.#pending.subarray(end + 2);
    this.#progress = "whole";
    return false;
  }

  #keep(bytes: Buffer): void {
    const room = keptBytes - this.#body.length;
    if (room > 0 && bytes.length > 0) this.#body = Buffer.concat([this.#body, bytes.subarray(0, room)]);
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}
