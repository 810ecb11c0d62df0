import { expect, test } from "vitest";
import { TurnQueue } from "./queue.ts";

test("no two that share a wire are out at once, nor more than may be", () => {
  const a = { name: "a", wires: ["gateway a", "port /dev/ttyUSB0"] };
  const b = { name: "b", wires: ["gateway b", "port /dev/ttyUSB0"] };
  const c = { name: "c", wires: ["gateway c"] };
  const d = { name: "d", wires: ["gateway d"] };
  const queue = new TurnQueue([a, b, c, d], 2);
  expect([queue.take(), queue.take(), queue.take()]).toEqual([a, c, undefined]);
  queue.done(c);
  // b still waits for the port, so d overtakes it.
  expect([queue.take(), queue.take()]).toEqual([d, undefined]);
  queue.done(a);
  expect(queue.take()).toBe(b);
  queue.later(d);
  queue.done(b);
  expect([queue.take(), queue.isEmpty]).toEqual([d, false]);
  queue.done(d);
  expect(queue.isEmpty).toBe(true);
});
