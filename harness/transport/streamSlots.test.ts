import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { NotApplicable } from "../../record/index.ts";
import { monotonicClock } from "../clock.ts";
import { StreamSlots } from "./streamSlots.ts";

const first = { case: "first" };
const second = { case: "second" };
const { signal } = new AbortController();

test("one owner at a time has streams, up to the declared number", async () => {
  const slots = new StreamSlots(monotonicClock, 2);
  await slots.take(first, signal);
  await slots.take(first, signal);
  await expect(slots.take(first, signal)).rejects.toThrow(NotApplicable);
  let hasBegun = false;
  const other = slots.take(second, signal).then(() => (hasBegun = true));
  slots.give(first);
  await setImmediate();
  expect(hasBegun).toBe(false);
  slots.give(first);
  await other;
  expect(hasBegun).toBe(true);
});

test("what a case left open is closed, and its places are free", async () => {
  const slots = new StreamSlots(monotonicClock, 2);
  await slots.take(first, signal);
  const stream = {
    [Symbol.asyncDispose]: () => {
      slots.give(first, stream);
      return Promise.resolve();
    },
  };
  slots.opened(first, stream);
  await slots.close(first);
  await slots.take(second, signal);
  await slots.take(second, signal);
  await expect(slots.take(second, signal)).rejects.toThrow(NotApplicable);
});

test("an owner whose case has ended waits no longer", async () => {
  const slots = new StreamSlots(monotonicClock, 1);
  await slots.take(first, signal);
  const ended = new AbortController();
  const waiting = slots.take(second, ended.signal);
  ended.abort(new Error("the case has ended"));
  await expect(waiting).rejects.toThrow("the case has ended");
});

test("without a declared number nobody waits", async () => {
  const slots = new StreamSlots(monotonicClock, undefined);
  await expect(Promise.all([slots.take(first, signal), slots.take(second, signal)])).resolves.toEqual([0, 0]);
});
