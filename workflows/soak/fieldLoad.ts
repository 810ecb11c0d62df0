// Numbered values on the field devices, and the streams that must deliver each of them once and in order.
import type { Int32Histogram } from "hdr-histogram-js";
import { type Clock, latencyHistogram, SequenceLedger, type SequenceStream } from "../../harness/index.ts";
import type { FieldDevice, FieldPoint, FieldRack } from "../../rigs/index.ts";
import type { OwnView } from "./ground.ts";

/** Polling a device may take several requests; this number covers some rounds. */
const requestsPerChange = 12;
const lookEveryMs = 10;
/** A request that a standing device leaves unanswered for longer may be repeated, and shows no value. */
const stoodStillMs = 100;
/** Numbers whose instants are remembered, for the latency. */
const remembered = 4096;
const wide: ReadonlySet<string> = new Set(["uint32", "uint64"]);

interface Lane {
  readonly device: FieldDevice;
  readonly points: readonly FieldPoint[];
  readonly indexes: ReadonlyMap<string, number>;
  /** Lost, repeated and disordered changes that were reported. */
  reported: number;
  /** The number set last, and when each of the last ones was set. */
  last: number;
  readonly changedMs: Float64Array;
  stream?:
    | {
        readonly stream: SequenceStream;
        readonly ledger: SequenceLedger;
        readonly view: OwnView;
        readonly openedMs: number;
      }
    | undefined;
}

const none = { lost: 0, repeated: 0, disordered: 0 };

export interface ChangeCounts {
  received: number;
  lost: number;
  repeated: number;
  disordered: number;
}

/** Simulated devices that count their requests and have values to read only: all of their requests are polls. */
export function loadDevices({ devices }: FieldRack): FieldDevice[] {
  return devices.filter(
    (device) =>
      device.setAll !== undefined &&
      device.requests !== undefined &&
      device.points.every(({ access }) => access === "r"),
  );
}

function lanesOf(field: FieldRack): Lane[] {
  return loadDevices(field).flatMap((device) => {
    const numbers = device.points.filter(
      ({ access, dataType, at }) => access === "r" && wide.has(dataType) && at.kind === "modbus",
    );
    const bySource = Map.groupBy(numbers, ({ tag }) => JSON.stringify([tag.provider, tag.source]));
    return [...bySource.values()].map((points) => ({
      device,
      points,
      indexes: new Map(points.map(({ tag }, index) => [tag.tag, index])),
      reported: 0,
      last: 0,
      changedMs: new Float64Array(remembered),
    }));
  });
}

export class FieldLoad {
  readonly #lanes: readonly Lane[];
  readonly #field: FieldRack;
  readonly #clock: Clock;
  readonly #latencyUs: Int32Histogram = latencyHistogram();
  /** Counts of streams that are closed. */
  readonly #closed: ChangeCounts = { received: 0, lost: 0, repeated: 0, disordered: 0 };

  constructor(field: FieldRack, clock: Clock) {
    this.#lanes = lanesOf(field);
    this.#field = field;
    this.#clock = clock;
  }

  get points(): number {
    return this.#lanes.reduce((sum, { points }) => sum + points.length, 0);
  }

  /** Begins above the present values, which cannot be mistaken for numbers of this load. */
  async begin(): Promise<void> {
    await Promise.all(
      this.#lanes.map(async (lane) => {
        const present = await Promise.all(lane.points.map((point) => lane.device.get(point)));
        lane.last = Math.max(0, ...present.map(Number));
        await this.#step(lane);
      }),
    );
  }

  /** Counts up on every device until the signal; each number waits until the gateway polled the one before. */
  async run(changesPerSec: number, signal: AbortSignal): Promise<void> {
    const everyMs = (this.points / changesPerSec) * 1000;
    await Promise.all(this.#lanes.map((lane) => this.#count(lane, everyMs, signal)));
  }

  async #count(lane: Lane, everyMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sinceMs = this.#clock.nowMs();
      while (!signal.aborted && !(await this.#isPolled(lane, signal)));
      while (!signal.aborted && this.#clock.nowMs() - sinceMs < everyMs) await this.#clock.delay(lookEveryMs);
      if (!signal.aborted) await this.#step(lane);
    }
  }

  /** Waits for some rounds of polls; answers whether the devices answered them at once. */
  async #isPolled({ device }: Lane, signal: AbortSignal): Promise<boolean> {
    const sinceMs = this.#clock.nowMs();
    const before = device.requests ?? 0;
    while (!signal.aborted && (device.requests ?? 0) - before < requestsPerChange)
      await this.#clock.delay(lookEveryMs);
    return this.#field.stoodStillMs(sinceMs) < stoodStillMs;
  }

  async #step(lane: Lane): Promise<void> {
    const number = lane.last + 1;
    // A client may receive the number before the device reports that it shows it.
    lane.changedMs[number % remembered] = this.#clock.nowMs();
    lane.last = number;
    const at = await lane.device.setAll?.(lane.points.map((point) => [point, number]));
    if (at !== undefined) lane.changedMs[number % remembered] = at.low;
  }

  /** Opens the streams that are not open, or were opened longer ago than `renewAfterMs`. Answers how many the gateway had ended. */
  async follow(open: () => OwnView, renewAfterMs: number): Promise<number> {
    let ended = 0;
    for (const lane of this.#lanes) {
      const { stream: present } = lane;
      if (present?.stream.ended === true) ended += 1;
      else if (present !== undefined && this.#clock.nowMs() - present.openedMs < renewAfterMs) continue;
      await this.#close(lane);
      await this.#open(lane, open());
    }
    return ended;
  }

  async #open(lane: Lane, view: OwnView): Promise<void> {
    const ledger = new SequenceLedger(
      lane.points.length,
      lane.last,
      (number) => (lane.last - number < remembered ? lane.changedMs[number % remembered] : undefined),
      this.#latencyUs,
    );
    const [first] = lane.points;
    if (first === undefined) return;
    const stream = await view.gateway.admin.openSequenceStream(
      { provider: first.tag.provider, source: first.tag.source },
      { tags: lane.points.map(({ tag }) => tag.tag).join(","), onChanged: true },
      lane.indexes,
      { value: (index, number, receivedMs) => ledger.take(index, number, receivedMs) },
    );
    if (stream.status === 200) lane.stream = { stream, ledger, view, openedMs: this.#clock.nowMs() };
    else await stream[Symbol.asyncDispose]();
  }

  async #close(lane: Lane): Promise<void> {
    const { stream: present } = lane;
    if (present === undefined) return;
    lane.stream = undefined;
    await present.stream[Symbol.asyncDispose]();
    present.view[Symbol.dispose]();
    add(this.#closed, present.ledger);
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => this.#close(lane)));
  }

  /** Totals since the beginning. */
  counts(): ChangeCounts {
    const total = { ...this.#closed };
    for (const { stream } of this.#lanes) if (stream !== undefined) add(total, stream.ledger);
    return total;
  }

  /** One line for each source whose streams deviated since the last call. */
  takeDeviations(): string[] {
    return this.#lanes.flatMap((lane) => {
      const { lost, repeated, disordered } = lane.stream?.ledger ?? none;
      const now = lost + repeated + disordered;
      const isNew = now > lane.reported;
      lane.reported = now;
      if (!isNew) return [];
      const counts = `${lost} lost, ${repeated} repeated, ${disordered} out of order since the stream was opened`;
      return [`stream of ${lane.device.name}: ${counts}`];
    });
  }

  /** Percentiles of the latency since the last call; undefined without any. */
  takeLatency(): { lowMs: number; medianMs: number; p99Ms: number } | undefined {
    const { totalCount } = this.#latencyUs;
    const at = (percent: number): number => this.#latencyUs.getValueAtPercentile(percent) / 1000;
    const taken = totalCount === 0 ? undefined : { lowMs: at(10), medianMs: at(50), p99Ms: at(99) };
    this.#latencyUs.reset();
    return taken;
  }
}

function add(total: ChangeCounts, { received, lost, repeated, disordered }: ChangeCounts): void {
  total.received += received;
  total.lost += lost;
  total.repeated += repeated;
  total.disordered += disordered;
}
