// The server-sent events of Get events, read by the eventsource package over the harness's own connections.
import { EventSource, type FetchLike } from "eventsource";
import { fetch } from "undici";
import { EventRecord } from "../../interface/resources/events.ts";
import { checker } from "../../interface/schema/validate.ts";
import { HarnessFault, Unmet, parseJson } from "../../record/index.ts";
import { Arrivals } from "../transport/arrivals.ts";
import type { EventStream, StreamedEvent } from "./eventStream.ts";
import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import type { WireRequest } from "../transport/transport.ts";
import { StreamLines } from "../transport/streamLines.ts";
import { recordStreamHead } from "../transport/streamRecord.ts";

const isEventRecord = checker(EventRecord);

/** Opens the stream and resolves with the head of the answer; Unmet when the gateway does not open one. */
export async function openEventStream(
  surroundings: SessionSurroundings,
  request: WireRequest,
  lastEventId: string | undefined,
): Promise<EventStream> {
  const { transport, tape, onTheLineMs, signal } = surroundings;
  const { clock } = transport;
  const arrivals = new Arrivals<StreamedEvent>(clock);
  const head = Promise.withResolvers<{ status: number; contentType: string; number: number }>();
  const stop = new AbortController();
  const startedMs = clock.nowMs();
  const seen = new StreamLines(startedMs);
  const extra = lastEventId === undefined ? {} : { "last-event-id": lastEventId };

  const fetchOnce: FetchLike = async (url, init) => {
    if (stop.signal.aborted) throw new HarnessFault("the stream was closed");
    const sent = { ...request, headers: { ...request.headers, ...extra } };
    const bounded = AbortSignal.any([
      stop.signal,
      ...(init.signal === undefined ? [] : [init.signal as AbortSignal]),
    ]);
    const answer = await tape.open(sent, bounded, async () => {
      const { status, headers, body } = await fetch(url, {
        // The binding determines the method that opens the stream.
        method: request.method,
        headers: { ...init.headers, ...sent.headers },
        signal: bounded,
        dispatcher: transport.streams,
      });
      return { status, headers: Object.fromEntries(headers), body: body ?? [] };
    });
    const contentType = answer.headers["content-type"] ?? "";
    const number = recordStreamHead(surroundings, sent, startedMs, answer.status, contentType);
    surroundings.record.streaming?.(number, () => ({ count: arrivals.items.length, ended: arrivals.ended }));
    head.resolve({ status: answer.status, contentType, number });
    async function* body(): AsyncGenerator<Uint8Array> {
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        answer.received(chunk);
        seen.push(chunk, clock.nowMs());
        yield chunk;
      }
      answer.ended();
    }
    return {
      url: String(url),
      status: answer.status,
      redirected: false,
      headers: new Headers(answer.headers),
      body: ReadableStream.from(body()),
    };
  };

  const source = new EventSource(request.origin + request.path, { fetch: fetchOnce });
  const close = (): void => {
    source.close();
    stop.abort(new Error("the event stream was closed"));
    arrivals.end();
  };
  const keep = (message: MessageEvent): void => {
    const record = readRecord(String(message.data));
    if (record !== undefined) arrivals.add({ id: message.lastEventId, record, receivedMs: clock.nowMs() });
  };
  source.addEventListener("message", keep);
  // A reconnection would hide that the gateway ended the stream, so the first error ends reading.
  source.addEventListener("error", (event) => {
    head.reject(new Unmet(`event stream not opened: ${event.message ?? "connection error"}`, "no-answer"));
    if (!stop.signal.aborted && !signal.aborted) seen.end(clock.nowMs());
    close();
  });
  signal.addEventListener("abort", close, { once: true });

  const { status, contentType, number } = await head.promise;
  return {
    status,
    exchange: { number },
    transcript: (atMs) => seen.around(atMs ?? clock.nowMs()),
    contentType,
    received: arrivals.items,
    next: (what, fits, deadlineMs = 5000) => arrivals.next(what, fits, deadlineMs + onTheLineMs, signal),
    get ended() {
      return arrivals.ended;
    },
    [Symbol.asyncDispose]() {
      close();
      return Promise.resolve();
    },
  };
}

function readRecord(text: string): EventRecord | undefined {
  try {
    const value = parseJson(text);
    return isEventRecord(value).length === 0 ? (value as EventRecord) : undefined;
  } catch {
    return undefined;
  }
}
