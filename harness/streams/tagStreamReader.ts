// A tag stream read the way field clients do: line by line, every line that starts with `data:` is JSON.
import { MonitoredValue } from "../../interface/resources/tags.ts";
import { checker } from "../../interface/schema/validate.ts";
import { Unmet } from "../../record/index.ts";
import { ValueLines } from "./valueLines.ts";
import { Arrivals } from "../transport/arrivals.ts";
import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import { StreamLines } from "../transport/streamLines.ts";
import { recordStreamHead } from "../transport/streamRecord.ts";
import type { StreamedValue, TagStream } from "./tagStream.ts";
import { explain, type WireRequest } from "../transport/transport.ts";

const isValue = checker(MonitoredValue);
/** A message with a name of its own is a value only if it looks like one. */
const isLikeValue = (json: unknown): boolean =>
  typeof json === "object" && json !== null && ("tagName" in json || "dataValue" in json);
const maxMalformed = 100;

export async function openTagStream(
  surroundings: SessionSurroundings,
  request: WireRequest,
): Promise<TagStream> {
  const { transport, tape, onTheLineMs, signal } = surroundings;
  const { clock } = transport;
  const arrivals = new Arrivals<StreamedValue>(clock);
  const malformed: string[] = [];
  const stop = new AbortController();
  const startedMs = clock.nowMs();
  const bounded = AbortSignal.any([stop.signal, signal]);
  const answer = await tape
    .open(request, bounded, () => transport.stream(request, bounded))
    .catch((thrown: unknown) => {
      throw new Unmet(`tag stream not opened: ${explain(thrown).message}`, "no-answer");
    });
  const contentType = answer.headers["content-type"] ?? "";
  const number = recordStreamHead(surroundings, request, startedMs, answer.status, contentType);
  surroundings.record.streaming?.(number, () => ({ count: arrivals.items.length, ended: arrivals.ended }));

  const seen = new StreamLines(startedMs);
  let receivedMs = 0;
  const lines = new ValueLines({
    value(json, isNamed) {
      if (isValue(json).length === 0) arrivals.items.push({ value: json as MonitoredValue, receivedMs });
      else if (!isNamed || isLikeValue(json))
        keepMalformed(
          `data:${JSON.stringify(json, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))}`,
        );
    },
    malformed: (line) => keepMalformed(line),
  });
  const keepMalformed = (line: string): void => {
    if (malformed.length < maxMalformed) malformed.push(line);
  };

  const read = async (): Promise<void> => {
    for await (const chunk of answer.body) {
      receivedMs = clock.nowMs();
      const before = arrivals.items.length;
      answer.received(chunk as Buffer);
      seen.push(chunk as Buffer, receivedMs);
      lines.push(chunk as Buffer);
      transport.meter.add(arrivals.items.length - before);
      arrivals.wake();
    }
  };
  // The end of reading, for any reason, is the end of the stream.
  const end = (): void => {
    if (!bounded.aborted) {
      answer.ended();
      seen.end(clock.nowMs());
    }
    arrivals.end();
  };
  const reading = read().then(end, end);

  return {
    status: answer.status,
    exchange: { number },
    transcript: (atMs) => seen.around(atMs ?? clock.nowMs()),
    contentType,
    received: arrivals.items,
    malformed,
    next: (what, fits, deadlineMs = 5000) => arrivals.next(what, fits, deadlineMs + onTheLineMs, signal),
    get ended() {
      return arrivals.ended;
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the tag stream was closed"));
      await reading;
    },
  };
}
