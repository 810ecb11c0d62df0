// Connections for hostile requests: bytes are sent unchanged, and the outcome is observed.
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Outside } from "../../../harness/index.ts";
import { AnswerReader, type ReadAnswer } from "./answerReader.ts";

/** The outcome of a request. */
export type Observation =
  | { readonly outcome: "answered"; readonly answer: ReadAnswer }
  /** The connection ended before the head of an answer. */
  | { readonly outcome: "closed"; readonly how: string }
  /** No byte within the patience. */
  | { readonly outcome: "silent"; readonly waitedMs: number }
  /** Bytes that are not an HTTP answer. */
  | { readonly outcome: "not-http"; readonly bytes: string }
  /** The state differed afterwards, found by comparing it between requests. */
  | { readonly outcome: "state-changed"; readonly how: string }
  | { readonly outcome: "unreachable"; readonly how: string };

export interface ChannelOptions {
  readonly outside: Outside;
  readonly baseUrl: () => string;
  /** How long an answer's head may take before the harness stops waiting. */
  readonly patienceMs: number;
  /** There and back on the line to the gateway. */
  readonly roundTripMs: number;
}

/** A body that lasts longer is a stream: its head is sufficient here. */
const bodyPatienceMs = 400;
/** Where the gateway may wait for more bytes, a longer wait adds no evidence. */
const alonePatienceMs = 300;

/** Opens a connection; fails without a listener. */
export async function openSocket(baseUrl: string, patienceMs: number): Promise<Socket> {
  const url = new URL(baseUrl);
  const isTls = url.protocol === "https:";
  const port = Number(url.port || (isTls ? 443 : 80));
  const socket = isTls
    ? connectTls({ host: url.hostname, port, rejectUnauthorized: false })
    : connectTcp({ host: url.hostname, port, noDelay: true });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const timer = setTimeout(
    () => socket.destroy(new Error(`no connection within ${patienceMs} ms`)),
    patienceMs,
  );
  socket.once(isTls ? "secureConnect" : "connect", () => resolve(socket));
  socket.once("close", () => reject(new Error("connection closed while opening")));
  socket.once("error", reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    // Later errors end the exchange in progress; between exchanges they only end the connection.
    socket.on("error", () => undefined);
  }
}

/** One connection at a time, kept as long as the server keeps it. */
export class Channel implements Disposable {
  readonly #options: ChannelOptions;
  #socket: Socket | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /**
   * Sends the bytes and returns the outcome. `isAlone`: on a connection of its own, because client and server may disagree
   * on where the next request begins.
   */
  exchange(bytes: Buffer, how: { isHead: boolean; isAlone: boolean }): Promise<Observation> {
    return this.#options.outside.ask("bytes on a connection", () => this.#exchange(bytes, how));
  }

  async #exchange(
    bytes: Buffer,
    { isHead, isAlone }: { isHead: boolean; isAlone: boolean },
  ): Promise<Observation> {
    if (isAlone) this.#drop();
    const patienceMs = Math.min(
      this.#options.patienceMs,
      isAlone ? alonePatienceMs + this.#options.roundTripMs : Number.POSITIVE_INFINITY,
    );
    const kept = this.#socket?.destroyed === false ? this.#socket : undefined;
    const first = kept === undefined ? undefined : await this.#ask(kept, bytes, isHead, patienceMs);
    // A server may close a kept connection at any time, whatever the request.
    const observation =
      first === undefined || first.outcome === "closed"
        ? await this.#askAnew(bytes, isHead, patienceMs)
        : first;
    const isReusable = observation.outcome === "answered" && observation.answer.isReusable && !isAlone;
    if (!isReusable) this.#drop();
    return observation;
  }

  async #askAnew(bytes: Buffer, isHead: boolean, patienceMs: number): Promise<Observation> {
    this.#drop();
    try {
      this.#socket = await openSocket(this.#options.baseUrl(), this.#options.patienceMs);
    } catch (thrown) {
      return { outcome: "unreachable", how: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    return this.#ask(this.#socket, bytes, isHead, patienceMs);
  }

  #ask(socket: Socket, bytes: Buffer, isHead: boolean, patienceMs: number): Promise<Observation> {
    return observe(socket, patienceMs, isHead, () => socket.write(bytes));
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  [Symbol.dispose](): void {
    this.#drop();
  }
}

/** Waits for one answer on the connection after `send` was called. */
export function observe(
  socket: Socket,
  patienceMs: number,
  isHead: boolean,
  send: () => void,
): Promise<Observation> {
  const { promise, resolve } = Promise.withResolvers<Observation>();
  const reader = new AnswerReader(isHead);
  let how = "closed";
  let received = "";
  const finish = (observation: Observation): void => {
    clearTimeout(timer);
    socket.off("data", take).off("end", end).off("close", close).off("error", fail);
    resolve(observation);
  };
  const conclude = (): void => {
    const { progress } = reader;
    if (progress === "not-http") finish({ outcome: "not-http", bytes: received.slice(0, 200) });
    else if (progress === "no-head") finish({ outcome: "closed", how });
    else finish({ outcome: "answered", answer: reader.answer() });
  };
  let timer = setTimeout(() => finish({ outcome: "silent", waitedMs: patienceMs }), patienceMs);
  const take = (bytes: Buffer): void => {
    if (received.length < 200) received += bytes.subarray(0, 200).toString("latin1");
    const before = reader.progress;
    const progress = reader.take(bytes);
    if (progress === "whole" || progress === "not-http") conclude();
    else if (progress === "in-body" && before === "no-head") {
      clearTimeout(timer);
      timer = setTimeout(conclude, bodyPatienceMs);
    }
  };
  const end = (): void => {
    reader.end();
    conclude();
  };
  const close = (): void => end();
  const fail = (error: NodeJS.ErrnoException): void => {
    how = error.code ?? error.message;
  };
  socket.on("data", take).on("end", end).on("close", close).on("error", fail);
  send();
  return promise;
}
