// A tag stream read the way field clients do: line by line, every line that starts with `data:` is JSON.
import { MonitoredValue } from "../../interface/resources/tags.ts";
import { checker } from "../../interface/validate.ts";
import { Unmet } from "../suite/outcome.ts";
import { Arrivals } from "./arrivals.ts";
import { parseJson } from "./json.ts";
import type { SessionSurroundings } from "./sessionSurroundings.ts";
import { recordStreamHead } from "./streamRecord.ts";
import type { StreamedValue, TagStream } from "./tagStream.ts";
import { explain, flatten, type WireRequest } from "./transport.ts";

const isValue = checker(MonitoredValue);
const maxMalformed = 100;

export async function openTagStream(
  surroundings: SessionSurroundings,
  request: WireRequest,
): Promise<TagStream> {
  const { transport, signal } = surroundings;
  const { clock } = transport;
  const arrivals = new Arrivals<StreamedValue>(clock);
  const malformed: string[] = [];
  const stop = new AbortController();
  const startedMs = clock.nowMs();
  const bounded = AbortSignal.any([stop.signal, signal]);
  const answer = await transport.agent
    .request({ ...transport.options(request), bodyTimeout: 0, signal: bounded })
    .catch((thrown: unknown) => {
      throw new Unmet(`the tag stream did not open: ${explain(thrown).message}`, "no-answer");
    });
  const contentType = flatten(answer.headers)["content-type"] ?? "";
  recordStreamHead(surroundings, request, startedMs, answer.statusCode, contentType);

  const takeLine = (line: string, receivedMs: number): void => {
    if (!line.startsWith("data:")) return;
    const values = readValues(line.slice(5));
    if (values === undefined) {
      if (malformed.length < maxMalformed) malformed.push(line);
      return;
    }
    for (const value of values) arrivals.items.push({ value, receivedMs });
  };

  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of answer.body) {
      const receivedMs = clock.nowMs();
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) takeLine(line, receivedMs);
      arrivals.wake();
    }
  };
  // The end of reading, however it comes, is the end of the stream; `ended` says so.
  const reading = read().then(
    () => arrivals.end(),
    () => arrivals.end(),
  );

  return {
    status: answer.statusCode,
    contentType,
    received: arrivals.items,
    malformed,
    next: (what, fits, deadlineMs = 5000) => arrivals.next(what, fits, deadlineMs, signal),
    get ended() {
      return arrivals.ended;
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the tag stream was closed"));
      await reading;
    },
  };
}

function readValues(text: string): MonitoredValue[] | undefined {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    return undefined;
  }
  const values: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return values.every((value) => isValue(value).length === 0) ? (values as MonitoredValue[]) : undefined;
}
