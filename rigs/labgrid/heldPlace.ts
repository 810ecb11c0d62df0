// A place of labgrid while a run uses it: acquired before, watched meanwhile, released after. A coordinator that is started
// again has forgotten who acquired a place; the place is then acquired again.
import { setTimeout as timer } from "node:timers/promises";
import { acquire, connect, inUse, PlaceInUse, type PlaceWish } from "./acquire.ts";
import type { Coordinator } from "./coordinator.ts";
import { consoleOf, type PlaceConsole } from "./resources.ts";

export interface HeldPlaceOptions extends PlaceWish {
  /** True of a run whose starter has acquired the place under the same name, and releases it. */
  readonly isAdopted?: boolean;
  /** Time for which a run continues without the coordinator; default a minute. */
  readonly awayMs?: number;
}

const defaultAwayMs = 60_000;
const lookEveryMs = 500;

export class HeldPlace {
  readonly wish: HeldPlaceOptions;
  #session: Coordinator;
  #isRecovering = false;
  readonly #lost = new AbortController();
  readonly #ending = new AbortController();
  readonly #work: Promise<void>;

  private constructor(wish: HeldPlaceOptions, session: Coordinator) {
    this.wish = wish;
    this.#session = session;
    this.#work = this.#watch();
  }

  /** Throws PlaceInUse, or an Error that names what is missing. */
  static async take(wish: HeldPlaceOptions): Promise<HeldPlace> {
    const session = await connect(wish);
    try {
      if (wish.isAdopted !== true) await acquire(session, wish);
      const held = new HeldPlace(wish, session);
      held.check();
      if (held.lost.aborted) throw inUse(session, wish);
      return held;
    } catch (thrown) {
      await session[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Aborted when another client has released or acquired the place, or the coordinator is away for too long. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Notices a loss that the coordinator has reported by now. */
  check(): void {
    if (!this.#isRecovering && !this.#session.lost.aborted && !this.#isHeld())
      this.#lost.abort(inUse(this.#session, this.wish));
  }

  /** Where the serial port of the place is served now: elsewhere after each start of its exporter. */
  console(name?: string): PlaceConsole {
    const place = this.#session.places.get(this.wish.place);
    if (place === undefined) throw inUse(this.#session, this.wish);
    return consoleOf(place, this.#session.resourcesOf(place), name);
  }

  /** Ends the use; answers false when the coordinator does not answer, and the place stays acquired. */
  async release(): Promise<boolean> {
    this.#ending.abort();
    await this.#work;
    try {
      if (this.wish.isAdopted === true) return true;
      if (this.#session.lost.aborted) await this.#connectAgain();
      await this.#session.release(this.wish.place, this.wish.holder);
      return true;
    } catch {
      return false;
    } finally {
      await this.#session[Symbol.asyncDispose]();
    }
  }

  async #watch(): Promise<void> {
    while (!this.#isOver()) {
      this.check();
      if (this.#session.lost.aborted) {
        this.#isRecovering = true;
        await this.#recover();
        this.#isRecovering = false;
      }
      await this.#pause();
    }
  }

  /** Nobody else can acquire the place while the coordinator is away: the run continues for some time. */
  async #recover(): Promise<void> {
    const { awayMs = defaultAwayMs, isAdopted } = this.wish;
    const away = this.#session.lost.reason instanceof Error ? this.#session.lost.reason.message : "";
    const untilMs = performance.now() + awayMs;
    while (!this.#isOver()) {
      try {
        if (this.#session.lost.aborted) await this.#connectAgain();
        // The starter of this run acquires it again.
        if (!this.#isHeld() && isAdopted !== true) await acquire(this.#session, { ...this.wish, waitMs: 0 });
        if (this.#isHeld()) return;
        throw new Error("not acquired yet");
      } catch (thrown) {
        if (thrown instanceof PlaceInUse) this.#lost.abort(thrown);
        else if (performance.now() > untilMs)
          this.#lost.abort(new Error(`${away}; away for more than ${awayMs / 1000} s`, { cause: thrown }));
      }
      await this.#pause();
    }
  }

  #isHeld(): boolean {
    return this.#session.places.get(this.wish.place)?.acquired === this.wish.holder;
  }

  async #connectAgain(): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
    this.#session = await connect(this.wish);
  }

  async #pause(): Promise<void> {
    await timer(lookEveryMs, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  #isOver(): boolean {
    return this.#ending.signal.aborted || this.#lost.signal.aborted;
  }
}

/** Releases what an ended process left acquired; false when the coordinator does not answer. */
export async function releaseLeftPlace(wish: PlaceWish): Promise<"released" | "free" | "away"> {
  try {
    await using session = await connect(wish);
    if (session.places.get(wish.place)?.acquired !== wish.holder) return "free";
    await session.release(wish.place, wish.holder);
    return "released";
  } catch {
    return "away";
  }
}
