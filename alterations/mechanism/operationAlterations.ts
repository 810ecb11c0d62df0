// Alterations of operations: what is done to calls and answers, by operation. They work inside the reference gateway and
// in a proxy in front of any other.
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type ExtensionId, publishedExtensions } from "../../interface/binding.ts";
import { type OperationId, operationIds } from "../../interface/operations/index.ts";
import type { Answer, Call, Handler, Handlers, StreamSink } from "../../reference-impl/http/handler.ts";
import { type Fields, fields } from "./edits.ts";

export type CallId = OperationId | ExtensionId;
type Ids = CallId | readonly CallId[];
type Next = (call: Call) => Promise<Answer>;
/** Calls another operation, unaltered, for the same caller. */
type Ask = (id: CallId, inputs?: Partial<Pick<Call, "path" | "query" | "body">>) => Promise<Answer>;
/** A step around an operation: it may change the call or the answer, or leave the operation out. */
export type Step = (call: Call, proceed: Next, ask: Ask) => Answer | Promise<Answer>;

/** Every operation. */
export const everywhere: readonly OperationId[] = operationIds;
/** Every operation and extension. */
export const everyCall: readonly CallId[] = [
  ...operationIds,
  ...(Object.keys(publishedExtensions) as ExtensionId[]),
];

export class OperationAlterations {
  readonly #steps: { readonly ids: ReadonlySet<string>; readonly step: Step }[] = [];

  around(ids: Ids, step: Step): void {
    this.#steps.push({ ids: new Set(typeof ids === "string" ? [ids] : ids), step });
  }

  /** Changes the JSON of successful answers. */
  answer(ids: Ids, edit: (body: Fields, call: Call) => unknown): void {
    this.around(ids, async (call, proceed) => {
      const answer = await proceed(call);
      return answer.kind === "json" ? { ...answer, body: edit(fields(answer.body), call) } : answer;
    });
  }

  /** Changes `data` of successful answers: the value itself, or each item of a list. */
  data(ids: Ids, edit: (item: Fields, call: Call) => Fields): void {
    this.answer(ids, (body, call) => ({
      ...body,
      data: Array.isArray(body["data"])
        ? body["data"].map((item) => edit(fields(item), call))
        : edit(fields(body["data"]), call),
    }));
  }

  /** Changes the body of valid requests. */
  body(ids: Ids, edit: (body: Fields, call: Call) => Fields): void {
    this.around(ids, (call, proceed) => proceed(changed(call, { body: edit({ ...call.body }, call) })));
  }

  query(ids: Ids, edit: (query: Fields, call: Call) => Fields): void {
    this.around(ids, (call, proceed) => proceed(changed(call, { query: edit({ ...call.query }, call) })));
  }

  /** Changes the bytes of downloaded files. */
  file(ids: Ids, edit: (content: Buffer, call: Call) => Buffer): void {
    this.around(ids, async (call, proceed) => {
      const answer = await proceed(call);
      if (answer.kind !== "file") return answer;
      return { ...answer, content: edit(await bytesOf(answer.content), call) };
    });
  }

  /** Changes the frames of streams: text up to the empty line, not included, becomes any number of others. */
  frames(ids: Ids, edit: (frame: string, call: Call, waitingBytes: number) => readonly string[]): void {
    this.around(ids, async (call, proceed) => {
      const answer = await proceed(call);
      if (answer.kind !== "stream") return answer;
      return {
        ...answer,
        run: (sink) => answer.run(framewise(sink, (frame) => edit(frame, call, sink.writableLength))),
      };
    });
  }

  /** Whether anything is altered about the operation. */
  alters(id: CallId): boolean {
    return this.#steps.some(({ ids }) => ids.has(id));
  }

  /** The handlers with the steps around them, later ones outside. */
  alteredHandlers(handlers: Handlers): Handlers {
    const entries = Object.entries(handlers).map(([id, handler]) => {
      const steps = this.#steps.filter(({ ids }) => ids.has(id));
      return [id, steps.reduce<Handler>((inner, { step }) => around(inner, step, handlers), handler)];
    });
    return Object.fromEntries(entries) as Handlers;
  }
}

/** The call with other parts; its signal is read only on demand, as in the original. */
export function changed(call: Call, parts: Partial<Omit<Call, "signal">>): Call {
  return Object.create(
    call,
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { value, enumerable: true }])),
  ) as Call;
}

function around(inner: Handler, step: Step, handlers: Handlers): Handler {
  return (call) =>
    step(
      call,
      async (given) => inner(given),
      async (id, inputs) => {
        const handler = handlers[id];
        if (handler === undefined) throw new Error(`the gateway does not serve ${id}`);
        return handler(changed(call, { path: {}, query: {}, body: {}, files: [], ...inputs }));
      },
    );
}

function bytesOf(content: Buffer | Readable): Promise<Buffer> {
  return Buffer.isBuffer(content) ? Promise.resolve(content) : buffer(content);
}

/** A sink whose writes are edited frame by frame; streams write whole frames. */
function framewise(sink: StreamSink, edit: (frame: string) => readonly string[]): StreamSink {
  const edited: StreamSink = {
    writeHead(status, headers) {
      sink.writeHead(status, headers);
      return edited;
    },
    flushHeaders: () => sink.flushHeaders(),
    write(chunk) {
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      const frames = text.split("\n\n").slice(0, -1).flatMap(edit);
      return frames.length === 0 || sink.write(frames.map((frame) => `${frame}\n\n`).join(""));
    },
    end: () => sink.end(),
    destroy: () => sink.destroy(),
    get writableLength() {
      return sink.writableLength;
    },
    once: (event, listener) => sink.once(event, listener),
    on: (event, listener) => sink.on(event, listener),
  };
  return edited;
}
