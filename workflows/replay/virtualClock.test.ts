import { expect, test } from "vitest";
import { Standstill, VirtualClock } from "./virtualClock.ts";

test("a clock that jumps runs timers in their order, and an hour takes no time", async () => {
  const clock = new VirtualClock(1000, 500);
  const seen: string[] = [];
  const wait = async (name: string, delayMs: number): Promise<void> => {
    await clock.delay(delayMs);
    seen.push(`${name} ${clock.nowMs()}`);
  };
  const startedMs = performance.now();
  await clock.run(Promise.all([wait("late", 3_600_000), wait("early", 10), wait("same", 10)]));
  expect(seen).toEqual(["early 1010", "same 1010", "late 3601000"]);
  expect(clock.epochMs()).toBe(3_601_500);
  // The process may have work of others under way, which is waited for once.
  expect(performance.now() - startedMs).toBeLessThan(9000);
});

test("a wait that is aborted ends at once, and its timer is gone", async () => {
  const clock = new VirtualClock(0, 0);
  const stop = new AbortController();
  const work = (async (): Promise<number> => {
    const waiting = clock.delay(5000, stop.signal);
    await clock.delay(1);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    return clock.nowMs();
  })();
  expect(await clock.run(work)).toBe(1);
});

test("work that waits for something that never happens is a standstill", async () => {
  const clock = new VirtualClock(0, 0);
  const { promise: never } = Promise.withResolvers<void>();
  await expect(clock.run(never)).rejects.toBeInstanceOf(Standstill);
});

test("a wait shorter than the precision of the time passes", async () => {
  const clock = new VirtualClock(1e7, 0);
  await clock.run(clock.delay(1e-12));
  expect(clock.nowMs()).toBeGreaterThan(1e7);
});

test("work of others that does not end is not waited for again and again", async () => {
  let isOver = false;
  const around = (): void => void (isOver || setImmediate(around));
  around();
  const startedMs = performance.now();
  const clock = new VirtualClock(0, 0);
  const work = (async (): Promise<void> => {
    for (let hour = 0; hour < 3; hour++) await clock.delay(3_600_000);
  })();
  await clock.run(work);
  isOver = true;
  expect(performance.now() - startedMs).toBeLessThan(9000);
});
