// Events of field devices on the event stream and in the log, from a given moment on.
import type { Answer, CaseContext, EventStream, Evidence } from "../../harness/index.ts";
import type { EventKind } from "../../interface/resources/events.ts";
import { verifyKindOf } from "./recordedEvents.ts";

/** A gateway chooses its own reconnection pause; the interface states no time. */
const withinMs = 15_000;
const pageLimit = 100;

export class EventWatch implements AsyncDisposable {
  readonly withinMs = withinMs;
  readonly #context: CaseContext;
  readonly #names: ReadonlySet<string>;
  readonly #kinds: readonly EventKind[];
  readonly #stream: EventStream;
  #looked = 0;

  private constructor(context: CaseContext, kinds: readonly EventKind[], stream: EventStream) {
    this.#context = context;
    this.#names = new Set(kinds.map(({ event }) => event));
    this.#kinds = kinds;
    this.#stream = stream;
  }

  /** Enables the kinds, which the harness restores with the catalogue, and opens the stream. */
  static async begin(context: CaseContext, names: readonly string[]): Promise<EventWatch> {
    const { gateway } = context;
    const catalogue = (await gateway.admin.call("getEventCatalogue")).data();
    const kinds = catalogue.events.filter(({ event }) => names.includes(event));
    if (kinds.length < names.length)
      context.notApplicable(`the catalogue lacks some of the kinds ${names.join(", ")}`);
    await gateway.admin.call("updateEventKinds", {
      json: { events: kinds.map(({ id }) => ({ id, enable: true })) },
    });
    const stream = await gateway.admin.openEventStream();
    if (stream.status !== 200) context.unmet(`opening a stream of events failed: status ${stream.status}`);
    return new EventWatch(context, kinds, stream);
  }

  /** The event stream, as evidence. */
  get evidence(): Evidence {
    return this.#stream;
  }

  /** Monotonic time of the next event of the name; undefined when none arrives in time. */
  async next(name: string): Promise<number | undefined> {
    const { clock, signal } = this.#context;
    const startedMs = clock.nowMs();
    while (clock.nowMs() - startedMs < withinMs) {
      const { received } = this.#stream;
      for (; this.#looked < received.length; this.#looked++) {
        const event = received[this.#looked];
        if (event?.record.event === name) {
          this.#looked += 1;
          return event.receivedMs;
        }
      }
      await clock.delay(10, signal);
    }
    return undefined;
  }

  /** Compares category and severity of the streamed events of the name with the catalogue. */
  verifyKind(name: string): void {
    const kind = this.#kinds.find(({ event }) => event === name);
    const record = this.#stream.received.findLast((one) => one.record.event === name)?.record;
    if (kind !== undefined && record !== undefined)
      verifyKindOf(this.#context.verify, record, kind, this.#stream);
  }

  /** Names of the watched events on the stream and in the log, oldest first. */
  async finish(): Promise<{ readonly streamed: string[]; readonly logged: string[] }> {
    const { gateway } = this.#context;
    const seen = this.#stream.received
      .map(({ record }) => record)
      .filter(({ event }) => this.#names.has(event));
    const read = (offset: number): Promise<Answer<"getEvents">> =>
      gateway.admin.call("getEvents", {
        query: {
          limit: pageLimit,
          offset,
          eventNames: [...this.#names].join(","),
          order: "time",
          sort: "asc",
        },
      });
    const oldest = await read(0);
    const { total } = oldest.body();
    const newest = total <= pageLimit ? oldest : await read(total - pageLimit);
    // By time and not by id: ids need not grow.
    const log = newest.data();
    const from = log.findIndex(({ id }) => id === seen[0]?.id);
    const logged = from < 0 ? [] : log.slice(from);
    return { streamed: seen.map(({ event }) => event), logged: logged.map(({ event }) => event) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stream[Symbol.asyncDispose]();
  }
}
