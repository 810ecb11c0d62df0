// Sequence numbers put into the rig's registers at a steady pace: what becomes of them shows loss, repeats, order, delay.
import type { Clock } from "../../harness/index.ts";
import type { FieldDevice, FieldPoint, FieldRack } from "../../rigs/index.ts";
import { countersOf } from "./fieldCounters.ts";

/** Points of simulated devices that take sequence numbers, all of one source. */
export interface LoadSource {
  readonly device: FieldDevice;
  readonly provider: string;
  readonly source: string;
  readonly points: readonly FieldPoint[];
  /** Place of each tag in the stream's list. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** Timers are late by a millisecond as a rule; that much may be caught up. */
const tolerableLateMs = 2;

/** Only types that do not wrap within a run. */
const wide: ReadonlySet<string> = new Set(["uint32", "int32", "uint64", "int64"]);

/** Sources whose points can all be set at once, of one kind of device. */
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

/** A device's points may take several requests to poll; this many are some rounds of them. */
const requestsPerChange = 12;
const lookEveryMs = 5;

/** Counts up in all points of the sources every `everyMs`, and remembers when. */
export class SequenceLoad {
  /** The number that the load began with. */
  readonly first: number;
  readonly #changedMs: number[] = [];
  readonly #sources: readonly LoadSource[];
  readonly #clock: Clock;

  private constructor(sources: readonly LoadSource[], clock: Clock, first: number) {
    this.#sources = sources;
    this.#clock = clock;
    this.first = first;
  }

  /** Begins above what the points hold, so that nothing that was there before is taken for a number of this load. */
  static async begin(sources: readonly LoadSource[], clock: Clock): Promise<SequenceLoad> {
    const held = sources.flatMap(({ device, points }) => points.map((point) => device.get(point)));
    const highest = (await Promise.all(held)).reduce<number>(
      (most, value) => Math.max(most, Number(value)),
      0,
    );
    const load = new SequenceLoad(sources, clock, highest + 1);
    load.step();
    return load;
  }

  /** The number set last. */
  get last(): number {
    return this.first + this.#changedMs.length - 1;
  }

  /** When the number was put into the registers, monotonic; undefined for one that never was. */
  changedMs = (sequence: number): number | undefined => this.#changedMs[sequence - this.first];

  /** Sets the next number everywhere. */
  step(): void {
    const sequence = this.last + 1;
    const nowMs = this.#clock.nowMs();
    for (const { device, points } of this.#sources) device.setAll?.(points.map((point) => [point, sequence]));
    this.#changedMs.push(nowMs);
  }

  /**
   * Sets so many numbers, each only after the one before has been there for `everyMs` and the devices were polled
   * meanwhile: how fast a gateway polls is its own affair, and what it never saw no stream can show.
   */
  async runPolled(everyMs: number, changes: number, signal: AbortSignal, patienceMs: number): Promise<void> {
    for (let change = 0; change < changes; change++) {
      const sinceMs = this.#clock.nowMs();
      const before = this.#sources.map(({ device }) => device.requests ?? 0);
      await this.#clock.delay(everyMs, signal);
      const isPolled = (): boolean =>
        this.#sources.every(
          ({ device }, index) =>
            device.requests === undefined || device.requests - (before[index] ?? 0) >= requestsPerChange,
        );
      while (!isPolled() && this.#clock.nowMs() - sinceMs < patienceMs)
        await this.#clock.delay(lookEveryMs, signal);
      this.step();
    }
  }

  /**
   * Runs for so long at the pace. What comes late is not made up for: two changes closer together than the pace could
   * fall between two polls, and that would be nobody's loss but this load's.
   */
  async run(everyMs: number, forMs: number, signal: AbortSignal): Promise<void> {
    const startedMs = this.#clock.nowMs();
    let dueMs = startedMs + everyMs;
    while (dueMs - startedMs <= forMs) {
      await this.#clock.delay(Math.max(0, dueMs - this.#clock.nowMs()), signal);
      this.step();
      dueMs = Math.max(dueMs, this.#clock.nowMs() - tolerableLateMs) + everyMs;
    }
  }
}
