import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Impairment, paceOf, readImpairment } from "../gateway/impairment.ts";
import { ImpairedQueue } from "./impairedQueue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The numbers of the packets that came through, with the milliseconds that each took. */
function sent(impairment: Impairment, packets: number, random: () => number, bytes = 100) {
  const arrived: [number, number][] = [];
  const queue = new ImpairedQueue({
    send: (packet) => arrived.push([packet.readUInt8(0), Date.now()]),
    nowMs: () => Date.now(),
    random,
  });
  queue.impairment = impairment;
  const startMs = Date.now();
  for (let number = 0; number < packets; number++) queue.take(Buffer.alloc(bytes, number));
  vi.runAllTimers();
  return { queue, arrived: arrived.map(([number, atMs]) => [number, atMs - startMs] as const) };
}

/** Answers the numbers in turn, again from the first. */
function inTurn(...numbers: readonly number[]): () => number {
  let next = 0;
  return () => numbers[next++ % numbers.length] ?? 0;
}

test("packets are delayed, and keep their order when the delay varies", () => {
  const { arrived } = sent({ delayMs: 50, jitterMs: 20 }, 3, inTurn(0.999, 0, 0.5));
  expect(arrived.map(([number]) => number)).toEqual([0, 1, 2]);
  expect(arrived.map(([, tookMs]) => tookMs)).toEqual([70, 70, 70]);
});

test("lost packets do not arrive, repeated ones arrive twice, reordered ones overtake", () => {
  expect(sent({ lossPercent: 2 }, 4, inTurn(0.5, 0.01)).arrived.map(([number]) => number)).toEqual([0, 2]);
  expect(sent({ duplicatePercent: 50 }, 2, inTurn(0.4)).arrived.map(([number]) => number)).toEqual([
    0, 0, 1, 1,
  ]);
  const { arrived } = sent({ delayMs: 30, reorderPercent: 10 }, 2, inTurn(0.5, 0.05));
  expect(arrived).toEqual([
    [1, 0],
    [0, 30],
  ]);
});

test("a slow line sends at its rate and loses what would wait for more than a second", () => {
  // 1000 bytes take 100 ms at 80 kbit/s.
  const { arrived } = sent({ rateKbit: 80 }, 20, inTurn(0.5), 1000);
  expect(arrived.slice(0, 3).map(([, tookMs]) => tookMs)).toEqual([100, 200, 300]);
  expect(arrived).toHaveLength(11);
});

test("packets above the size vanish, and a cut loses what is on its way", () => {
  expect(sent({ largestBytes: 576 }, 2, inTurn(0.5), 577).arrived).toEqual([]);
  expect(sent({ largestBytes: 576 }, 2, inTurn(0.5), 576).arrived).toHaveLength(2);
  const arrived: Buffer[] = [];
  using queue = new ImpairedQueue({
    send: (packet) => arrived.push(packet),
    nowMs: () => Date.now(),
    random: inTurn(0.5),
  });
  queue.impairment = { delayMs: 10 };
  queue.take(Buffer.alloc(100));
  queue.isCut = true;
  vi.advanceTimersByTime(20);
  queue.isCut = false;
  queue.take(Buffer.alloc(100, 1));
  vi.advanceTimersByTime(20);
  expect(arrived.map((packet) => packet.readUInt8(0))).toEqual([1]);
});

test("a line that has ended loses what still arrives", () => {
  const arrived: Buffer[] = [];
  const queue = new ImpairedQueue({
    send: (packet) => arrived.push(packet),
    nowMs: () => Date.now(),
    random: inTurn(0.5),
  });
  queue.take(Buffer.alloc(100));
  queue.impairment = { delayMs: 10 };
  queue[Symbol.dispose]();
  queue.take(Buffer.alloc(100));
  vi.advanceTimersByTime(20);
  expect(arrived).toHaveLength(1);
});

test("the pace of a line: round trips, and lost packets that are sent again", () => {
  expect(paceOf({})).toBeUndefined();
  expect(paceOf({ delayMs: 50 })).toMatchObject({ roundTripMs: 100, exchangeMs: 400 });
  // One of 25 exchanges loses a packet: up to three connection requests in a row, after 1, 2 and 4 s.
  expect(paceOf({ delayMs: 100, lossPercent: 2 })).toMatchObject({ roundTripMs: 200, exchangeMs: 7800 });
});

test("an impairment is read from words; a mistake is named with what was expected", () => {
  expect(readImpairment("delay=100, loss=2,mtu=1200")).toEqual({
    delayMs: 100,
    lossPercent: 2,
    largestBytes: 1200,
  });
  expect(readImpairment("clean")).toEqual({});
  expect(() => readImpairment("lag=3")).toThrow("lag=3: expected clean, or PART=NUMBER with delay, jitter");
  expect(() => readImpairment("loss=200")).toThrow("loss=200: expected a number of % from 0 to 100");
  expect(() => readImpairment("delay=")).toThrow("delay=: expected a number of ms from 0");
});
