// The board of a gateway that is a process: starts it, cuts its power and records its console.
import { execa } from "execa";
import type { ConsoleLine, PowerControl, Sighting } from "../gateway/gateway.ts";
import { readLines } from "../host/lines.ts";
import type { InstantMs } from "../host/instant.ts";
import { allEnded, residentBytes, withChildren } from "./processEnd.ts";
import { exitSeen, parseReady, type ReadyLine } from "./boardLines.ts";

const killDeadlineMs = 5000;

export interface ProcessBoardOptions {
  /** Program and words of the supervisor. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly bootDeadlineMs: number;
}

export class ProcessBoard implements AsyncDisposable {
  readonly console: ConsoleLine[] = [];
  readonly sightings: Sighting[] = [];
  readonly #options: ProcessBoardOptions;
  #child: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): boolean } | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isMeantToEnd = false;
  #hasBooted = false;
  #endedWith: string | undefined;

  constructor(options: ProcessBoardOptions) {
    this.#options = options;
  }

  /** Starts the processes; answers when the gateway is up, throws an Error with its last lines when it does not start. */
  async start(): Promise<ReadyLine> {
    const ready = Promise.withResolvers<ReadyLine>();
    let isReady = false;
    const child = this.spawn();
    this.#child = child;
    this.#isMeantToEnd = false;
    this.#endedWith = undefined;
    for (const stream of [child.stdout, child.stderr]) {
      readLines(stream, (text) => {
        this.console.push({ monotonicMs: performance.now(), epochMs: Date.now(), text });
        const ended = exitSeen(text);
        if (ended !== undefined) this.sightings.push(ended);
        const line = parseReady(text);
        if (line === undefined) return;
        this.#hasBooted = isReady = true;
        ready.resolve(line);
      });
    }
    this.#ended = child.then(({ exitCode, signal }) => {
      const code = exitCode ?? "none";
      // One that booted before and does not boot again is a finding about the gateway.
      if (!this.#isMeantToEnd && (isReady || !this.#hasBooted))
        this.#endedWith = `the gateway's process ended unexpectedly (${signal ?? `exit code ${code}`}): ${this.#lastLines()}`;
      ready.reject(
        new Error(`the gateway ended before it was ready: ${this.#lastLines()} (exit code ${code})`),
      );
    });
    const limit = setTimeout(
      () => ready.reject(new Error(`the gateway was not ready within its time: ${this.#lastLines()}`)),
      this.#options.bootDeadlineMs,
    );
    try {
      return await ready.promise;
    } finally {
      clearTimeout(limit);
    }
  }

  /** Power of processes: all of them are killed at the same moment, and started again on the same state. */
  get power(): PowerControl {
    return {
      cut: async (): Promise<InstantMs> => {
        const low = performance.now();
        const pid = this.#child?.pid;
        if (pid === undefined) throw new Error("the gateway has no power to cut");
        this.#isMeantToEnd = true;
        const pids = withChildren(pid);
        process.kill(-pid, "SIGKILL");
        await Promise.all([this.#ended, allEnded(pids, killDeadlineMs)]);
        const at = { low, high: performance.now() };
        this.sightings.push({
          observer: "power",
          what: "power-off",
          at,
          detail: "all processes were killed",
        });
        return at;
      },
      restore: (): Promise<InstantMs> => {
        const low = performance.now();
        // Other observers determine when the gateway is up, as with any power switch.
        this.start().catch(() => undefined);
        const at = { low, high: performance.now() };
        this.sightings.push({
          observer: "power",
          what: "power-on",
          at,
          detail: "the processes were started again",
        });
        return Promise.resolve(at);
      },
    };
  }

  /** Resident memory of the gateway under the board; empty while it boots. */
  memory(): { memoryBytes?: number } {
    const pid = this.#child?.pid;
    const [, ...gateways] = pid === undefined ? [] : withChildren(pid);
    const bytes = gateways.reduce((sum, one) => sum + residentBytes(one), 0);
    return bytes === 0 ? {} : { memoryBytes: bytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isMeantToEnd = true;
    this.#child?.kill("SIGTERM");
    await this.#ended;
  }

  /** Why the process ended without a request to end it; undefined while it runs. */
  get endedWith(): string | undefined {
    return this.#endedWith;
  }

  private spawn() {
    const [program, ...words] = this.#options.command;
    return execa(program, words, {
      // The supervisor ends when its standard input closes, so it cannot outlive this process however that ends.
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      buffer: false,
      reject: false,
      forceKillAfterDelay: 2000,
      // A separate process group: one signal ends board and gateway at the same moment.
      detached: true,
      env: { ...this.#options.environment },
    });
  }

  #lastLines(): string {
    const last = this.console.slice(-5).map(({ text }) => text);
    return last.length === 0 ? "no output" : last.join(" | ");
  }
}
