// One stream of tag values, made once and sent to every client that asked for the same.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import { Differences } from "./difference.ts";
import { framesOf } from "./frame.ts";
import { every } from "./pace.ts";
import type { Change, ValueTable } from "./values.ts";

/** What a stream is to hold. */
export interface FeedRequest {
  readonly provider: string;
  readonly source: string;
  /** Names of the tags; undefined for all of the source. */
  readonly names: ReadonlySet<string> | undefined;
  /** Milliseconds between two rounds; undefined streams changes. */
  readonly intervalMs: number | undefined;
  /** Send the difference to the value sent before. */
  readonly isDiff: boolean;
}

/** The source that a feed is about. */
export interface FeedSource {
  /** The readable tags of the request, at this moment. */
  tags(): readonly Tag[];
  /** Updates polled values. */
  refresh(): void;
}

/** Who reads a feed. */
export interface FeedClient {
  write(bytes: Buffer): void;
  /** Ends the stream after what was written. */
  end(): void;
  /** Whether the client may still read. */
  isAllowed(): boolean;
}

const refreshEveryMs = 100;
const askPermissionEveryMs = 250;

/** A client of a feed gets the present values once, then every round or every change, each exactly once. */
export class Feed implements Disposable {
  readonly #clients = new Set<FeedClient>();
  readonly #newcomers = new Set<FeedClient>();
  readonly #differences: Differences | undefined;
  readonly #values: ValueTable;
  readonly #request: FeedRequest;
  readonly #source: FeedSource;
  readonly #work = new DisposableStack();

  constructor(values: ValueTable, clock: Clock, request: FeedRequest, source: FeedSource) {
    this.#values = values;
    this.#request = request;
    this.#source = source;
    this.#differences = request.isDiff ? new Differences() : undefined;
    const { provider, source: name, intervalMs } = request;
    source.refresh();
    if (intervalMs === undefined) {
      this.#work.use(values.onChange(provider, name, (changes) => this.#send(this.#wanted(changes))));
      this.#work.use(every(clock, refreshEveryMs, () => source.refresh()));
    } else {
      this.#work.use(
        every(clock, intervalMs, () => {
          source.refresh();
          this.#send(this.#present());
        }),
      );
    }
    this.#work.use(every(clock, askPermissionEveryMs, () => this.#endForbidden()));
    this.#differences?.of(this.#present());
  }

  get isEmpty(): boolean {
    return this.#clients.size === 0;
  }

  /**
   * Adds a client. A stream of changes begins with the present values; so does one at an interval for its first
   * client, while later ones join at the next round, so that all rounds lie an interval apart for everybody.
   */
  join(client: FeedClient): void {
    if (this.#request.intervalMs !== undefined && !this.isEmpty) {
      this.#newcomers.add(client);
      this.#clients.add(client);
      return;
    }
    this.#source.refresh();
    // Earlier changes go to the other clients now; the new client has them in the present values.
    this.#values.flush();
    this.#clients.add(client);
    this.#greet(client, this.#present());
  }

  leave(client: FeedClient): void {
    this.#clients.delete(client);
    this.#newcomers.delete(client);
  }

  [Symbol.dispose](): void {
    this.#work.dispose();
  }

  #present(): Change[] {
    return this.#source.tags().flatMap((tag) => {
      const sample = this.#values.latest(tag);
      return sample === undefined ? [] : [{ tag, ...sample }];
    });
  }

  #wanted(changes: readonly Change[]): readonly Change[] {
    const { names } = this.#request;
    return changes.filter(({ tag }) => tag.access !== "w" && (names?.has(tag.tagName) ?? true));
  }

  #send(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    const sent = this.#differences?.of(changes) ?? changes;
    if (this.isEmpty) return;
    const bytes = framesOf(sent);
    for (const client of this.#clients) {
      if (this.#differences !== undefined && this.#newcomers.has(client)) this.#greet(client, changes);
      else client.write(bytes);
    }
    this.#newcomers.clear();
  }

  #greet(client: FeedClient, present: readonly Change[]): void {
    if (present.length > 0) client.write(framesOf(present));
  }

  #endForbidden(): void {
    for (const client of this.#clients) if (!client.isAllowed()) client.end();
  }
}

// Beyond this, sharing saves little, and a late client would wait long for its first round.
const longestSharedIntervalMs = 1000;

/** The feeds with clients. */
export class Feeds implements Disposable {
  readonly #feeds = new Map<string, Feed>();
  readonly #values: ValueTable;
  readonly #clock: Clock;
  #unshared = 0;

  constructor(values: ValueTable, clock: Clock) {
    this.#values = values;
    this.#clock = clock;
  }

  /** Adds the client to the feed of its request; disposing the result removes it. */
  join(request: FeedRequest, source: FeedSource, client: FeedClient): Disposable {
    const key = this.#keyOf(request);
    let feed = this.#feeds.get(key);
    if (feed === undefined) {
      feed = new Feed(this.#values, this.#clock, request, source);
      this.#feeds.set(key, feed);
    }
    const joined = feed;
    joined.join(client);
    return {
      [Symbol.dispose]: () => {
        joined.leave(client);
        if (!joined.isEmpty || this.#feeds.get(key) !== joined) return;
        this.#feeds.delete(key);
        joined[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    for (const feed of this.#feeds.values()) feed[Symbol.dispose]();
    this.#feeds.clear();
  }

  #keyOf({ provider, source, names, intervalMs, isDiff }: FeedRequest): string {
    const isShared = intervalMs === undefined || intervalMs <= longestSharedIntervalMs;
    return JSON.stringify([
      provider,
      source,
      names === undefined ? null : [...names].toSorted(),
      intervalMs ?? null,
      isDiff,
      isShared ? 0 : ++this.#unshared,
    ]);
  }
}
