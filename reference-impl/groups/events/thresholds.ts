// Raises the catalogue's events for storage, load and memory when a threshold is crossed upwards.
import { freemem, loadavg, totalmem } from "node:os";
import { listDisks } from "../../foundation/disks.ts";
import type { Foundation } from "../../foundation/gateway.ts";

/** A quantity that is watched, with the thresholds of the catalogue: event kind by the value it must exceed. */
interface Watch {
  readonly name: string;
  readonly read: () => number;
  readonly kinds: readonly { readonly above: number; readonly kindId: number }[];
}

const everyMs = 30_000;

/** Readings of the machine; tests use others. */
export function machineWatches(stateFolder: string): Watch[] {
  return [
    {
      name: "storage usage",
      read: () => listDisks(stateFolder)[0]?.percent ?? 0,
      kinds: [
        { above: 90, kindId: 9 },
        { above: 95, kindId: 10 },
      ],
    },
    {
      name: "system load over 5 min",
      read: () => loadavg()[1] ?? 0,
      kinds: [
        { above: 1, kindId: 11 },
        { above: 3, kindId: 12 },
      ],
    },
    {
      name: "memory usage",
      read: () => (1 - freemem() / totalmem()) * 100,
      kinds: [{ above: 90, kindId: 13 }],
    },
  ];
}

export function watchThresholds(foundation: Foundation, watches: readonly Watch[]): Disposable {
  const exceeded = new Set<number>();
  let timer: Disposable | undefined;
  const look = (): void => {
    for (const { name, read, kinds } of watches) {
      const value = read();
      for (const { above, kindId } of kinds) {
        if (value <= above) exceeded.delete(kindId);
        else if (!exceeded.has(kindId)) {
          exceeded.add(kindId);
          foundation.events.raise(kindId, { message: `${name} is ${value.toFixed(1)}` });
        }
      }
    }
    timer = foundation.clock.after(everyMs, look);
  };
  look();
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}
