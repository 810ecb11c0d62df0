// Answers a case from the record of its run: each request, reading and action finds what it found then, at its time.
import { Readable } from "node:stream";
import {
  type Clock,
  type OpenStream,
  type Tape,
  type TapedStream,
  type WireAnswer,
  type WireRequest,
  isTimeKey,
} from "../../harness/index.ts";
import { decodeValue, stringifyJson } from "../../record/index.ts";
import type { CaseEvidence, RecordedExchange, RecordedRead } from "./caseEvidence.ts";
import { RecordedRequests } from "./recordedRequests.ts";
import type { VirtualClock } from "./virtualClock.ts";

/** The record does not hold what the case asks for. */
export class NotReplayable extends Error {
  override readonly name = "NotReplayable";
}

/** Readings of this machine: a record without one had no reason to ask. */
const machineReadings: ReadonlyMap<string, unknown> = new Map([
  ["possible delay", 0],
  ["own delay", 0],
]);
const delayKey = (delayMs: number): string => `delay ${delayMs}`;

export class ReplayTape implements Tape {
  readonly clock: Clock;
  /** The first thing that the record does not hold. */
  missing: string | undefined;
  readonly #clock: VirtualClock;
  readonly #evidence: CaseEvidence;
  readonly #requests: RecordedRequests;
  readonly #next = new Map<string, number>();
  readonly #wallClockReads = new Set<RecordedRead>();
  #feeds = 0;

  constructor(evidence: CaseEvidence, clock: VirtualClock, tokenHeaders: readonly string[]) {
    this.#evidence = evidence;
    this.#clock = clock;
    this.#requests = new RecordedRequests(evidence.exchanges, tokenHeaders);
    this.clock = {
      nowMs: () => clock.nowMs(),
      epochMs: () => this.#wallClock() ?? clock.epochMs(),
      delay: (delayMs, signal) => {
        const key = delayKey(delayMs);
        const found = evidence.reads.get(key)?.[this.#place(key)];
        // Recorded ends keep a loop in step with the run.
        return found === undefined || found === null
          ? clock.delay(delayMs, signal)
          : clock.until(found[0], signal);
      },
    };
  }

  /** The recorded reading next in time: parts of a case that run side by side may read in another order. */
  #wallClock(): number | undefined {
    const nowMs = this.#clock.nowMs();
    let nearest: NonNullable<RecordedRead> | undefined;
    for (const row of this.#evidence.reads.get("wall clock") ?? [])
      if (row !== null && !this.#wallClockReads.has(row)) {
        if (nearest !== undefined && Math.abs(row[0] - nowMs) >= Math.abs(nearest[0] - nowMs)) continue;
        nearest = row;
      }
    if (nearest === undefined) return undefined;
    this.#wallClockReads.add(nearest);
    this.#clock.reach(nearest[0]);
    return nearest[1] as number;
  }

  /** Number of recorded exchanges that the case did not ask for. */
  get unused(): number {
    return this.#requests.unused;
  }

  async ask<T>(key: string): Promise<T> {
    const found = this.#evidence.outside.get(key)?.[this.#place(`ask ${key}`)];
    if (found?.text === undefined) throw this.#lacks(key);
    this.#clock.reach(found.startedMs);
    await this.#clock.until(found.atMs);
    const value = decodeValue(this.#requests.unmasked(found.text));
    if (found.isThrown) throw value;
    return value as T;
  }

  read<T>(key: string): T {
    const rows = this.#evidence.reads.get(key) ?? [];
    const place = this.#place(key);
    // A wait that the run did not have, or not as long, reads the clock.
    if (isTimeKey(key) && place >= rows.length) return this.#clock.nowMs() as T;
    const row = rows[Math.min(place, rows.length - 1)];
    if (row === undefined || row === null) {
      if (machineReadings.has(key)) return machineReadings.get(key) as T;
      throw this.#lacks(key);
    }
    this.#clock.reach(row[0]);
    return row[1] as T;
  }

  feed<T>(key: string, sink: (item: T) => void): undefined {
    this.#feeds += 1;
    for (const { atMs, key: found, text } of this.#evidence.feeds.get(this.#feeds) ?? []) {
      if (found !== key || text === undefined) throw this.#lacks(key);
      this.#clock.at(atMs, () => sink(decodeValue(this.#requests.unmasked(text)) as T));
    }
    return undefined;
  }

  async send(request: WireRequest, number: number): Promise<WireAnswer> {
    const found = this.#find(request);
    const { startedMs, durationMs, answer, noAnswer } = found.entry;
    this.#clock.reach(startedMs);
    await this.#clock.until(startedMs + durationMs);
    const bytes = this.#bytesOf(found);
    const headers = this.#headersOf(found);
    const { operation, session, method, origin, path } = request;
    const exchange = {
      number,
      operation,
      session,
      startedMs,
      durationMs,
      request: {
        method,
        url: origin + path,
        headers: request.headers,
        ...(found.requestBody === undefined ? {} : { body: found.requestBody }),
      },
      ...(answer === undefined
        ? {}
        : {
            answer: { status: answer.status, headers, body: bytes.toString("utf8"), bodyBytes: bytes.length },
          }),
      ...(noAnswer === undefined ? {} : { noAnswer }),
    };
    return { status: answer?.status ?? 0, headers, bytes, exchange };
  }

  async open<B>(
    request: WireRequest,
    signal: AbortSignal,
    _live: () => Promise<OpenStream<B>>,
  ): Promise<TapedStream<Readable>> {
    const found = this.#find(request);
    const { startedMs, durationMs, answer, noAnswer } = found.entry;
    this.#clock.reach(startedMs);
    await this.#clock.until(startedMs + durationMs, signal);
    if (answer === undefined) {
      const { code = "NO_ANSWER", message = "no answer" } = noAnswer ?? {};
      throw Object.assign(new Error(message.replace(`${code}: `, "")), { code });
    }
    const body = this.#play(answer.stream ?? 0, signal);
    const ignore = (): void => undefined;
    return { status: answer.status, headers: this.#headersOf(found), body, received: ignore, ended: ignore };
  }

  /** The stream's pieces at their times. */
  #play(number: number, signal: AbortSignal): Readable {
    const pieces = this.#evidence.streams.get(number) ?? [];
    const body = new Readable({ read: () => undefined });
    let next = 0;
    let cancel = (): void => undefined;
    const schedule = (): void => {
      const piece = pieces[next];
      if (piece === undefined) return;
      next += 1;
      cancel = this.#clock.at(piece.atMs, () => {
        if (body.destroyed) return;
        body.push(piece.bytes === undefined ? null : this.#unmaskedBytes(piece.bytes()));
        schedule();
      });
    };
    const stop = (): void => {
      cancel();
      body.destroy();
    };
    body.on("error", () => undefined);
    if (signal.aborted) stop();
    else {
      signal.addEventListener("abort", stop, { once: true });
      schedule();
    }
    return body;
  }

  #unmaskedBytes(bytes: Buffer): Buffer {
    const text = bytes.toString("latin1");
    const unmasked = this.#requests.unmasked(text);
    return unmasked === text ? bytes : Buffer.from(unmasked, "latin1");
  }

  #find(request: WireRequest): RecordedExchange {
    const found = this.#requests.take(request);
    if (found === undefined) throw this.#lacks(`${request.method} ${request.path} as ${request.session}`);
    return found;
  }

  #bytesOf({ entry, answerBody }: RecordedExchange): Buffer {
    if (entry.answer === undefined) return Buffer.alloc(0);
    if (answerBody === undefined)
      throw this.#lacks(`the answer to ${entry.request.method} ${entry.request.url}`);
    return entry.answer.isBase64 === true
      ? Buffer.from(answerBody, "base64")
      : Buffer.from(this.#requests.unmasked(answerBody));
  }

  #headersOf({ entry }: RecordedExchange): Record<string, string> {
    return Object.fromEntries(
      Object.entries(entry.answer?.headers ?? {}).map(([name, value]) => [
        name,
        this.#requests.unmasked(value),
      ]),
    );
  }

  #place(key: string): number {
    const place = this.#next.get(key) ?? 0;
    this.#next.set(key, place + 1);
    return place;
  }

  #lacks(what: string): NotReplayable {
    this.missing ??= what;
    return new NotReplayable(`the record does not hold ${stringifyJson(what)}`);
  }
}
