// Tags of the machine itself, read from the operating system when somebody asks.
import { cpus, freemem, loadavg, totalmem, uptime } from "node:os";
import type { Tag, TagDataType } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../clock.ts";
import { listDisks } from "../../disks.ts";
import type { TagValue } from "./dataTypes.ts";
import type { TagProvider } from "./provider.ts";
import type { ValueTable } from "./valueTable.ts";

interface Reading {
  readonly source: string;
  readonly name: string;
  readonly type: TagDataType;
  readonly unit: string;
  readonly read: () => TagValue;
}

const readAtMostEveryMs = 100;

export function createSystemProvider(values: ValueTable, clock: Clock, stateFolder: string): TagProvider {
  const round = (value: number): number => Math.round(value * 100) / 100;
  const disk = (): ReturnType<typeof listDisks>[number] | undefined => listDisks(stateFolder)[0];
  const readings: readonly Reading[] = [
    {
      source: "status",
      name: "cpuUsage",
      type: "double",
      unit: "%",
      read: () => round(((loadavg()[0] ?? 0) / cpus().length) * 100),
    },
    {
      source: "status",
      name: "memoryUsage",
      type: "double",
      unit: "%",
      read: () => round((1 - freemem() / totalmem()) * 100),
    },
    { source: "status", name: "memoryTotal", type: "uint64", unit: "B", read: () => totalmem() },
    { source: "status", name: "uptime", type: "uint64", unit: "s", read: () => Math.floor(uptime()) },
    { source: "storage", name: "storageFree", type: "uint64", unit: "B", read: () => disk()?.free ?? 0 },
    { source: "storage", name: "storageUsed", type: "uint64", unit: "B", read: () => disk()?.used ?? 0 },
    {
      source: "storage",
      name: "storagePercent",
      type: "double",
      unit: "%",
      read: () => disk()?.percent ?? 0,
    },
  ];
  const tags = readings.map(({ source, name, type, unit }): Tag => ({
    prvdName: "system",
    srcName: source,
    tagName: name,
    dataType: type,
    dataSize: 8,
    dataUnit: unit,
    access: "r",
  }));
  const readMs = new Map<string, number>();
  return {
    name: "system",
    tags: () => tags,
    refresh(source) {
      const nowMs = clock.monotonicMs();
      if (nowMs - (readMs.get(source) ?? Number.NEGATIVE_INFINITY) < readAtMostEveryMs) return;
      readMs.set(source, nowMs);
      for (const [index, reading] of readings.entries()) {
        const tag = tags[index];
        if (tag !== undefined && reading.source === source) values.set(tag, reading.read(), clock.nowMs());
      }
    },
  };
}
