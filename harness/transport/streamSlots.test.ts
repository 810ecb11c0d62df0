import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { NotApplicable } from "../../record/index.ts";
import { monotonicClock } from "../clock.ts";
import { StreamSlots } from "./streamSlots.ts";

const first = { case: "first" };
const second = { case: "second" };
const { signal } = new AbortController();
const waited = (): void => undefined;

test("one owner at a time has streams, up to the declared number", async () => {
  const slots = new StreamSlots(monotonicClock, 2);
  await slots.take(first, signal, waited);
  await slots.take(first, signal, waited);
  await expect(slots.take(first, signal, waited)).rejects.toThrow(NotApplicable);
  let hasBegun = false;
  const other = slots.take(second, signal, waited).then(() => (hasBegun = true));
  slots.give(first);
  await setImmediate();
  expect(hasBegun).toBe(false);
  slots.give(first);
  await other;
  expect(hasBegun).toBe(true);
});

test("what a case left open is closed, and its places are free", async () => {
  const slots = new StreamSlots(monotonicClock, 2);
  await slots.take(first, signal, waited);
  const stream = {
    [Symbol.asyncDispose]: () => {
      slots.give(first, stream);
      return Promise.resolve();
    },
  };
  slots.opened(first, stream);
  await slots.close(first);
  await slots.take(second, signal, waited);
  await slots.take(second, signal, waited);
  await expect(slots.take(second, signal, waited)).rejects.toThrow(NotApplicable);
});

test("an owner whose case has ended waits no longer", async () => {
  const slots = new StreamSlots(monotonicClock, 1);
  await slots.take(first, signal, waited);
  const ended = new AbortController();
  const waiting = slots.take(second, ended.signal, waited);
  ended.abort(new Error("the case has ended"));
  await expect(waiting).rejects.toThrow("the case has ended");
});

test("without a declared number nobody waits", async () => {
  const slots = new StreamSlots(monotonicClock, undefined);
  const waits: number[] = [];
  const tell = (waitMs: number): void => void waits.push(waitMs);
  await Promise.all([slots.take(first, signal, tell), slots.take(second, signal, tell)]);
  expect(waits).toEqual([]);
});

test("the time that an owner waits is reported while it waits", async () => {
  const slots = new StreamSlots(monotonicClock, 1);
  await slots.take(first, signal, waited);
  let waitedMs = 0;
  const other = slots.take(second, signal, (waitMs) => void (waitedMs += waitMs));
  await expect.poll(() => waitedMs, { timeout: 5000 }).toBeGreaterThan(400);
  slots.give(first);
  await other;
});
