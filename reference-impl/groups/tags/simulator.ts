// A simulated field source with tags that change by themselves, so that streams have something to show.
import type { Tag, TagDataType } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../clock.ts";
import type { TagValue } from "./dataTypes.ts";
import type { TagProvider } from "./provider.ts";
import type { ValueTable } from "./valueTable.ts";

const everyMs = 100;

const behaviours: readonly {
  name: string;
  type: TagDataType;
  size: number;
  at: (step: number) => TagValue;
}[] = [
  { name: "counter", type: "uint32", size: 4, at: (step) => step % 4_294_967_296 },
  { name: "ramp", type: "int16", size: 2, at: (step) => (step % 2001) - 1000 },
  { name: "sine", type: "double", size: 8, at: (step) => Math.round(Math.sin(step / 20) * 1e6) / 1e6 },
  { name: "toggle", type: "boolean", size: 1, at: (step) => step % 10 < 5 },
  { name: "text", type: "string", size: 32, at: (step) => `step ${Math.floor(step / 10)}` },
];

export function createSimulator(
  values: ValueTable,
  clock: Clock,
  isRunning: () => boolean,
): TagProvider & Disposable {
  const tags = behaviours.map(({ name, type, size }): Tag => ({
    prvdName: "device",
    srcName: "simulator",
    tagName: name,
    dataType: type,
    dataSize: size,
    dataUnit: "",
    access: "r",
  }));
  let step = 0;
  let timer: Disposable | undefined;
  let dueMs = clock.monotonicMs();
  const advance = (): void => {
    if (isRunning()) {
      step += 1;
      const nowMs = clock.nowMs();
      for (const [index, { at }] of behaviours.entries()) {
        const tag = tags[index];
        if (tag !== undefined) values.set(tag, at(step), nowMs);
      }
    }
    // Paced against the monotonic clock: timers that fire late must not add up.
    dueMs = Math.max(dueMs + everyMs, clock.monotonicMs());
    timer = clock.after(dueMs - clock.monotonicMs(), advance);
  };
  advance();
  return {
    name: "device",
    tags: () => (isRunning() ? tags : []),
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
}
