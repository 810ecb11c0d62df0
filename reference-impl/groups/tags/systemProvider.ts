// Tags of the machine itself, read from the operating system when somebody asks.
import { readFileSync } from "node:fs";
import { cpus, freemem, totalmem, uptime } from "node:os";
import type { Tag, TagDataType } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import { listDisks } from "../../foundation/disks.ts";
import type { TagProvider } from "./provider.ts";
import type { ValueTable } from "./values.ts";

interface Source {
  readonly name: string;
  /** Data type and unit of each tag, by name. */
  readonly tags: Readonly<Record<string, readonly [TagDataType, string]>>;
  read(): Readonly<Record<string, number>>;
}

const readAtMostEveryMs = 100;
const dataSizeBytes = 8;

/** The provider `system` with the sources `status`, `storage` and `network`. */
export function createSystemProvider(values: ValueTable, clock: Clock, stateFolder: string): TagProvider {
  const sources = [statusSource(), storageSource(stateFolder), networkSource()];
  const tagsBySource = new Map(
    sources.map((source) => [
      source.name,
      Object.entries(source.tags).map(([tagName, [dataType, dataUnit]]): Tag => ({
        prvdName: "system",
        srcName: source.name,
        tagName,
        dataType,
        dataSize: dataSizeBytes,
        dataUnit,
        access: "r",
      })),
    ]),
  );
  const all = [...tagsBySource.values()].flat();
  const readMs = new Map<string, number>();
  return {
    name: "system",
    tags: () => all,
    refresh(name) {
      const source = sources.find((one) => one.name === name);
      const nowMs = clock.monotonicMs();
      // A pace of 100 ms arrives now and then a little early.
      const isFresh = nowMs - (readMs.get(name) ?? Number.NEGATIVE_INFINITY) < readAtMostEveryMs - 1;
      if (source === undefined || isFresh) return;
      readMs.set(name, nowMs);
      const read = source.read();
      for (const tag of tagsBySource.get(name) ?? []) {
        const value = read[tag.tagName];
        if (value !== undefined) values.set(tag, value, clock.nowMs());
      }
    },
  };
}

function statusSource(): Source {
  let before = { busy: 0, total: 0 };
  let cpuUsage = 0;
  return {
    name: "status",
    tags: {
      cpuUsage: ["double", "%"],
      memoryUsage: ["double", "%"],
      memoryUsed: ["uint64", "B"],
      memoryTotal: ["uint64", "B"],
      uptime: ["uint64", "s"],
    },
    read() {
      const now = cpuTimes();
      if (now.total > before.total) cpuUsage = percent((now.busy - before.busy) / (now.total - before.total));
      before = now;
      const total = totalmem();
      const used = total - freemem();
      return {
        cpuUsage,
        memoryUsage: percent(used / total),
        memoryUsed: used,
        memoryTotal: total,
        uptime: Math.floor(uptime()),
      };
    },
  };
}

function cpuTimes(): { busy: number; total: number } {
  let busy = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    busy += times.user + times.nice + times.sys + times.irq;
    idle += times.idle;
  }
  return { busy, total: busy + idle };
}

/** The tags that the disk entries name. */
function storageSource(stateFolder: string): Source {
  return {
    name: "storage",
    tags: { storageFree: ["uint64", "B"], storageUsed: ["uint64", "B"], storagePercent: ["double", "%"] },
    read() {
      const disk = listDisks(stateFolder)[0];
      return disk === undefined
        ? {}
        : { storageFree: disk.free, storageUsed: disk.used, storagePercent: disk.percent };
    },
  };
}

function networkSource(): Source {
  return {
    name: "network",
    tags: {
      rxBytes: ["uint64", "B"],
      rxPackets: ["uint64", ""],
      txBytes: ["uint64", "B"],
      txPackets: ["uint64", ""],
    },
    read() {
      const sums = { rxBytes: 0, rxPackets: 0, txBytes: 0, txPackets: 0 };
      for (const line of networkLines()) {
        const [rxBytes = 0, rxPackets = 0, , , , , , , txBytes = 0, txPackets = 0] = line
          .trim()
          .split(/\s+/)
          .map(Number);
        sums.rxBytes += rxBytes;
        sums.rxPackets += rxPackets;
        sums.txBytes += txBytes;
        sums.txPackets += txPackets;
      }
      return sums;
    },
  };
}

/** The counters of every interface; none where the operating system does not show them so. */
function networkLines(): string[] {
  try {
    const lines = readFileSync("/proc/net/dev", "utf8").split("\n").slice(2);
    return lines.flatMap((line) => line.split(":")[1] ?? []);
  } catch {
    return [];
  }
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
