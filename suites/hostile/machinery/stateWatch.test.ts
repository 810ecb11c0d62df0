import { expect, test } from "vitest";
import type { StatePart } from "./target.ts";
import { StateWatch } from "./stateWatch.ts";

/** A part that shows the readings one after the other; an error stands for an unreadable state. */
function partOf(...readings: unknown[]): StatePart {
  return {
    name: "ssh",
    read: () => {
      const reading = readings.shift();
      return reading instanceof Error ? Promise.reject(reading) : Promise.resolve(reading);
    },
    setBy: ["setSsh"],
    movedBy: new Set(["setSsh"]),
  };
}

test("a change without an accepted request is a loss, once", async () => {
  const watch = new StateWatch([partOf(1, 2, 2)]);
  await watch.begin();
  expect(await watch.compare(new Set(["getSsh"]))).toMatchObject([
    { before: 1, difference: "1 before, 2 after" },
  ]);
  expect(await watch.compare(new Set())).toEqual([]);
});

test("a state that an accepted request made unreadable is no loss, then or later", async () => {
  const watch = new StateWatch([partOf(1, new Error("wrong type"), new Error("wrong type"), 3, 4)]);
  await watch.begin();
  expect(await watch.compare(new Set(["setSsh"]))).toEqual([]);
  expect(await watch.compare(new Set())).toEqual([]);
  expect(await watch.compare(new Set())).toEqual([]);
  expect(await watch.compare(new Set())).toMatchObject([{ before: 3, difference: "3 before, 4 after" }]);
});

test("a state that becomes unreadable without an accepted request is a loss", async () => {
  const watch = new StateWatch([partOf(1, new Error("wrong type"))]);
  await watch.begin();
  expect(await watch.compare(new Set())).toMatchObject([
    { before: 1, difference: "1 before, unreadable after" },
  ]);
});
