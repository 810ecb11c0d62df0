import { expect, test } from "vitest";
import { monotonicClock } from "../../harness/index.ts";
import type { Sighting } from "../../rigs/index.ts";
import { Restarts } from "./restarts.ts";

/** A gateway whose reboot schedule shows what the test sets; undefined answers nothing. */
function stage() {
  let nowMs = 0;
  let lastBootAt: string | undefined = "2027-01-01T00:00:00Z";
  const clock = { ...monotonicClock, nowMs: () => nowMs };
  const sightings: Sighting[] = [];
  const told: string[] = [];
  const restarts = new Restarts(
    clock,
    {
      ordered: () => told.push("ordered"),
      unordered: () => told.push("unordered"),
      note: () => told.push("note"),
      unreachable: () => told.push("unreachable"),
    },
    sightings,
    { boot: 1, bootMs: 60_000 },
  );
  const reader = {
    read: () =>
      Promise.resolve(
        lastBootAt === undefined
          ? { status: 0, accepted: false, json: undefined }
          : { status: 200, accepted: true, json: { data: { lastBootAt } } },
      ),
    signInsWereLost: () => undefined,
  };
  return {
    restarts,
    sightings,
    told,
    boots: (at: string | undefined): void => {
      lastBootAt = at;
    },
    look: (afterMs: number): Promise<boolean> => {
      nowMs += afterMs;
      return restarts.look(reader);
    },
    arrived: () => restarts.hasArrived(reader),
  };
}

test("lastBootAt that changes after an interruption is a restart that nobody ordered, once", async () => {
  const { restarts, told, boots, look } = stage();
  await look(2000);
  boots(undefined);
  await look(2000);
  boots("2027-01-01T00:05:00Z");
  await look(2000);
  await look(2000);
  expect(told).toEqual(["unordered"]);
  expect(restarts.counts).toEqual({ ordered: 0, unordered: 1 });
  expect(restarts.boot).toBe(2);
});

test("a clock that was set moves lastBootAt, and is no restart", async () => {
  const { told, boots, look } = stage();
  await look(2000);
  boots("2027-01-01T02:00:00Z");
  await look(2000);
  expect(told).toEqual(["note"]);
});

test("what the equipment observed and lastBootAt are one restart", async () => {
  const { restarts, sightings, told, boots, look } = stage();
  await look(2000);
  sightings.push({
    observer: "process exit",
    what: "down",
    at: { low: 0, high: 1 },
    detail: "ended by itself",
  });
  boots("2027-01-01T00:05:00Z");
  await look(2000);
  expect(told).toEqual(["unordered"]);
  expect(restarts.counts.unordered).toBe(1);
});

test("a reboot that the soak orders is ordered, whatever the equipment observes", async () => {
  const { restarts, sightings, told, boots, look, arrived } = stage();
  await look(2000);
  restarts.order();
  sightings.push({ observer: "process exit", what: "reset", at: { low: 0, high: 1 }, detail: "reset" });
  boots(undefined);
  expect(await look(2000)).toBe(false);
  expect(await arrived()).toBe(false);
  boots("2027-01-01T00:05:00Z");
  expect(await arrived()).toBe(true);
  await look(2000);
  expect(told).toEqual(["ordered"]);
});

test("a gateway that does not answer for longer than its boot may take is reported once", async () => {
  const { told, boots, look } = stage();
  await look(2000);
  boots(undefined);
  await look(2000);
  await look(50_000);
  expect(told).toEqual([]);
  await look(20_000);
  await look(20_000);
  expect(told).toEqual(["unreachable"]);
});
