// The deadline of a hold, with a clock that the test moves and a database that answers late, or not at all.
import { expect, test } from "vitest";
import type { Clock } from "../../harness/index.ts";
import type { Holds } from "../leases/holds.ts";
import { GatewayHold } from "./gatewayHold.ts";
import { movedClock } from "./testing/movedClock.ts";

const record = { id: "a", owner: "x", gateway: "left", fence: 7, takenAt: "2027-01-01T00:00:00.000Z" };
const wish = { id: "a", owner: "x", gateway: "left", wires: ["left"], ttlMs: 120_000, limitMs: 3_600_000 };

const base: Holds = {
  take: () => ({ taken: record }),
  renew: (_id, ttlMs) => ttlMs,
  release: () => undefined,
  find: () => record,
  holderOf: () => record,
};

async function taken(holds: Holds, clock: Clock): Promise<GatewayHold> {
  const hold = await GatewayHold.take(holds, wish, clock);
  if (!(hold instanceof GatewayHold)) throw new Error("in use");
  return hold;
}

test("the deadline counts from the moment at which the request was sent", async () => {
  const clock = movedClock();
  const slow: Holds = {
    ...base,
    take: async () => {
      await clock.move(4000);
      return { taken: record };
    },
  };
  await using hold = await taken(slow, clock);
  expect(hold.leftMs).toBe(116_000);
});

test("renewals extend the hold, and its use continues", async () => {
  const clock = movedClock();
  await using hold = await taken(base, clock);
  await clock.move(600_000);
  expect(hold.ending.aborted).toBe(false);
  expect(hold.leftMs).toBeGreaterThan(100_000);
});

test("without answers the run is ended while a third of the time is left", async () => {
  const clock = movedClock();
  const away: Holds = { ...base, renew: () => Promise.reject(new Error("connection refused")) };
  await using hold = await taken(away, clock);
  await clock.move(79_000);
  expect(hold.ending.aborted).toBe(false);
  await clock.move(2000);
  expect(hold.ending.reason).toMatchObject({
    message: "gateway left: hold 7 ended early: the database does not answer (connection refused)",
  });
  expect(hold.leftMs).toBe(39_000);
});

test("a renewal without an answer delays the end of the run by nothing", async () => {
  const clock = movedClock();
  const { promise, resolve } = Promise.withResolvers<number>();
  const hold = await taken({ ...base, renew: () => promise }, clock);
  await clock.move(81_000);
  expect(hold.ending.aborted).toBe(true);
  resolve(120_000);
  await hold[Symbol.asyncDispose]();
});

test("a hold that another one has ended ends the run at once", async () => {
  const clock = movedClock();
  await using hold = await taken({ ...base, renew: () => undefined }, clock);
  await clock.move(16_000);
  expect(hold.ending.reason).toMatchObject({
    message: expect.stringContaining("it expired or was revoked"),
  });
});

test("a run ends before the limit of its hold", async () => {
  const clock = movedClock();
  const limited: Holds = { ...base, renew: (_id, ttlMs) => Math.min(ttlMs, 300_000 - clock.nowMs()) };
  const hold = await GatewayHold.take(limited, { ...wish, limitMs: 300_000 }, clock);
  if (!(hold instanceof GatewayHold)) throw new Error("in use");
  await clock.move(259_000);
  expect(hold.ending.aborted).toBe(false);
  await clock.move(2000);
  expect(hold.ending.reason).toMatchObject({ message: expect.stringContaining("its limit is near") });
  await hold[Symbol.asyncDispose]();
});
