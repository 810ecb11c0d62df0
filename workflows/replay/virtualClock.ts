// A clock that jumps: time passes only when nothing else can run, and then at once to the next event.
import { type Clock, monotonicClock } from "../../harness/index.ts";

interface Event {
  readonly atMs: number;
  readonly run: () => void;
}

/** A longer jump is made only when no work of the case is still under way in the process. */
const jumpMs = 20;
/** What is under way for longer is not of the case: no work of one takes as long. */
const longestWorkMs = 5000;
const poolWork = /Immediate|FSReq|Random|Key|Sign|Hash|Derive|PBKDF|GetAddrInfo/i;

/** No timer ends earlier: a wait shorter than the precision of the time would never pass. */
const leastDelayMs = 1;

/** The case waits for something that will never happen. */
export class Standstill extends Error {
  override readonly name = "Standstill";
}

export class VirtualClock implements Clock {
  #nowMs: number;
  readonly #epochOffsetMs: number;
  /** Earliest last; those at the same time in the order in which they were made. */
  readonly #events: Event[] = [];

  constructor(startMs: number, epochOffsetMs: number) {
    this.#nowMs = startMs;
    this.#epochOffsetMs = epochOffsetMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  epochMs(): number {
    return Math.floor(this.#nowMs + this.#epochOffsetMs);
  }

  /** It is at least this late now. */
  reach(atMs: number): void {
    if (atMs > this.#nowMs) this.#nowMs = atMs;
  }

  /** Runs the action at the time, or as soon as possible when that has passed. Returns a function that prevents it. */
  at(atMs: number, run: () => void): () => void {
    const event: Event = { atMs, run };
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.atMs ?? 0) <= atMs) index -= 1;
    this.#events.splice(index, 0, event);
    return () => {
      const found = this.#events.indexOf(event);
      if (found >= 0) this.#events.splice(found, 1);
    };
  }

  /** Resolves at the time; rejects with the signal's reason. */
  until(atMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return promise;
    }
    const abort = (): void => {
      cancel();
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const cancel = this.at(atMs, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
    return promise;
  }

  delay(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.until(this.#nowMs + Math.max(leastDelayMs, delayMs), signal);
  }

  /** Lets the time pass until the work has ended. Throws Standstill when it never will. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    const pool = new PoolWork();
    for (;;) {
      await turn();
      if (isOver) return work;
      const next = this.#events.at(-1);
      if (next === undefined || next.atMs > this.#nowMs + jumpMs) await pool.idle();
      if (isOver) return work;
      const event = this.#events.pop();
      if (event === undefined) throw new Standstill("waits for an event that the record does not contain");
      this.reach(event.atMs);
      event.run();
    }
  }
}

/** All that can run without waiting has run afterwards. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Work that the process has given away, such as reading a file; what does not end is of others. */
class PoolWork {
  #ofOthers = 0;

  async idle(): Promise<void> {
    const startedMs = monotonicClock.nowMs();
    for (let idle = 0; idle < 2; idle++) {
      await turn();
      const now = workUnderWay();
      if (now <= this.#ofOthers) continue;
      if (monotonicClock.nowMs() - startedMs > longestWorkMs) this.#ofOthers = now;
      idle = 0;
    }
  }
}

function workUnderWay(): number {
  return process.getActiveResourcesInfo().filter((kind) => poolWork.test(kind)).length;
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}
