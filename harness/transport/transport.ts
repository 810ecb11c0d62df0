// One request over a real connection, timed and recorded; all HTTP of the harness goes through here.
import type { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import type { LeaseCheck } from "../../rigs/index.ts";
import type { Profile } from "../profile/profile.ts";
import { Pace } from "./rateLimit.ts";
import { ShownTimes } from "./shownTimes.ts";
import { StreamSlots } from "./streamSlots.ts";
import { StreamMeter } from "./streamMeter.ts";
import { TlsIdentity } from "./tlsIdentity.ts";
import type { Clock } from "../clock.ts";
import { withReuse } from "./reusedConnection.ts";
import { wholeAnswer } from "./wholeAnswer.ts";
import type { CallName, Exchange, NoAnswer } from "../../record/index.ts";

/** A request as it is sent. */
export interface WireRequest {
  readonly operation: CallName;
  readonly session: string;
  readonly method: string;
  readonly origin: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Content type of a form, which is sent and not recorded. */
  readonly formType?: string | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** The body as the record shows it, where it is not text. */
  readonly bodyShown?: string | undefined;
  readonly patienceMs: number;
  readonly isLockPossible?: boolean | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bytes: Buffer;
  readonly exchange: Exchange;
}

/** An answer whose body continues. */
export interface OpenStream<B = Readable> {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: B;
}

/** Longer bodies are recorded up to this length. */
const maxRecordedBytes = 64 * 1024;
const maxStreams = 4096;
const maxAnswerBytes = 256 * 1024 * 1024;
/** Idle connections are closed before a gateway that closes them after a few seconds would close one in use. */
const keepAliveMs = 1000;

const openWithinMs = 5000;

/** Connections to one gateway, shared by all sessions of a campaign. */
export class Transport implements AsyncDisposable {
  readonly #clock: Clock;
  #agent: Agent;
  /** For streams: each uses a connection while it is open, and may carry any number of bytes. */
  readonly streams: Agent;

  /** The load of the streams, for progress displays. */
  readonly meter: StreamMeter;
  /** The certificate that the gateway shows. */
  readonly tls: TlsIdentity;
  /** Whose turn it is, where the gateway declares a limit. */
  readonly pace: Pace;
  /** How long after its answer a change may be shown, once that was measured. */
  readonly shown = new ShownTimes();
  /** How long after its opening a stream may deliver nothing, measured likewise: 0 where it sends the next change. */
  deliversAfterMs = 0;
  /** Streams that the gateway serves at once, where it declares a limit. */
  readonly slots: StreamSlots;
  readonly #lease: LeaseCheck | undefined;

  /** `lease`: whether this run still has the gateway; checked before each request. */
  constructor(
    clock: Clock,
    { requestsPerSec, streamsAtOnce, tls }: Pick<Profile, "requestsPerSec" | "streamsAtOnce" | "tls">,
    lease?: LeaseCheck,
  ) {
    this.#clock = clock;
    this.pace = new Pace(clock, requestsPerSec);
    this.slots = new StreamSlots(clock, streamsAtOnce);
    this.tls = new TlsIdentity(tls);
    this.#lease = lease;
    this.meter = new StreamMeter(() => clock.nowMs());
    this.#agent = this.#newAgent();
    this.streams = new Agent({
      connections: maxStreams,
      keepAliveTimeout: keepAliveMs,
      connect: withReuse(this.tls.connector()),
    });
  }

  #newAgent(): Agent {
    return new Agent({
      connections: 32,
      keepAliveTimeout: keepAliveMs,
      connect: withReuse(this.tls.connector()),
      maxResponseSize: maxAnswerBytes,
    });
  }

  /** Further requests use new connections: the gateway may close those of a listener that it has changed at any moment. */
  leaveConnections(): void {
    const former = this.#agent;
    // The run may have ended while the case waited for its answer.
    if (former.destroyed) return;
    this.#agent = this.#newAgent();
    void former.close();
  }

  get clock(): Clock {
    return this.#clock;
  }

  /**
   * Sends and waits for the whole answer. Never throws for what the network or the gateway does, only when this run
   * has lost its lease.
   */
  async send(request: WireRequest, number: number): Promise<WireAnswer> {
    const options = this.options(request);
    const startedMs = this.#clock.nowMs();
    try {
      const received = await wholeAnswer(this.#agent, options);
      const durationMs = this.#clock.nowMs() - startedMs;
      const answer = { ...received, headers: flatten(received.headers) };
      const exchange = new Recorded(request, number, startedMs, durationMs, answer);
      return { ...answer, exchange };
    } catch (thrown) {
      const noAnswer = explain(thrown);
      const exchange = new Recorded(
        request,
        number,
        startedMs,
        this.#clock.nowMs() - startedMs,
        undefined,
        noAnswer,
      );
      return { status: 0, headers: {}, bytes: Buffer.alloc(0), exchange };
    }
  }

  /** Leaves an open connection for the next request, whatever the gateway answers. */
  async openConnection(origin: string): Promise<void> {
    const patienceMs = openWithinMs;
    await this.#agent
      .request({ origin, path: "/", method: "HEAD", headersTimeout: patienceMs, bodyTimeout: patienceMs })
      .then(({ body }) => body.dump())
      .catch(() => undefined);
  }

  /** Opens a stream, which may carry any number of bytes and be silent for any time. */
  async stream(request: WireRequest, signal: AbortSignal): Promise<OpenStream> {
    const answer = await this.streams.request({ ...this.options(request), bodyTimeout: 0, signal });
    return { status: answer.statusCode, headers: flatten(answer.headers), body: answer.body };
  }

  options(request: WireRequest): Dispatcher.RequestOptions {
    this.#lease?.check(`send ${request.operation}`);
    return {
      origin: request.origin,
      path: request.path,
      method: request.method as Dispatcher.HttpMethod,
      headers:
        request.formType === undefined
          ? request.headers
          : { "content-type": request.formType, ...request.headers },
      headersTimeout: request.patienceMs,
      bodyTimeout: request.patienceMs,
      body: request.body ?? null,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.streams.destroy();
    await this.#agent.destroy();
  }
}

/** Builds its texts only when they are read, which keeps recording cheap. */
class Recorded implements Exchange {
  readonly number: number;
  readonly operation: CallName;
  readonly session: string;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly noAnswer?: NoAnswer;
  readonly #request: WireRequest;
  readonly #answer: { status: number; headers: Record<string, string>; bytes: Buffer } | undefined;

  constructor(
    request: WireRequest,
    number: number,
    startedMs: number,
    durationMs: number,
    answer: { status: number; headers: Record<string, string>; bytes: Buffer } | undefined,
    noAnswer?: NoAnswer,
  ) {
    this.number = number;
    this.operation = request.operation;
    this.session = request.session;
    this.startedMs = startedMs;
    this.durationMs = durationMs;
    this.#request = request;
    this.#answer = answer;
    if (noAnswer !== undefined) this.noAnswer = noAnswer;
  }

  get request(): Exchange["request"] {
    const { method, origin, path, headers, body, bodyShown } = this.#request;
    const shown =
      bodyShown ??
      (typeof body === "string" ? body : body instanceof Uint8Array ? show(Buffer.from(body)) : undefined);
    return { method, url: origin + path, headers, ...(shown === undefined ? {} : { body: shown }) };
  }

  get answer(): NonNullable<Exchange["answer"]> | undefined {
    if (this.#answer === undefined) return undefined;
    const { status, headers, bytes } = this.#answer;
    return { status, headers, body: show(bytes), bodyBytes: bytes.length };
  }
}

function show(bytes: Buffer): string {
  const head = bytes.subarray(0, maxRecordedBytes);
  const text = head.toString("utf8");
  // Binary bodies are unreadable as text; the first bytes in hexadecimal identify them.
  if (text.includes("\u0000") || text.includes("\uFFFD"))
    return `(${bytes.length} bytes) ${head.subarray(0, 64).toString("hex")}`;
  return text;
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

export function explain(thrown: unknown): NoAnswer {
  const error = thrown as { code?: unknown; message?: unknown };
  const code = typeof error.code === "string" ? error.code : "NO_ANSWER";
  return { code, message: `${code}: ${String(error.message ?? thrown)}` };
}
