// Clients of tag streams that count sequence numbers; each reads all sources of the load.
import {
  around,
  type CaseContext,
  type Evidence,
  SequenceLedger,
  type SequenceStream,
  type SequenceTotals,
  latencyHistogram,
  measureCapacity,
} from "../../harness/index.ts";
import { notShowing, recoverWithinMs } from "./following.ts";
import type { LoadSource, SequenceLoad } from "./sequenceLoad.ts";

interface Reading {
  readonly source: LoadSource;
  readonly stream: SequenceStream;
  readonly ledger: SequenceLedger;
}

export class SequenceClient implements AsyncDisposable {
  readonly readings: readonly Reading[];

  private constructor(readings: readonly Reading[]) {
    this.readings = readings;
  }

  /** Opens one stream of changes per source. */
  static async open(
    context: CaseContext,
    sources: readonly LoadSource[],
    load: SequenceLoad,
    latencyUs = latencyHistogram(),
  ): Promise<SequenceClient> {
    const readings: Reading[] = [];
    const client = new SequenceClient(readings);
    for (const source of sources) {
      const ledger = new SequenceLedger(source.points.length, load.first, load.changedMs, latencyUs);
      const names = source.points.map(({ tag }) => tag.tag).join(",");
      const stream = await context.gateway.admin.openSequenceStream(
        { provider: source.provider, source: source.source },
        { tags: names, onChanged: true },
        source.indexes,
        {
          value: (index, sequence, receivedMs) => ledger.take(index, sequence, receivedMs),
          changedMs: load.changedMs,
        },
      );
      readings.push({ source, stream, ledger });
      if (stream.status !== 200) {
        await client[Symbol.asyncDispose]();
        context.unmet(
          `opening a stream of ${source.provider}/${source.source} failed: status ${stream.status}`,
        );
      }
    }
    return client;
  }

  get count(): number {
    return this.readings.reduce((sum, { stream }) => sum + stream.count, 0);
  }

  hasAll(sequence: number): boolean {
    return this.readings.every(({ ledger }) => ledger.hasAll(sequence));
  }

  /** The stream with the first deviation, or one that lacks the number; undefined when all is in order. */
  evidence(lastSequence: number): Evidence | undefined {
    const deviating = this.readings
      .filter(({ ledger }) => ledger.deviatedMs !== undefined)
      .toSorted((a, b) => (a.ledger.deviatedMs ?? 0) - (b.ledger.deviatedMs ?? 0));
    const [first] = [...deviating, ...this.readings.filter(({ ledger }) => !ledger.hasAll(lastSequence))];
    return first && around(first.stream, first.ledger.deviatedMs);
  }

  /** Totals over all sources; a stream that ends early shows as loss. */
  totals(lastSequence: number): SequenceTotals {
    const all = this.readings.map(({ ledger }) => ledger.close(lastSequence));
    const sum = (part: keyof SequenceTotals): number => all.reduce((total, one) => total + one[part], 0);
    return {
      received: sum("received"),
      lost: sum("lost"),
      repeated: sum("repeated"),
      disordered: sum("disordered"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.readings.map(({ stream }) => stream[Symbol.asyncDispose]()));
  }
}

/** Waits until every client has received the last number, or the time is up. */
export async function untilAllShown(
  { clock, signal }: CaseContext,
  clients: readonly SequenceClient[],
  sequence: number,
  withinMs: number,
): Promise<void> {
  const startedMs = clock.nowMs();
  while (!clients.every((client) => client.hasAll(sequence)) && clock.nowMs() - startedMs < withinMs)
    await clock.delay(10, signal);
}

/**
 * Establishes that the tags follow their devices and that every stream delivers a change of every tag, whether or not a
 * stream opens with a value. Returns the reason when that is not the case.
 */
export async function whyNotDelivering(
  context: CaseContext,
  load: SequenceLoad,
  clients: readonly SequenceClient[],
  withinMs: number,
): Promise<{ readonly cause: "devices" | "streams"; readonly reason: string } | undefined> {
  const placed = load.sources.flatMap(({ device, points }) => points.map((point) => ({ device, point })));
  const missing = await notShowing(context, placed, load.last, Math.max(withinMs, recoverWithinMs));
  if (missing.length > 0)
    return {
      cause: "devices",
      reason: `${missing.length} of ${placed.length} tags do not follow their devices: ${missing.slice(0, 5).join(", ")}`,
    };
  await load.step();
  await untilAllShown(context, clients, load.last, withinMs);
  return clients.every((client) => client.hasAll(load.last))
    ? undefined
    : {
        cause: "streams",
        reason: `a change of ${placed.length} tags was not received on all streams of ${clients.length} clients within ${withinMs} ms`,
      };
}

/** Reading capacity of this harness for the same bytes, in values per second. */
export function clientCapacity(
  { clock, outside }: CaseContext,
  clients: readonly SequenceClient[],
): number | undefined {
  return outside.read("reading capacity", () => {
    for (const { readings } of clients) {
      for (const { stream, source } of readings) {
        if (stream.specimen !== undefined)
          return measureCapacity(stream.specimen, source.indexes, () => clock.nowMs());
      }
    }
    return undefined;
  });
}
