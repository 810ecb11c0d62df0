// A tag stream in counting mode: fast enough to measure the gateway and not the client.
import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import { StreamLines } from "../transport/streamLines.ts";
import { recordStreamHead } from "../transport/streamRecord.ts";
import { explain, type WireRequest } from "../transport/transport.ts";
import { Unmet } from "../../record/index.ts";
import type { StreamEvidence } from "../transport/evidence.ts";
import { SequenceLines, type SequenceSink } from "./sequenceLines.ts";

/** Receives what a counting stream reads. */
export interface SequenceReader {
  value(index: number, sequence: number, receivedMs: number): void;
  /** When the rig wrote the number to its registers, for the latency that is shown while a campaign runs. */
  changedMs?(sequence: number): number | undefined;
}

export interface SequenceStream extends AsyncDisposable, StreamEvidence {
  /** Values so far. */
  readonly count: number;
  readonly bytes: number;
  /** Data lines without a whole number of a wanted tag; the first few. */
  readonly others: readonly string[];
  readonly ended: boolean;
  /** Some received bytes, to measure how fast this client can read such a stream. */
  readonly specimen: Buffer | undefined;
  /** Stops reading until `resume`, like a client that is too slow. */
  pause(): void;
  resume(): void;
}

const mostOthers = 20;

export async function openSequenceStream(
  surroundings: SessionSurroundings,
  request: WireRequest,
  indexes: ReadonlyMap<string, number>,
  reader: SequenceReader,
): Promise<SequenceStream> {
  const { transport, tape, signal } = surroundings;
  const { clock, meter } = transport;
  const stop = new AbortController();
  const startedMs = clock.nowMs();
  const bounded = AbortSignal.any([stop.signal, signal]);
  const answer = await tape
    .open(request, bounded, () => transport.stream(request, bounded))
    .catch((thrown: unknown) => {
      throw new Unmet(`tag stream not opened: ${explain(thrown).message}`, "no-answer");
    });
  const number = recordStreamHead(
    surroundings,
    request,
    startedMs,
    answer.status,
    answer.headers["content-type"] ?? "",
  );
  const others: string[] = [];
  const seen = new StreamLines(startedMs);
  let count = 0;
  let bytes = 0;
  let receivedMs = 0;
  let specimen: Buffer | undefined;
  const sink: SequenceSink = {
    value(index, sequence) {
      count += 1;
      reader.value(index, sequence, receivedMs);
      // The first value of each tag is the present state, however old.
      if (count > indexes.size && meter.wantsLatency(receivedMs)) {
        const changedMs = reader.changedMs?.(sequence);
        if (changedMs !== undefined) meter.latency(receivedMs, receivedMs - changedMs);
      }
    },
    other(line) {
      if (others.length < mostOthers) others.push(line);
    },
  };
  const lines = new SequenceLines(indexes, sink);
  surroundings.record.streaming?.(number, () => ({ count, ended }));
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let ended = false;
  const { body } = answer;
  body.on("data", (chunk: Buffer) => {
    receivedMs = clock.nowMs();
    bytes += chunk.length;
    answer.received(chunk);
    if (specimen === undefined || specimen.length < chunk.length) specimen = chunk;
    const before = count;
    seen.push(chunk, receivedMs);
    lines.push(chunk);
    meter.add(count - before);
  });
  // The end of reading, for any reason, is the end of the stream.
  for (const event of ["end", "error", "close"]) {
    body.on(event, () => {
      if (!ended && !bounded.aborted) {
        answer.ended();
        seen.end(clock.nowMs());
      }
      ended = true;
      close();
    });
  }
  return {
    status: answer.status,
    exchange: { number },
    transcript: (atMs) => seen.around(atMs ?? clock.nowMs()),
    others,
    get count() {
      return count;
    },
    get bytes() {
      return bytes;
    },
    get ended() {
      return ended;
    },
    get specimen() {
      return specimen;
    },
    pause: () => void body.pause(),
    resume: () => void body.resume(),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the tag stream was closed"));
      body.destroy();
      await closed;
    },
  };
}

/** Values a second that counting mode reads of such bytes on this machine now, measured for some milliseconds. */
export function measureCapacity(
  specimen: Buffer,
  indexes: ReadonlyMap<string, number>,
  nowMs: () => number,
  forMs = 60,
): number {
  let count = 0;
  const lines = new SequenceLines(indexes, { value: () => void (count += 1), other: () => undefined });
  const whole = specimen.subarray(specimen.indexOf("data:"), specimen.lastIndexOf("\n") + 1);
  if (whole.length === 0) return 0;
  // The first rounds learn what the lines look like and warm the code up.
  for (let round = 0; round < 5; round++) lines.push(whole);
  count = 0;
  const startedMs = nowMs();
  while (nowMs() - startedMs < forMs) lines.push(whole);
  return count / ((nowMs() - startedMs) / 1000);
}
