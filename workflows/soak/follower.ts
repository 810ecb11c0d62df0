// The streams of a soak: opened, renewed before their token expires, and opened again when they ended.
import type { EventStream } from "../../harness/index.ts";
import { messageOf } from "../../record/index.ts";
import { type Ground, type OwnView, ownView } from "./ground.ts";
import type { EventWatch } from "./eventWatch.ts";
import type { FieldLoad } from "./fieldLoad.ts";

/** A token for streams is at most a fifth of its lifetime old; a stream ends with it. */
const shareOfToken = 0.6;
/** What a reader of events has received stays in memory until it is renewed. */
const longestMs = 10 * 60_000;

export class Follower implements AsyncDisposable {
  readonly #ground: Ground;
  readonly #events: EventWatch;
  readonly #load: FieldLoad | undefined;
  readonly #interrupted: () => void;
  readonly #renewAfterMs: number;
  #eventStream:
    | { readonly stream: EventStream; readonly view: OwnView; readonly openedMs: number }
    | undefined;

  constructor(ground: Ground, events: EventWatch, load: FieldLoad | undefined, interrupted: () => void) {
    this.#ground = ground;
    this.#events = events;
    this.#load = load;
    this.#interrupted = interrupted;
    const { tokenLifetimeSec } = ground.profile;
    this.#renewAfterMs = Math.min(longestMs, (tokenLifetimeSec ?? Infinity) * 1000 * shareOfToken);
  }

  /** Opens what is not open. A stream that cannot be opened is tried again at the next turn. */
  async follow(isExpected: boolean): Promise<void> {
    const { tell } = this.#ground;
    try {
      const ended = (await this.#load?.follow(() => ownView(this.#ground), this.#renewAfterMs)) ?? 0;
      const eventsEnded = await this.#followEvents();
      if (ended + eventsEnded === 0) return;
      this.#interrupted();
      if (!isExpected)
        tell("stream-ended", `the gateway ended ${ended} streams of changes and ${eventsEnded} of events`);
    } catch (thrown) {
      this.#interrupted();
      this.#ground.tally.error("streams", "not opened", messageOf(thrown));
    }
  }

  /** Answers how many event streams the gateway had ended. */
  async #followEvents(): Promise<number> {
    const { clock, mix } = this.#ground;
    if ((mix.actions.events ?? 0) === 0) return 0;
    const present = this.#eventStream;
    const hasEnded = present?.stream.ended === true;
    const isOld = present !== undefined && clock.nowMs() - present.openedMs > this.#renewAfterMs;
    // Events that are still expected would be missed by another stream.
    if (present !== undefined && !hasEnded && (!isOld || this.#events.awaits > 0)) return 0;
    await this.#closeEvents();
    const view = ownView(this.#ground);
    const stream = await view.gateway.admin.openEventStream();
    if (stream.status === 200) {
      this.#eventStream = { stream, view, openedMs: clock.nowMs() };
      this.#events.follow(stream);
    } else view[Symbol.dispose]();
    return hasEnded ? 1 : 0;
  }

  async #closeEvents(): Promise<void> {
    const present = this.#eventStream;
    this.#eventStream = undefined;
    this.#events.follow(undefined);
    await present?.stream[Symbol.asyncDispose]();
    present?.view[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeEvents();
    await this.#load?.closeAll();
  }
}
