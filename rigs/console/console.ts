// A console that is recorded from the moment it is opened to the moment it is closed, for any number of readers.
import { setTimeout as timer } from "node:timers/promises";
import type { ConsoleChunk, ConsoleGap, ConsoleInstant, ConsoleLine } from "../gateway/gateway.ts";
import { type ConsoleSource, type ConsoleWire, inWords, openWire } from "./source.ts";

/** A line that reports trouble of the gateway. */
export interface ConsoleAlarm extends ConsoleLine {
  readonly pattern: string;
}

export interface ConsoleOptions {
  /** Patterns of lines that are alarms; default those of kernels and boot loaders. */
  readonly alarms?: readonly RegExp[];
  /** Called before anything is sent; it throws when sending is no longer permitted. */
  readonly beforeSending?: () => void;
}

const troubles = [/Kernel panic/, /\bOops\b/, /BUG: /, /watchdog: .*(lockup|reset)/i, /Unable to mount root/];
const longestLine = 16 * 1024;
const lastLinesShown = 5;
const openAgainMs = 50;
const lookEveryMs = 10;

/** Opens a console; throws an Error that names it when it cannot be opened the first time. */
export async function openConsole(source: ConsoleSource, options: ConsoleOptions = {}): Promise<Console> {
  return new Console(source, await openWire(source), options);
}

export class Console implements AsyncDisposable {
  readonly lines: ConsoleLine[] = [];
  readonly chunks: ConsoleChunk[] = [];
  readonly alarms: ConsoleAlarm[] = [];
  /** Times in which the wire was lost; it is opened again as soon as possible. */
  readonly gaps: ConsoleGap[] = [];
  readonly #source: ConsoleSource;
  readonly #patterns: readonly RegExp[];
  readonly #beforeSending: (() => void) | undefined;
  readonly #secrets = new Set<string>();
  readonly #closing = new AbortController();
  #decoder = new TextDecoder();
  #wire: ConsoleWire | undefined;
  #open = "";
  #work: Promise<void> = Promise.resolve();

  constructor(source: ConsoleSource, wire: ConsoleWire, options: ConsoleOptions) {
    this.#source = source;
    this.#patterns = options.alarms ?? troubles;
    this.#beforeSending = options.beforeSending;
    this.#attach(wire);
  }

  /** The line that has not ended yet: usually a prompt. */
  get openLine(): string {
    return this.#masked(this.#open);
  }

  /** Sends the text unchanged; add the line end yourself. */
  send(text: string): void {
    this.#beforeSending?.();
    if (this.#wire === undefined) {
      const since = this.gaps.at(-1)?.from.epochMs ?? Date.now();
      throw new Error(
        `console ${inWords(this.#source)}: lost since ${new Date(since).toISOString()}. Fix: plug the adapter in again`,
      );
    }
    const bytes = Buffer.from(text);
    this.chunks.push({ direction: "sent", ...now(), bytes: Buffer.from(this.#masked(text)) });
    this.#wire.stream.write(bytes);
  }

  /**
   * Waits for a line, or the line that has not ended, that fits and came after the call or `sinceLine`. Throws an Error
   * with the pattern, the deadline and the last lines.
   */
  async expect(
    pattern: RegExp,
    { deadlineMs, sinceLine = this.lines.length }: { deadlineMs: number; sinceLine?: number },
  ): Promise<ConsoleLine> {
    const startedMs = performance.now();
    let looked = sinceLine;
    for (;;) {
      for (; looked < this.lines.length; looked++) {
        const line = this.lines[looked];
        if (line !== undefined && line.isRemark !== true && pattern.test(line.text)) return line;
      }
      if (pattern.test(this.#open)) return { ...now(), text: this.openLine };
      if (performance.now() - startedMs > deadlineMs) {
        throw new Error(
          `expected ${String(pattern)} on the console ${inWords(this.#source)} within ${deadlineMs} ms; last lines: ${this.lastLines()}`,
        );
      }
      await timer(lookEveryMs);
    }
  }

  /** Signs in at a login prompt; no action when the prompt after it is present already. The password is not recorded. */
  async login(
    { user, password, prompt = /[#$>] ?$/ }: { user: string; password: string; prompt?: RegExp },
    deadlineMs: number,
  ): Promise<void> {
    if (password !== "") this.#secrets.add(password);
    this.send("\n");
    const shown = await this.expect(new RegExp(`login: ?$|${prompt.source}`, "i"), { deadlineMs });
    if (!/login: ?$/i.test(shown.text)) return;
    this.send(`${user}\n`);
    await this.expect(/password: ?$/i, { deadlineMs });
    this.send(`${password}\n`);
    const after = await this.expect(new RegExp(`login incorrect|${prompt.source}`, "i"), { deadlineMs });
    if (/login incorrect/i.test(after.text))
      throw new Error(`console ${inWords(this.#source)}: sign-in as ${user} rejected`);
  }

  lastLines(): string {
    const shown = this.lines.slice(-lastLinesShown).map(({ text }) => text);
    if (this.#open !== "") shown.push(this.openLine);
    return shown.length === 0 ? "none" : shown.join(" | ");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error("the console was closed"));
    this.#wire?.stream.destroy();
    await this.#work;
  }

  #attach(wire: ConsoleWire): void {
    this.#wire = wire;
    const { stream } = wire;
    const lost = Promise.withResolvers<void>();
    stream.on("data", (bytes: Buffer) => this.#take(wire, bytes));
    stream.on("error", () => lost.resolve());
    stream.once("close", () => lost.resolve());
    stream.once("end", () => lost.resolve());
    this.#work = lost.promise.then(() => this.#reopen());
    if (wire.first !== undefined) this.#received(wire.first);
    stream.resume();
  }

  /** Unplugging a port or restarting a server does not end the record. */
  async #reopen(): Promise<void> {
    this.#wire?.stream.destroy();
    this.#wire = undefined;
    this.#decoder = new TextDecoder();
    // Half a line before a gap is not the beginning of the line after it.
    if (this.#open !== "") this.#end(this.#open, now());
    this.#open = "";
    const gap: ConsoleGap = { from: now() };
    if (!this.#closing.signal.aborted) {
      this.gaps.push(gap);
      this.#remark(gap.from, "console lost");
    }
    while (!this.#closing.signal.aborted) {
      const wire = await openWire(this.#source).catch(() => undefined);
      if (wire !== undefined && this.#closing.signal.aborted) wire.stream.destroy();
      else if (wire !== undefined) {
        gap.until = now();
        const lostSec = (gap.until.monotonicMs - gap.from.monotonicMs) / 1000;
        this.#remark(gap.until, `console open again after ${lostSec.toFixed(1)} s`);
        this.#attach(wire);
        return;
      }
      await timer(openAgainMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  #take(wire: ConsoleWire, received: Buffer): void {
    const { bytes, reply } = wire.filter(received);
    if (reply !== undefined) wire.stream.write(reply);
    this.#received(bytes);
  }

  #received(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const at = now();
    this.chunks.push({ direction: "received", ...at, bytes: this.#maskedBytes(bytes) });
    const parts = (this.#open + this.#decoder.decode(bytes, { stream: true })).split(/\r*\n/);
    this.#open = parts.pop() ?? "";
    for (const part of parts) this.#end(part, at);
    if (this.#open.length > longestLine) {
      this.#end(this.#open, at);
      this.#open = "";
    }
  }

  #remark(at: ConsoleInstant, text: string): void {
    this.lines.push({ ...at, text: `[rackproof: ${text}]`, isRemark: true });
  }

  #end(text: string, at: ConsoleInstant): void {
    const line = { ...at, text: this.#masked(text) };
    this.lines.push(line);
    const pattern = this.#patterns.find((one) => one.test(text));
    if (pattern !== undefined) this.alarms.push({ ...line, pattern: pattern.source });
  }

  #maskedBytes(bytes: Buffer): Buffer {
    if (this.#secrets.size === 0) return bytes;
    let text = bytes.toString("latin1");
    for (const secret of this.#secrets) text = text.replaceAll(Buffer.from(secret).toString("latin1"), "***");
    return Buffer.from(text, "latin1");
  }

  #masked(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, "***");
    return masked;
  }
}

function now(): ConsoleInstant {
  return { monotonicMs: performance.now(), epochMs: Date.now() };
}
