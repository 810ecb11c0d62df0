// The server-sent events of Get events, over the harness's own connections.
import { createParser } from "eventsource-parser";
import { fetch } from "undici";
import { EventRecord } from "../../interface/resources/events.ts";
import { checker } from "../../interface/schema/validate.ts";
import { Unmet, messageOf, parseJson } from "../../record/index.ts";
import { Arrivals } from "../transport/arrivals.ts";
import type { EventStream, StreamedEvent } from "./eventStream.ts";
import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import type { WireRequest } from "../transport/transport.ts";
import { StreamLines } from "../transport/streamLines.ts";
import { recordStreamHead } from "../transport/streamRecord.ts";

const mediaType = "text/event-stream";
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
  const stop = new AbortController();
  const startedMs = clock.nowMs();
  const seen = new StreamLines(startedMs);
  const extra = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const close = (): void => {
    stop.abort(new Error("the event stream was closed"));
    arrivals.end();
  };
  signal.addEventListener("abort", close, { once: true });
  const sent = { ...request, headers: { ...request.headers, ...extra } };
  const answer = await tape
    .open(sent, stop.signal, async () => {
      const { status, headers, body } = await fetch(request.origin + request.path, {
        // The binding determines the method that opens the stream.
        method: request.method,
        headers: { accept: mediaType, ...sent.headers },
        signal: stop.signal,
        dispatcher: transport.streams,
      });
      return { status, headers: Object.fromEntries(headers), body: body ?? [] };
    })
    .catch((thrown: unknown) => {
      throw new Unmet(`event stream not opened: ${messageOf(thrown)}`, "no-answer");
    });
  const { status } = answer;
  const contentType = answer.headers["content-type"] ?? "";
  const number = recordStreamHead(surroundings, sent, startedMs, status, contentType);
  surroundings.record.streaming?.(number, () => ({ count: arrivals.items.length, ended: arrivals.ended }));

  const read = async (): Promise<void> => {
    let lastId = "";
    // The interface does not show the messages: an event may have any type.
    const parser = createParser({
      onEvent({ id, data }) {
        lastId = id ?? lastId;
        for (const record of recordsIn(data)) arrivals.add({ id: lastId, record, receivedMs: clock.nowMs() });
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      answer.received(chunk);
      seen.push(chunk, clock.nowMs());
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
  };
  if (status === 200 && contentType.toLowerCase().startsWith(mediaType))
    void read()
      .catch(() => undefined)
      .finally(() => {
        // Recorded too where the connection broke.
        if (!stop.signal.aborted && !signal.aborted) {
          answer.ended();
          seen.end(clock.nowMs());
        }
        close();
      });
  else close();

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

/** The records of a message: one, several, or either in `data`, as in other answers. */
function recordsIn(text: string): EventRecord[] {
  try {
    const value = parseJson(text);
    const isWrapped = typeof value === "object" && value !== null && "data" in value;
    return [isWrapped ? value.data : value]
      .flat()
      .filter((one): one is EventRecord => isEventRecord(one).length === 0);
  } catch {
    return [];
  }
}
