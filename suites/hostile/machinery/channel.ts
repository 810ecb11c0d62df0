// Connections on which hostile requests travel: bytes out as they are, and what came back, or that nothing did.
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "../../../harness/index.ts";
import { AnswerReader, type ReadAnswer } from "./answerReader.ts";

/** What became of a request. */
export type Observation =
  | { readonly outcome: "answered"; readonly answer: ReadAnswer }
  /** The connection ended, or was cut, before the head of an answer was there. */
  | { readonly outcome: "closed"; readonly how: string }
  /** Nothing came within the patience. */
  | { readonly outcome: "silent"; readonly waitedMs: number }
  /** Bytes came that are no HTTP answer. */
  | { readonly outcome: "not-http"; readonly bytes: string }
  | { readonly outcome: "unreachable"; readonly how: string };

export interface ChannelOptions {
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** How long an answer's head may take before the harness stops waiting. */
  readonly patienceMs: number;
}

/** A body that goes on for longer is a stream: its head has said all that is asked here. */
const bodyPatienceMs = 400;
/** Where the gateway may wait for more than was sent, waiting for it shows nothing. */
const alonePatienceMs = 1000;

/** Opens a connection; rejects when nobody listens. */
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
  socket.once("close", () => reject(new Error("the connection was closed while it was opened")));
  socket.once("error", reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    // Later errors end the exchange that is under way; between exchanges they end nothing but the connection.
    socket.on("error", () => undefined);
  }
}

/** One connection at a time, kept as long as the gateway keeps it. */
export class Channel implements Disposable {
  readonly #options: ChannelOptions;
  #socket: Socket | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /**
   * Sends the bytes and answers what came of them. `isAlone`: on a connection of its own, because the bytes may leave
   * the two sides at odds on where the next request begins.
   */
  async exchange(
    bytes: Buffer,
    { isHead, isAlone }: { isHead: boolean; isAlone: boolean },
  ): Promise<Observation> {
    if (isAlone) this.#drop();
    const patienceMs = Math.min(
      this.#options.patienceMs,
      isAlone ? alonePatienceMs : Number.POSITIVE_INFINITY,
    );
    const kept = this.#socket?.destroyed === false ? this.#socket : undefined;
    const first = kept === undefined ? undefined : await this.#ask(kept, bytes, isHead, patienceMs);
    // A kept connection may be closed by the other side at any time: that says nothing about the request.
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
