// Scripted behaviour of simulated points: a value as a function of time.
import { readFile } from "node:fs/promises";
import type { FieldDevice } from "./device.ts";
import type { FieldPoint, PointValue } from "./point.ts";

/** The value at some milliseconds since the beginning. */
export type Behaviour = (sinceMs: number) => PointValue;

/** Counts up by one every `everyMs`. */
export const counter =
  (everyMs: number): Behaviour =>
  (sinceMs) =>
    Math.floor(sinceMs / everyMs);

/** Rises from `low` to `high` in `periodMs`, repeatedly. */
export const ramp =
  (low: number, high: number, periodMs: number): Behaviour =>
  (sinceMs) =>
    Math.round(low + ((high - low) * (sinceMs % periodMs)) / periodMs);

/** One value before the instant, another one after it. */
export const step =
  (before: PointValue, after: PointValue, atMs: number): Behaviour =>
  (sinceMs) =>
    sinceMs < atMs ? before : after;

const multiplier = 0x9e37_79b9;
const range32 = 2 ** 32;

/** Noise around a middle: another value every `everyMs`, reproducible by the seed. */
export const noise =
  (middle: number, width: number, everyMs: number, seed: number): Behaviour =>
  (sinceMs) => {
    let bits = (Math.floor(sinceMs / everyMs) + seed * 7919) | 0;
    bits = Math.imul(bits ^ (bits >>> 16), multiplier);
    bits = Math.imul(bits ^ (bits >>> 13), multiplier);
    const share = ((bits ^ (bits >>> 16)) >>> 0) / range32;
    return Math.round(middle + (share - 0.5) * width);
  };

/** A recorded trace: the value at each time; the last one remains. */
function trace(samples: readonly { readonly ms: number; readonly value: number }[]): Behaviour {
  return (sinceMs) => {
    const found = samples.findLast(({ ms }) => ms <= sinceMs) ?? samples[0];
    return found?.value ?? 0;
  };
}

/** Reads a trace from a CSV file with the columns milliseconds and value; a first line without numbers is its heading. */
export async function readTrace(file: string): Promise<Behaviour> {
  const lines = (await readFile(file, "utf8")).split(/\r?\n/);
  const samples = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const [ms, value] = line.split(/[,;]/).map((cell) => Number(cell.trim()));
    if (ms !== undefined && value !== undefined && Number.isFinite(ms) && Number.isFinite(value))
      return [{ ms, value }];
    if (index === 0) return [];
    throw new Error(`${file}:${index + 1}: expected milliseconds and a value, found ${line.slice(0, 80)}`);
  });
  if (samples.length === 0)
    throw new Error(`${file}: expected lines of milliseconds and a value, found none`);
  return trace(samples.toSorted((a, b) => a.ms - b.ms));
}

const turnMs = 10;

/** Applies behaviours to the points of a simulated device; disposing the answer ends it. */
export function behave(device: FieldDevice, behaviours: ReadonlyMap<FieldPoint, Behaviour>): Disposable {
  if (device.setAll === undefined)
    throw new Error(`${device.name} is a real device: its behaviour cannot be set`);
  const startedMs = performance.now();
  const turn = (): void => {
    const sinceMs = performance.now() - startedMs;
    void device.setAll?.([...behaviours].map(([point, behaviour]) => [point, behaviour(sinceMs)]));
  };
  turn();
  const timer = setInterval(turn, turnMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
