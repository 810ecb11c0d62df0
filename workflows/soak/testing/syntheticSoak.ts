// Made-up soaks with noise as a shared machine makes it: for the rates of wrong and missed reports.
import { Series } from "../series.ts";
import type { Quantity } from "../quantity.ts";

export interface SyntheticSoak {
  readonly seed: number;
  readonly minutes?: number;
  /** Rise of the first quantity, a minute: of a time in percent, of the memory in MiB. */
  readonly risePerMinute?: number;
  /** Lag-1 correlation of the noise of neighbouring intervals. */
  readonly correlation?: number;
  /** Whether the machine of the harness becomes slower for some minutes, which the control shows too. */
  readonly hasBusyMachine?: boolean;
  /** Factor by which other work, from the seventh minute to the tenth more and more, slows down the control; times twice as much. */
  readonly otherWork?: number;
}

const intervalSec = 10;
const warmUpSec = 240;
const times = 20;

/**
 * The answer time of all operations, twenty of single ones, and the memory of one gateway; the first and the last rise.
 * The noise is that of soaks of the reference gateway on a machine with two cores.
 */
export function syntheticSoak(options: SyntheticSoak): Quantity[] {
  const {
    seed,
    minutes = 15,
    risePerMinute = 0,
    correlation = 0.5,
    hasBusyMachine = true,
    otherWork = 1,
  } = options;
  const random = generator(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const count = Math.floor((minutes * 60) / intervalSec);
  const busy = busyMachine(count, hasBusyMachine, random);
  const minuteOf = (index: number): number => (index * intervalSec) / 60;
  const workAt = (index: number): number => otherWork ** Math.max(0, Math.min(1, (minuteOf(index) - 7) / 3));
  const control = busy.map((factor, index) => factor * workAt(index) * (1 + 0.03 * normal()));
  const series = (
    title: string,
    valueAt: (index: number, noise: number) => number,
    share: number,
  ): Series => {
    const made = new Series(title, "");
    let noise = 0;
    for (let index = 0; index < count; index++) {
      noise = correlation * noise + Math.sqrt(1 - correlation ** 2) * normal();
      const from = index * intervalSec;
      made.add({
        from,
        to: from + intervalSec,
        boot: 1,
        counts: from >= warmUpSec,
        y: valueAt(index, share * noise),
        weight: 1,
        control: control[index] ?? 1,
      });
    }
    return made;
  };
  const timeAt =
    (rise: number) =>
    (index: number, noise: number): number =>
      100 *
      (1 + (rise / 100) * minuteOf(index)) *
      (busy[index] ?? 1) ** 0.8 *
      workAt(index) ** 2 *
      (1 + noise);
  const operations = Array.from({ length: times }, (_, which): Quantity => ({
    id: `operation-${which}`,
    series: series(`operation ${which}`, timeAt(0), 0.06),
    leastChange: 0.5,
    leastShare: 0.2,
    isTime: true,
    family: "operation",
  }));
  const memoryAt = (index: number, noise: number): number =>
    480 + risePerMinute * minuteOf(index) + 0.5 * noise + (random() < 0.15 ? 19 : 0);
  return [
    {
      id: "answer-time",
      series: series("all", timeAt(risePerMinute), 0.02),
      leastChange: 5,
      leastShare: 0.05,
      isTime: true,
      family: "whole",
    },
    ...operations,
    {
      id: "memory",
      series: series("memory", memoryAt, 1),
      leastChange: 4,
      leastShare: 0.01,
      isTime: false,
      family: "whole",
    },
  ];
}

/** Factor on every time: usually 1, for some minutes up to 3. */
function busyMachine(count: number, isBusy: boolean, random: () => number): number[] {
  const factors = Array.from({ length: count }, () => 1);
  if (!isBusy) return factors;
  for (let stretch = 0; stretch < 3; stretch++) {
    const from = Math.floor(random() * count);
    const length = Math.floor(random() * (count / 3));
    const factor = 1 + 2 * random();
    for (let index = from; index < Math.min(count, from + length); index++)
      factors[index] = Math.max(factors[index] ?? 1, factor);
  }
  return factors;
}

/** xoshiro128**: neighbouring seeds and values are independent enough for statistics. */
function generator(seed: number): () => number {
  const state = new Uint32Array(4);
  let filling = seed >>> 0;
  for (let index = 0; index < 4; index++) {
    filling = (filling + 0x9e3779b9) >>> 0;
    let z = Math.imul(filling ^ (filling >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    state[index] = z ^ (z >>> 16);
  }
  const rotated = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
  return () => {
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const mixed = c ^ a;
    const last = d ^ b;
    state[1] = b ^ mixed;
    state[0] = a ^ last;
    state[2] = mixed ^ (b << 9);
    state[3] = rotated(last, 11);
    return result / 4_294_967_296;
  };
}
