// Events that the soak creates, and whether the event stream delivers each of them once.
import type { Clock, GatewayUnderTest } from "../../harness/index.ts";

/** How long an event may take to the stream. */
const withinMs = 30_000;
const origin = "rackproof soak";
const eventName = "soak";

/** What the watch reads of an event stream. */
export interface FollowedEvents {
  readonly received: readonly {
    readonly record: { readonly message: string };
    readonly receivedMs: number;
  }[];
  readonly ended: boolean;
}

/** Creates an event with the message; answers whether the gateway accepted it. */
type Create = (message: string) => Promise<boolean>;

export function creatorAt({ admin }: GatewayUnderTest): Create {
  return async (message) => {
    const answer = await admin.call("createEvent", {
      json: { category: "system", event: eventName, origin, message, severity: "info" },
    });
    return answer.accepted;
  };
}

interface EventCounts {
  created: number;
  received: number;
  lost: number;
  repeated: number;
}

export class EventWatch {
  readonly counts: EventCounts = { created: 0, received: 0, lost: 0, repeated: 0 };
  /** Times from the creation to the stream since the last `take`. */
  #latenciesMs: number[] = [];
  readonly #clock: Clock;
  readonly #mark: string;
  readonly #lost: (text: string) => void;
  /** Created events that are expected on the stream: since when. */
  readonly #expected = new Map<string, number>();
  /** The newest received ones, to notice repetition. */
  readonly #received = new Set<string>();
  #stream: FollowedEvents | undefined;
  #read = 0;
  #next = 0;

  constructor(clock: Clock, mark: string, lost: (text: string) => void) {
    this.#clock = clock;
    this.#mark = mark;
    this.#lost = lost;
  }

  /** Reads this stream from now on; events created before are not expected on it. */
  follow(stream: FollowedEvents | undefined): void {
    this.#stream = stream;
    this.#read = 0;
    this.#received.clear();
    this.#expected.clear();
  }

  get awaits(): number {
    return this.#expected.size;
  }

  async create(create: Create): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined || stream.ended) return;
    this.#next += 1;
    const message = `${this.#mark} ${this.#next}`;
    this.#expected.set(message, this.#clock.nowMs());
    if (await create(message)) this.counts.created += 1;
    else this.#expected.delete(message);
  }

  /** Reads what has arrived; notices what is late. */
  look(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    for (; this.#read < stream.received.length; this.#read++) {
      const event = stream.received[this.#read];
      if (event === undefined || !event.record.message.startsWith(`${this.#mark} `)) continue;
      this.#take(event.record.message, event.receivedMs);
    }
    if (stream.ended) return this.#expected.clear();
    for (const [message, sinceMs] of this.#expected) {
      if (this.#clock.nowMs() - sinceMs < withinMs) continue;
      this.#expected.delete(message);
      this.counts.lost += 1;
      this.#lost(
        `event "${message}" was accepted and not received on the event stream within ${withinMs / 1000} s`,
      );
    }
  }

  #take(message: string, receivedMs: number): void {
    const sinceMs = this.#expected.get(message);
    if (sinceMs !== undefined) {
      this.#expected.delete(message);
      this.counts.received += 1;
      this.#latenciesMs.push(receivedMs - sinceMs);
    } else if (this.#received.has(message)) this.counts.repeated += 1;
    this.#received.add(message);
    const [oldest] = this.#received;
    if (this.#received.size > 1000 && oldest !== undefined) this.#received.delete(oldest);
  }

  takeLatencies(): number[] {
    const taken = this.#latenciesMs;
    this.#latenciesMs = [];
    return taken;
  }
}
