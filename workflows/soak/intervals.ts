// Writes a sample at the end of each interval.
import { median } from "../../record/index.ts";
import { watchHostDelay } from "../../rigs/index.ts";
import { type Ground, ownView, sleep } from "./ground.ts";
import type { Restarts } from "./restarts.ts";
import type { Control } from "./control.ts";
import type { EventWatch } from "./eventWatch.ts";
import type { FieldLoad } from "./fieldLoad.ts";
import type { Sample } from "./sample.ts";

export interface Measured {
  readonly restarts: Restarts;
  readonly events: EventWatch;
  readonly load: FieldLoad | undefined;
  readonly control: Control;
}

export class Intervals {
  readonly #ground: Ground;
  readonly #measured: Measured;
  #fromSec: number;
  #fromMs: number;
  #host = watchHostDelay();
  #before: { readonly changes: Numbers; readonly events: Numbers; readonly restarts: Numbers };

  constructor(ground: Ground, measured: Measured) {
    this.#ground = ground;
    this.#measured = measured;
    this.#fromSec = ground.soakedSec();
    this.#fromMs = ground.clock.nowMs();
    this.#before = this.#totals();
  }

  /** Writes a sample at each interval until the soak ends, and one for the rest. */
  async run(): Promise<void> {
    const { mix, clock, stopped } = this.#ground;
    let dueMs = clock.nowMs();
    while (!stopped.aborted) {
      dueMs += mix.intervalSec * 1000;
      await sleep(this.#ground, Math.max(0, dueMs - clock.nowMs()));
      await this.#close();
    }
    this.#host[Symbol.dispose]();
  }

  async #close(): Promise<void> {
    const { tally, connection, gateway, write, clock, soakedSec, tell } = this.#ground;
    const { restarts, events, load, control } = this.#measured;
    // The meter is for progress displays; it must not collect latencies without an end.
    connection.transport.meter.take();
    const resources = await this.#resources();
    const toSec = soakedSec();
    const before = this.#before;
    const now = this.#totals();
    const latency = load?.takeLatency();
    for (const deviation of load?.takeDeviations() ?? []) tell("change-deviation", deviation);
    const eventLatencies = events.takeLatencies();
    const controlTimes = control.take();
    const stallMs = Math.max(this.#host.ownMs(), gateway.field?.stoodStillMs(this.#fromMs) ?? 0);
    this.#host[Symbol.dispose]();
    this.#host = watchHostDelay();
    const { rss, heapUsed } = process.memoryUsage();
    const changes = minus(now.changes, before.changes);
    const sample: Sample = {
      kind: "sample",
      at: new Date(clock.epochMs()).toISOString(),
      from: round(this.#fromSec),
      to: round(toSec),
      boot: restarts.boot,
      bootSec: round(restarts.bootSec),
      disturbed: restarts.isDisturbedSince(this.#fromMs),
      operations: tally.take(),
      ...(load === undefined || load.points === 0
        ? {}
        : { changes: { ...zeroChanges, ...changes, ...latency } }),
      events: {
        ...zeroEvents,
        ...minus(now.events, before.events),
        ...(eventLatencies.length === 0 ? {} : { medianMs: round(median(eventLatencies)) }),
      },
      restarts: { ordered: 0, unordered: 0, ...minus(now.restarts, before.restarts) },
      ...resources,
      stallMs: round(stallMs),
      ...(controlTimes === undefined ? {} : { control: controlTimes }),
      harness: { rssBytes: rss, heapBytes: heapUsed },
    };
    this.#before = now;
    this.#fromSec = toSec;
    this.#fromMs = clock.nowMs();
    write(sample);
  }

  #totals(): { changes: Numbers; events: Numbers; restarts: Numbers } {
    const { load, events, restarts } = this.#measured;
    return {
      changes: { ...load?.counts() },
      events: { ...events.counts },
      restarts: { ...restarts.counts },
    };
  }

  /** From the rig; else from the tag that the mix names, and from the disks of the log configuration. */
  async #resources(): Promise<{ memoryBytes?: number; diskBytes?: number }> {
    const { gateway, mix, stopped } = this.#ground;
    const use = await gateway.resources?.().catch(() => undefined);
    if (stopped.aborted || (use?.memoryBytes !== undefined && use.diskBytes !== undefined)) return use ?? {};
    using view = ownView(this.#ground);
    const { admin } = view.gateway;
    const { memoryTag } = mix;
    const memory =
      use?.memoryBytes === undefined && memoryTag !== undefined
        ? await admin.call("readTag", { path: memoryTag }).then(
            (answer) => Number(answer.accepted ? answer.body().dataValue : Number.NaN),
            () => Number.NaN,
          )
        : Number.NaN;
    const disk =
      use?.diskBytes === undefined
        ? await admin.call("getLog").then(
            (answer) => (answer.accepted ? usedBytes(answer.json) : Number.NaN),
            () => Number.NaN,
          )
        : Number.NaN;
    return {
      ...(Number.isFinite(memory) ? { memoryBytes: memory } : {}),
      ...(Number.isFinite(disk) ? { diskBytes: disk } : {}),
      ...use,
    };
  }
}

type Numbers = Record<string, number>;
const zeroChanges = { received: 0, lost: 0, repeated: 0, disordered: 0 };
const zeroEvents = { created: 0, received: 0, lost: 0, repeated: 0 };

function minus(now: Numbers, before: Numbers): Numbers {
  return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

/** Used space of all disks of the log configuration. */
function usedBytes(json: unknown): number {
  const { disks } = (json as { data?: { disks?: unknown } } | undefined)?.data ?? {};
  if (!Array.isArray(disks)) return Number.NaN;
  return disks.reduce<number>((sum, disk) => sum + Number((disk as { used?: unknown }).used), 0);
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
