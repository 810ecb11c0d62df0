// The emulator's monitor: commands with answers, and events with the host's time stamps.
import { connect, type Socket } from "node:net";
import { setTimeout as timer } from "node:timers/promises";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { readLines } from "../host/lines.ts";
import type { InstantMs } from "../host/instant.ts";

const Message = Type.Object({
  event: Type.Optional(Type.String()),
  data: Type.Optional(Type.Unknown()),
  timestamp: Type.Optional(Type.Object({ seconds: Type.Integer(), microseconds: Type.Integer() })),
  id: Type.Optional(Type.Integer()),
  return: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ class: Type.String(), desc: Type.String() })),
});
type Message = Static<typeof Message>;
const problemsOf = checker(Message);

/** An event of the emulator, on this process's monotonic clock. */
export interface QmpEvent {
  readonly name: string;
  readonly data: unknown;
  readonly at: InstantMs;
}

// The wall clock, on which the emulator stamps its events, is read with a resolution of one millisecond here.
const clockUncertaintyMs = 1.5;
const connectEveryMs = 20;
const answerWithinMs = 10_000;

export class Qmp implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #onEvent: (event: QmpEvent) => void;
  #last = 0;

  private constructor(socket: Socket, onEvent: (event: QmpEvent) => void) {
    this.#socket = socket;
    this.#onEvent = onEvent;
    readLines(socket, (line) => this.#take(line));
    socket.on("error", () => undefined);
    socket.once("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the emulator closed its monitor"));
      this.#waiting.clear();
    });
  }

  /** Connects as soon as the emulator listens; throws an Error when it does not within the time. */
  static async open(path: string, withinMs: number, onEvent: (event: QmpEvent) => void): Promise<Qmp> {
    const qmp = new Qmp(await connectTo(path, withinMs), onEvent);
    await qmp.execute("qmp_capabilities");
    return qmp;
  }

  /** Executes a command; answers its result, throws an Error with the emulator's message when it fails. */
  async execute(command: string, words: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = ++this.#last;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    const limit = setTimeout(
      () => waiting.reject(new Error(`the emulator did not answer ${command} within ${answerWithinMs} ms`)),
      answerWithinMs,
    );
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: words, id })}\n`);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(limit);
      this.#waiting.delete(id);
    }
  }

  /** A command of the emulator's console, where the monitor has no command. */
  async console(line: string): Promise<void> {
    const said = await this.execute("human-monitor-command", { "command-line": line });
    if (typeof said === "string" && said.trim() !== "")
      throw new Error(`the emulator refused "${line}": ${said.trim()}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    return Promise.resolve();
  }

  #take(line: string): void {
    const message = parse(line);
    if (message === undefined) return;
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      if (message.error === undefined) waiting?.resolve(message.return);
      else waiting?.reject(new Error(message.error.desc));
    } else if (message.event !== undefined && message.timestamp !== undefined) {
      const { seconds, microseconds } = message.timestamp;
      const agoMs = Date.now() - (seconds * 1000 + microseconds / 1000);
      const atMs = performance.now() - agoMs;
      this.#onEvent({
        name: message.event,
        data: message.data,
        at: { low: atMs - clockUncertaintyMs, high: atMs + clockUncertaintyMs },
      });
    }
  }
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return problemsOf(value).length === 0 ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

async function connectTo(path: string, withinMs: number): Promise<Socket> {
  const startedMs = performance.now();
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<Socket | Error>();
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", resolve);
    const result = await promise;
    if (!(result instanceof Error)) return result;
    if (performance.now() - startedMs > withinMs)
      throw new Error(`the emulator opened no monitor within ${withinMs} ms: ${result.message}`);
    await timer(connectEveryMs);
  }
}
