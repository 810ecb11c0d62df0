// A simulated field source with a tag of each data type that changes by itself, so that streams have something to show.
import type { Tag, TagDataType } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import type { TagValue } from "./dataTypes.ts";
import { every } from "./pace.ts";
import type { TagProvider } from "./provider.ts";
import type { ValueTable } from "./values.ts";

const stepMs = 100;
const twoTo32 = 4_294_967_296;

interface Behaviour {
  readonly name: string;
  readonly type: TagDataType;
  readonly sizeBytes: number;
  readonly unit: string;
  /** The value at a step since boot: the same at every boot. */
  readonly at: (step: number) => TagValue;
}

const behaviours: readonly Behaviour[] = [
  { name: "phase", type: "uint8", sizeBytes: 1, unit: "", at: (step) => step % 256 },
  { name: "pieces", type: "uint16", sizeBytes: 2, unit: "", at: (step) => Math.floor(step / 3) % 65_536 },
  { name: "counter", type: "uint32", sizeBytes: 4, unit: "", at: (step) => step % twoTo32 },
  { name: "energy", type: "uint64", sizeBytes: 8, unit: "Wh", at: (step) => 2n ** 63n + BigInt(step) },
  { name: "offset", type: "int8", sizeBytes: 1, unit: "mm", at: (step) => (step % 256) - 128 },
  { name: "ramp", type: "int16", sizeBytes: 2, unit: "", at: (step) => (step % 2001) - 1000 },
  {
    name: "position",
    type: "int32",
    sizeBytes: 4,
    unit: "um",
    at: (step) => ((step * 7919) % 200_001) - 100_000,
  },
  { name: "balance", type: "int64", sizeBytes: 8, unit: "", at: (step) => -(2n ** 62n) - BigInt(step) },
  { name: "level", type: "float", sizeBytes: 4, unit: "m", at: (step) => (step % 400) / 8 },
  {
    name: "sine",
    type: "double",
    sizeBytes: 8,
    unit: "V",
    at: (step) => Math.round(Math.sin(step / 20) * 1e6) / 1e6,
  },
  { name: "text", type: "string", sizeBytes: 32, unit: "", at: (step) => `step ${Math.floor(step / 10)}` },
  { name: "toggle", type: "boolean", sizeBytes: 1, unit: "", at: (step) => step % 10 < 5 },
  {
    name: "frame",
    type: "raw",
    sizeBytes: 4,
    unit: "",
    at: (step) => Buffer.from([step >>> 24, step >>> 16, step >>> 8, step]).toString("base64"),
  },
];

/** The provider `device` with the source `simulator`; its values stand still while its app does not run. */
export function createSimulator(
  values: ValueTable,
  clock: Clock,
  isRunning: () => boolean,
): TagProvider & Disposable {
  const tags = behaviours.map(({ name, type, sizeBytes, unit }): Tag => ({
    prvdName: "device",
    srcName: "simulator",
    tagName: name,
    dataType: type,
    dataSize: sizeBytes,
    dataUnit: unit,
    access: "r",
  }));
  let step = 0;
  const advance = (): void => {
    if (!isRunning()) return;
    step += 1;
    const nowMs = clock.nowMs();
    for (const [index, { at }] of behaviours.entries()) {
      const tag = tags[index];
      if (tag !== undefined) values.set(tag, at(step), nowMs);
    }
  };
  advance();
  const pace = every(clock, stepMs, advance);
  return { name: "device", tags: () => tags, [Symbol.dispose]: () => pace[Symbol.dispose]() };
}
