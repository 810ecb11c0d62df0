// Records everything that a case observes while it runs, so that it can be judged again without the gateway.
import {
  type Clock,
  type OpenStream,
  type Tape,
  type TapedStream,
  type Transport,
  type WireAnswer,
  type WireRequest,
  explain,
} from "../../harness/index.ts";
import { type NewEntry, encodeValue, packText } from "../../record/index.ts";

/** Where a campaign records its evidence. */
export interface CampaignLog {
  readonly add: (entry: NewEntry, contents?: Readonly<Record<string, string>>) => void;
  readonly maskText: (text: string) => string;
  readonly maskHeaders: (headers: Readonly<Record<string, string>>) => Record<string, string>;
}

/** Tag values contain no secrets; masking every line of a load would cost more than recording it. */
const unmaskedStreams: ReadonlySet<string> = new Set(["monitorTags"]);

export class RecordingTape implements Tape {
  readonly clock: Clock;
  readonly #transport: Transport;
  readonly #case: string;
  readonly #evidence: CampaignLog;
  readonly #reads = new Map<string, unknown[]>();
  #streams = 0;
  #feeds = 0;
  #isEnded = false;

  constructor(transport: Transport, caseId: string, evidence: CampaignLog) {
    this.#transport = transport;
    this.#case = caseId;
    this.#evidence = evidence;
    const { clock } = transport;
    this.clock = {
      nowMs: () => clock.nowMs(),
      // Cases send it, therefore a replayed case needs the same.
      epochMs: () => this.read("wall clock", () => clock.epochMs()),
      delay: async (delayMs, signal) => {
        const ended = this.#place(`delay ${delayMs}`);
        await clock.delay(delayMs, signal);
        ended(clock.nowMs());
      },
    };
  }

  async ask<T>(key: string, live: () => Promise<T>): Promise<T> {
    const startedMs = this.clock.nowMs();
    try {
      const value = await live();
      this.#add({ kind: "outside", key, startedMs }, { value });
      return value;
    } catch (thrown) {
      this.#add({ kind: "outside", key, startedMs, isThrown: true }, { value: thrown });
      throw thrown;
    }
  }

  read<T>(key: string, live: () => T): T {
    const value = live();
    // What is read may change later.
    this.#place(key)(this.clock.nowMs(), encodeValue(value));
    return value;
  }

  feed<T, R>(key: string, sink: (item: T) => void, live: (sink: (item: T) => void) => R): R {
    const number = (this.#feeds += 1);
    return live((item) => {
      this.#add({ kind: "feed", key, number }, { value: item });
      sink(item);
    });
  }

  async send(request: WireRequest, number: number): Promise<WireAnswer> {
    const answered = await this.#transport.send(request, number);
    const { status, headers, bytes, exchange } = answered;
    const { startedMs, durationMs, noAnswer } = exchange;
    const { text, isBase64 } = this.#bodyText(bytes);
    this.#addExchange(request, {
      number,
      startedMs,
      durationMs,
      ...(noAnswer === undefined
        ? {
            answer: {
              status,
              headers: this.#evidence.maskHeaders(headers),
              bodyBytes: bytes.length,
              ...(isBase64 ? { isBase64 } : {}),
            },
            body: text,
          }
        : { noAnswer: { ...noAnswer, message: this.#evidence.maskText(noAnswer.message) } }),
    });
    return answered;
  }

  async open<B>(
    request: WireRequest,
    _signal: AbortSignal,
    live: () => Promise<OpenStream<B>>,
  ): Promise<TapedStream<B>> {
    const stream = (this.#streams += 1);
    const startedMs = this.clock.nowMs();
    const lasted = (): number => this.clock.nowMs() - startedMs;
    let opened: OpenStream<B>;
    try {
      opened = await live();
    } catch (thrown) {
      const noAnswer = explain(thrown);
      this.#addExchange(request, { number: 0, startedMs, durationMs: lasted(), noAnswer });
      throw thrown;
    }
    const { status } = opened;
    const headers = this.#evidence.maskHeaders(opened.headers);
    this.#addExchange(request, {
      number: 0,
      startedMs,
      durationMs: lasted(),
      answer: { status, headers, bodyBytes: 0, stream },
    });
    const mask = unmaskedStreams.has(request.operation)
      ? (text: string) => text
      : (text: string) => this.#evidence.maskText(text);
    return {
      ...opened,
      received: (chunk) => {
        const { text, isBase64 } = textOf(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        const packed = packText(isBase64 ? text : mask(text));
        this.#addRaw(
          {
            kind: "stream",
            stream,
            ...(isBase64 ? { isBase64 } : {}),
            ...(packed.isPacked ? { isPacked: true } : {}),
          },
          { bytes: packed.text },
        );
      },
      ended: () => this.#addRaw({ kind: "stream", stream, isEnd: true }, {}),
    };
  }

  /** Writes what was only counted; nothing is recorded any more. */
  end(): void {
    for (const [key, values] of this.#reads)
      this.#addRaw(
        { kind: "reads", key },
        { value: this.#evidence.maskText(`[${values.map(rowText).join(",")}]`) },
      );
    this.#isEnded = true;
  }

  /** Keeps the place of a value among those with the same key, in the order in which they were asked for. */
  #place(key: string): (atMs: number, text?: string) => void {
    const values = this.#reads.get(key) ?? [];
    this.#reads.set(key, values);
    const index = values.push(undefined) - 1;
    return (atMs, text) => {
      values[index] = text === undefined ? [atMs] : [atMs, text];
    };
  }

  #addExchange(
    request: WireRequest,
    {
      body,
      ...rest
    }: Omit<ExchangePart, "kind" | "case" | "atMs" | "operation" | "session" | "request"> & {
      readonly body?: string;
    },
  ): void {
    const { operation, session, method, origin, path, headers } = request;
    const shown = bodyShown(request);
    const { maskText, maskHeaders } = this.#evidence;
    this.#addRaw(
      {
        kind: "exchange",
        operation,
        session,
        request: { method, url: maskText(origin + path), headers: maskHeaders(headers) },
        ...rest,
      },
      {
        ...(shown === undefined ? {} : { request: maskText(shown) }),
        ...(body === undefined ? {} : { answer: body }),
      },
    );
  }

  #bodyText(bytes: Buffer): { text: string; isBase64: boolean } {
    const { text, isBase64 } = textOf(bytes);
    return { text: isBase64 ? text : this.#evidence.maskText(text), isBase64 };
  }

  #add(part: Part, values: Readonly<Record<string, unknown>>): void {
    this.#addRaw(
      part,
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, this.#evidence.maskText(encodeValue(value))]),
      ),
    );
  }

  #addRaw(part: Part, contents: Readonly<Record<string, string>>): void {
    if (this.#isEnded) return;
    this.#evidence.add({ case: this.#case, atMs: this.clock.nowMs(), ...part } as NewEntry, contents);
  }
}

type OfCase = Extract<NewEntry, { kind: "outside" | "feed" | "stream" | "reads" | "exchange" }>;
type ExchangePart = Extract<OfCase, { kind: "exchange" }>;
type WithoutPlace<E> = E extends unknown ? Omit<E, "case" | "atMs"> : never;
type Part = WithoutPlace<OfCase>;

function rowText(row: unknown): string {
  if (!Array.isArray(row)) return "null";
  const [atMs, text] = row as [number, string?];
  return text === undefined ? `[${atMs}]` : `[${atMs},${text}]`;
}

/** The body as a request is compared: a form is shown by its parts. */
export function bodyShown({ body, bodyShown: shown }: WireRequest): string | undefined {
  if (shown !== undefined || body === undefined) return shown;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? textOf(Buffer.from(body)).text : undefined;
}

/** UTF-8 where the bytes are UTF-8, else base64. */
function textOf(bytes: Buffer): { readonly text: string; readonly isBase64: boolean } {
  const text = bytes.toString("utf8");
  const isText = !text.includes("\u{FFFD}") || Buffer.from(text).equals(bytes);
  return isText ? { text, isBase64: false } : { text: bytes.toString("base64"), isBase64: true };
}
