// Follows a run or a night from its files, independent of the program that runs it.
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../harness/index.ts";
import type { LiveState, LiveTurn } from "../../record/index.ts";
import type { LiveEvent } from "./events.ts";
import { liveFile } from "./liveLog.ts";
import { parseEvent } from "./readLive.ts";
import { RunState } from "./runState.ts";

const lookEveryMs = 250;
const pieceBytes = 256 * 1024;

/** Events added to a folder since the last call. */
class Tail {
  readonly #file: string;
  #readBytes = 0;
  #rest = Buffer.alloc(0);

  constructor(folder: string) {
    this.#file = join(folder, liveFile);
  }

  async next(): Promise<LiveEvent[]> {
    const file = await open(this.#file).catch(() => undefined);
    if (file === undefined) return [];
    await using _closing = { [Symbol.asyncDispose]: () => file.close() };
    const events: LiveEvent[] = [];
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, this.#readBytes);
      if (bytesRead === 0) return events;
      this.#readBytes += bytesRead;
      const all = Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]);
      const end = all.lastIndexOf("\n") + 1;
      this.#rest = all.subarray(end);
      for (const line of all.subarray(0, end).toString("utf8").split("\n")) {
        const event = parseEvent(line);
        if (event !== undefined) events.push(event);
      }
    }
  }
}

interface FollowedRun {
  readonly tail: Tail;
  readonly state: RunState;
}

export class Follower implements Disposable {
  readonly #folder: string;
  readonly #tail: Tail;
  readonly #own = new RunState();
  #isRun = false;
  readonly #turns = new Map<string, LiveTurn>();
  readonly #runs = new Map<string, FollowedRun>();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #ended: string | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#tail = new Tail(folder);
    void this.#follow(clock);
  }

  get state(): LiveState {
    const runs = [...this.#runs.values()]
      .map(({ state }) => state.run)
      .filter(({ startedAt }) => startedAt > 0);
    return {
      folder: this.#folder,
      turns: [...this.#turns.values()],
      runs: this.#isRun ? [this.#own.run] : runs,
      ...(this.#ended === undefined ? {} : { ended: this.#ended }),
    };
  }

  /** Calls the listener for each change until the answer is disposed. */
  onNews(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  [Symbol.dispose](): void {
    this.#ending.abort(new Error("watching ended"));
  }

  async #follow(clock: Clock): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      // A file that cannot be read now may be readable next time.
      if (await this.#look().catch(() => false)) for (const listener of this.#listeners) listener();
      await clock.delay(lookEveryMs, signal).catch(() => undefined);
    }
  }

  async #look(): Promise<boolean> {
    const events = await this.#tail.next();
    for (const event of events) this.#take(event);
    let isNew = events.length > 0;
    for (const { tail, state } of this.#runs.values()) {
      const news = await tail.next();
      for (const event of news) state.take(event);
      isNew ||= news.length > 0;
    }
    return isNew;
  }

  #take(event: LiveEvent): void {
    if (event.kind === "ended") this.#ended = event.text;
    if (event.kind !== "turn") {
      this.#isRun ||= event.kind === "campaign";
      this.#own.take(event);
      return;
    }
    const { gateway, state, folder, attempt, note } = event;
    this.#turns.set(gateway, {
      gateway,
      state,
      ...(attempt === undefined ? {} : { attempt }),
      ...(note === undefined ? {} : { note }),
    });
    if (state === "running" && folder !== undefined)
      this.#runs.set(gateway, { tail: new Tail(join(this.#folder, folder)), state: new RunState() });
    else if (state === "done" || state === "set-aside") this.#runs.delete(gateway);
  }
}
