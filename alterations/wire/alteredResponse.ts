// A response that is held back until it is whole, so that it can be changed before it goes out. Streams pass at once.
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import type { Sending, StreamFilter, WireAnswer } from "./wireEdits.ts";

interface ResponseEdits {
  /** Changes a whole answer; answers how it is sent. */
  readonly change: (answer: WireAnswer) => Sending;
  /** Changes the head of a stream, whose body stays empty. */
  readonly changeHead: (answer: WireAnswer) => void;
  /** What a stream's text goes through. */
  readonly filter: () => StreamFilter | undefined;
  readonly isStreamInPieces: boolean;
}

const mostPieces = 160;

type HeadPart = string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

export class AlteredResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  #edits: ResponseEdits | undefined;
  #answer: WireAnswer | undefined;
  #stream: ((text: string) => void) | undefined;
  readonly #chunks: Buffer[] = [];
  #isEnded = false;

  /** From now on what is written goes through the edits. */
  alter(edits: ResponseEdits): void {
    this.#edits = edits;
    // Whoever asks must not begin a second answer while the first is held back.
    Object.defineProperty(this, "headersSent", { get: () => this.#answer !== undefined });
  }

  override writeHead(status: number, ...rest: HeadPart[]): this {
    const headers = rest.find(areHeaders) ?? {};
    if (this.#edits === undefined) super.writeHead(status, headers);
    else this.#begin(this.#edits, status, headers);
    return this;
  }

  override flushHeaders(): void {
    if (this.#edits === undefined || this.#stream !== undefined) super.flushHeaders();
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    if (this.#edits === undefined) return super.write(chunk, callbackOf(rest));
    this.#take(this.#edits, chunk);
    callBack(rest);
    return true;
  }

  override end(chunk?: unknown, ...rest: unknown[]): this {
    if (this.#edits === undefined) return this.#endPlainly(chunk, rest);
    if (this.#isEnded) return this;
    this.#take(this.#edits, chunk);
    this.#isEnded = true;
    if (this.#stream !== undefined) this.#stream("");
    else if (this.#answer !== undefined) this.#finish(this.#edits, this.#answer).catch(() => this.destroy());
    callBack([chunk, ...rest]);
    return this;
  }

  #endPlainly(chunk: unknown, rest: readonly unknown[]): this {
    const callback = callbackOf([chunk, ...rest]);
    return typeof chunk === "function" || chunk === undefined
      ? super.end(callback)
      : super.end(chunk, callback);
  }

  #begin(
    { changeHead, filter, isStreamInPieces }: ResponseEdits,
    status: number,
    given: OutgoingHttpHeaders,
  ): void {
    const headers = headersOf({ ...this.getHeaders(), ...given });
    this.#answer = { status, headers, body: Buffer.alloc(0) };
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    const type = headers.get("content-type");
    if (typeof type !== "string" || !type.startsWith("text/event-stream")) return;
    changeHead(this.#answer);
    super.writeHead(this.#answer.status, Object.fromEntries(headers));
    const edit = filter() ?? ((text) => text);
    const write = (chunk: Buffer | string): void => void super.write(chunk);
    const end = (): void => void super.end();
    const send = isStreamInPieces
      ? inPieces(write, end)
      : (text: string): void => (text === "" ? end() : write(text));
    this.#stream = (text) => {
      const edited = text === "" ? "" : edit(text);
      if (text === "" || edited !== "") send(edited);
    };
  }

  #take(edits: ResponseEdits, chunk: unknown): void {
    if (this.#answer === undefined) this.#begin(edits, this.statusCode, {});
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    const bytes = Buffer.from(chunk);
    if (this.#stream === undefined) this.#chunks.push(bytes);
    else if (bytes.length > 0) this.#stream(bytes.toString());
  }

  async #finish({ change }: ResponseEdits, answer: WireAnswer): Promise<void> {
    answer.body = Buffer.concat(this.#chunks);
    const sending = change(answer);
    if (sending.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, sending.delayMs));
    if (this.destroyed) return;
    // Of an answer that waits for another on its connection, Node.js would send the head before the hint.
    if (sending.hasEarlyHints === true && this.socket !== null)
      this.writeEarlyHints({ link: "</style.css>; rel=preload" });
    await this.#send(answer, sending);
  }

  async #send({ status, headers, body }: WireAnswer, wanted: Sending): Promise<void> {
    const hasContent = status !== 204 && status !== 304;
    // Without content there is no framing; an answer to HEAD has none, whatever its length says.
    const { framing }: Sending = hasContent && this.req.method !== "HEAD" ? wanted : {};
    for (const name of headers.keys()) if (name.toLowerCase() === "content-length") headers.delete(name);
    if (hasContent && framing === undefined) headers.set("content-length", String(body.length));
    if (framing === "trailers") headers.set("trailer", "x-checksum");
    super.writeHead(status, Object.fromEntries(headers));
    if (framing === "bytewise") {
      for (const piece of pieces(body, mostPieces)) {
        if (this.destroyed) return;
        super.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      super.end();
      return;
    }
    if (framing === "trailers") this.addTrailers({ "x-checksum": String(body.length) });
    if (framing !== undefined && body.length > 0) super.write(body);
    if (framing !== undefined || !hasContent) super.end();
    else super.end(body);
  }
}

function areHeaders(part: HeadPart): part is OutgoingHttpHeaders {
  return typeof part === "object" && !Array.isArray(part);
}

function callbackOf(words: readonly unknown[]): (() => void) | undefined {
  return words.findLast((word): word is () => void => typeof word === "function");
}

function callBack(words: readonly unknown[]): void {
  const callback = callbackOf(words);
  if (callback !== undefined) queueMicrotask(callback);
}

function headersOf(headers: OutgoingHttpHeaders): WireAnswer["headers"] {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name.toLowerCase(), Array.isArray(value) ? value : String(value)] as const],
    ),
  );
}

/** The bytes in pieces: the first ones single, the others so large that there are not too many. */
function* pieces(bytes: Buffer, most: number): Generator<Buffer> {
  const step = Math.max(1, Math.ceil((bytes.length - most / 2) / (most / 2)));
  for (let at = 0; at < bytes.length;) {
    const length = at < most / 2 ? 1 : step;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

/** Writes each text in three pieces, one a turn, in the order in which they came; an empty text ends the stream. */
function inPieces(write: (chunk: Buffer) => void, end: () => void): (text: string) => void {
  let turn: Promise<void> = Promise.resolve();
  const later = (action: () => void): void => {
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          setImmediate(() => {
            action();
            resolve();
          });
        }),
    );
  };
  return (text) => {
    if (text === "") return later(end);
    const bytes = Buffer.from(text);
    const third = Math.ceil(bytes.length / 3);
    for (let at = 0; at < bytes.length; at += third) {
      const piece = bytes.subarray(at, at + third);
      later(() => write(piece));
    }
  };
}
