// Holds an answer back until it is whole, so that it can be changed before it goes out. Streams go on at once.
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Manner, StreamFilter, VariedAnswer } from "./behaviour.ts";

interface Holding {
  /** Changes a whole answer and says how it is sent. */
  readonly change: (answer: VariedAnswer) => Manner;
  /** Changes the head of a stream, whose body stays empty. */
  readonly changeHead: (answer: VariedAnswer) => void;
  /** What a stream's text goes through. */
  readonly filter: () => StreamFilter | undefined;
  readonly isStreamInPieces: boolean;
}

const mostPieces = 160;

/** From now on what is written to the response goes through the holding. */
export function hold(response: ServerResponse, holding: Holding): void {
  const writeHead = response.writeHead.bind(response);
  const write = response.write.bind(response) as (chunk: Buffer | string) => boolean;
  const end = response.end.bind(response) as (chunk?: Buffer | string) => ServerResponse;
  const flushHeaders = response.flushHeaders.bind(response);
  let answer: VariedAnswer | undefined;
  let stream: ((text: string) => void) | undefined;
  const chunks: Buffer[] = [];
  let isEnded = false;

  const begin = (status: number, given: OutgoingHttpHeaders): void => {
    answer = { status, headers: headersOf({ ...response.getHeaders(), ...given }), body: Buffer.alloc(0) };
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    const type = answer.headers.get("content-type");
    if (typeof type !== "string" || !type.startsWith("text/event-stream")) return;
    holding.changeHead(answer);
    writeHead(answer.status, headerList(answer.headers));
    const filter = holding.filter() ?? ((text) => text);
    stream = holding.isStreamInPieces
      ? inPieces(write, () => end())
      : (text) => void (text === "" ? end() : write(text));
    const send = stream;
    stream = (text) => {
      if (text === "") send("");
      else {
        const filtered = filter(text);
        if (filtered !== "") send(filtered);
      }
    };
  };
  const finish = async (whole: VariedAnswer): Promise<void> => {
    whole.body = Buffer.concat(chunks);
    const manner = holding.change(whole);
    if (manner.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, manner.delayMs));
    if (response.destroyed) return;
    // Of an answer that waits for another on its connection, Node.js would send the head before the hint.
    if (manner.hasEarlyHints === true && response.socket !== null)
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    await send(whole, manner);
  };
  const send = async ({ status, headers, body }: VariedAnswer, wanted: Manner): Promise<void> => {
    const hasContent = status !== 204 && status !== 304;
    // Without content there is nothing to frame; nor does an answer to HEAD have any, whatever its length says.
    const manner: Manner = hasContent && response.req.method !== "HEAD" ? wanted : {};
    for (const name of headers.keys()) if (name.toLowerCase() === "content-length") headers.delete(name);
    if (hasContent && manner.framing === undefined) headers.set("content-length", String(body.length));
    if (manner.framing === "trailers") headers.set("trailer", "x-checksum");
    writeHead(status, headerList(headers));
    if (manner.framing === "bytewise") {
      for (const piece of pieces(body, mostPieces)) {
        if (response.destroyed) return;
        write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      end();
      return;
    }
    if (manner.framing === "trailers") response.addTrailers({ "x-checksum": String(body.length) });
    if (manner.framing !== undefined && body.length > 0) write(body);
    if (manner.framing !== undefined || !hasContent) end();
    else end(body);
  };

  const head = (status: number, ...rest: unknown[]): ServerResponse => {
    const headers = rest.find((part) => typeof part === "object" && part !== null);
    begin(status, (headers ?? {}) as OutgoingHttpHeaders);
    return response;
  };
  const take = (chunk: unknown): void => {
    if (answer === undefined) begin(response.statusCode, {});
    if (chunk === undefined || chunk === null || typeof chunk === "function") return;
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk as Uint8Array);
    if (stream === undefined) chunks.push(bytes);
    else if (bytes.length > 0) stream(bytes.toString());
  };
  Object.assign(response, {
    writeHead: head,
    flushHeaders: () => void (stream !== undefined && flushHeaders()),
    write(chunk: unknown, ...rest: unknown[]) {
      take(chunk);
      callBack(rest);
      return true;
    },
    end(chunk?: unknown, ...rest: unknown[]) {
      if (isEnded) return response;
      take(chunk);
      isEnded = true;
      if (stream !== undefined) stream("");
      else if (answer !== undefined) finish(answer).catch(() => response.destroy());
      callBack([chunk, ...rest]);
      return response;
    },
  });
  // Whoever asks must not begin a second answer while the first is held.
  Object.defineProperty(response, "headersSent", { get: () => answer !== undefined });
}

function callBack(words: readonly unknown[]): void {
  const last = words.findLast((word) => typeof word === "function") as (() => void) | undefined;
  if (last !== undefined) queueMicrotask(last);
}

function headersOf(headers: OutgoingHttpHeaders): VariedAnswer["headers"] {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name.toLowerCase(), Array.isArray(value) ? value : String(value)] as const],
    ),
  );
}

function headerList(headers: VariedAnswer["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(headers);
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
function inPieces(write: (chunk: Buffer) => unknown, end: () => void): (text: string) => void {
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
      later(() => void write(piece));
    }
  };
}
