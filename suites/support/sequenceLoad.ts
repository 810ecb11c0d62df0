// Sequence numbers written to the rig's registers at a steady pace: they show loss, repetition, order and delay.
import { type CaseContext, timeOf } from "../../harness/index.ts";
import type { FieldDevice, FieldPoint, FieldRack } from "../../rigs/index.ts";
import { countersOf } from "./fieldCounters.ts";

/** Points of one source of a simulated device that carry sequence numbers. */
export interface LoadSource {
  readonly device: FieldDevice;
  readonly provider: string;
  readonly source: string;
  readonly points: readonly FieldPoint[];
  /** Place of each tag in the stream's list. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** Timers are usually late by a millisecond; that much may be made up for. */
const tolerableLateMs = 2;

/** Types that do not overflow within a run. */
const wide: ReadonlySet<string> = new Set(["uint32", "int32", "uint64", "int64"]);

/** Sources whose points can be set in one step, optionally of one kind of device. */
export function loadSources({ devices }: FieldRack, kind?: FieldDevice["kind"]): LoadSource[] {
  return devices.flatMap((device) => {
    if (device.setAll === undefined || (kind !== undefined && device.kind !== kind)) return [];
    const points = countersOf(device).filter(({ dataType }) => wide.has(dataType));
    const bySource = Map.groupBy(points, ({ tag }) => JSON.stringify([tag.provider, tag.source]));
    return [...bySource.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { provider, source } = first.tag;
      const indexes = new Map(group.map(({ tag }, index) => [tag.tag, index]));
      return [{ device, provider, source, points: group, indexes }];
    });
  });
}

const lookEveryMs = 5;
/** More numbers than any load needs. */
const room = 2 ** 24;
const endOfInt32 = 2 ** 31;

/** The number after the highest value; after a lower one, or one, where a value leaves no room above it. */
export function firstNumber(held: readonly number[]): number {
  const free = [0, ...held]
    .filter((one) => one >= 0 && one < endOfInt32 - room)
    .toSorted((a, b) => b - a)
    .find((one) => !held.some((other) => other > one && other <= one + room));
  return (free ?? 0) + 1;
}

/** Counts up in all points of the sources every `everyMs`, and records the time of each step. */
export class SequenceLoad {
  /** The first number of the load. */
  readonly first: number;
  readonly #changedMs: number[] = [];
  readonly sources: readonly LoadSource[];
  /** A device with several sources changes once: it tells which registers of its last change nobody has asked for. */
  readonly #pointsOf: ReadonlyMap<FieldDevice, readonly FieldPoint[]>;
  readonly #clock: CaseContext["clock"];
  readonly #now: () => number;

  private constructor(
    sources: readonly LoadSource[],
    { clock, outside }: Pick<CaseContext, "clock" | "outside">,
    first: number,
  ) {
    this.sources = sources;
    const ofDevice = Map.groupBy(sources, ({ device }) => device);
    this.#pointsOf = new Map(
      ofDevice.entries().map(([device, own]) => [device, own.flatMap(({ points }) => points)]),
    );
    this.#clock = clock;
    // The record holds the times that decide how often the load steps: a replay steps as often.
    this.#now = () => outside.read(timeOf("a load"), () => clock.nowMs());
    this.first = first;
  }

  /** Begins with a number that no point has or reaches soon: a present value cannot be mistaken for one of this load. */
  static async begin(
    sources: readonly LoadSource[],
    context: Pick<CaseContext, "clock" | "outside">,
  ): Promise<SequenceLoad> {
    const held = sources.flatMap(({ device, points }) => points.map((point) => device.get(point)));
    const load = new SequenceLoad(sources, context, firstNumber((await Promise.all(held)).map(Number)));
    await load.step();
    return load;
  }

  /** The number set last. */
  get last(): number {
    return this.first + this.#changedMs.length - 1;
  }

  /** Monotonic time of writing the number to the registers; undefined for any other number. */
  changedMs = (sequence: number): number | undefined => this.#changedMs[sequence - this.first];

  /** Sets the next number everywhere; resolves when all devices show it. */
  async step(): Promise<void> {
    const sequence = this.last + 1;
    // A client may receive the number before the devices report that they show it.
    this.#changedMs.push(this.#clock.nowMs());
    const shown = await Promise.all(
      [...this.#pointsOf].map(async ([device, points]) =>
        device.setAll?.(points.map((point) => [point, sequence])),
      ),
    );
    this.#changedMs[sequence - this.first] = Math.min(...shown.flatMap((at) => at?.low ?? []));
  }

  /**
   * Sets so many numbers, each only after all points were asked for the previous one and it has been present for half of
   * `everyMs` more: the poll rate is not stated, and a stream cannot show a value that was never polled.
   */
  async runPolled(everyMs: number, changes: number, signal: AbortSignal, patienceMs: number): Promise<void> {
    const isRead = (): boolean => this.sources.every(({ device }) => (device.unread ?? 0) === 0);
    for (let change = 0; change < changes; change++) {
      const sinceMs = this.#now();
      await this.#clock.delay(everyMs / 2, signal);
      while (!isRead() && this.#now() - sinceMs < patienceMs) await this.#clock.delay(lookEveryMs, signal);
      await this.#clock.delay(everyMs / 2, signal);
      await this.step();
    }
  }

  /**
   * Runs for so long at the pace. A late step is not made up for: two changes closer together than the pace could fall
   * between two polls, which would be a fault of this load. Returns the milliseconds that it took.
   */
  async run(everyMs: number, forMs: number, signal: AbortSignal): Promise<number> {
    const startedMs = this.#now();
    let dueMs = startedMs + everyMs;
    while (dueMs - startedMs <= forMs) {
      await this.#clock.delay(Math.max(0, dueMs - this.#now()), signal);
      await this.step();
      dueMs = Math.max(dueMs, this.#now() - tolerableLateMs) + everyMs;
    }
    return this.#now() - startedMs;
  }
}
