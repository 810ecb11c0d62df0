// The way from off to ready, with a real gateway whose power is real as far as processes have it.
import { expect, test } from "vitest";
import { startProcessGateway } from "../process/processGateway.ts";
import { BootStrategy } from "./bootStrategy.ts";
import { lifeOf } from "./lifeSigns.ts";
import { whyNotReady } from "./remoteGateway.ts";

test("only missing steps are executed, and a failed step is named with its reason", async () => {
  await using gateway = await startProcessGateway({ adminPassword: "Boot-strategy-1" });
  const { power, baseUrl } = gateway;
  if (power === undefined) throw new Error("a process gateway has power");
  const strategy = new BootStrategy({
    life: lifeOf(baseUrl),
    power,
    notReady: () => whyNotReady(baseUrl),
    deadlinesMs: { up: 15_000, ready: 15_000 },
  });
  expect(await strategy.bringTo("ready")).toEqual(["signed-in", "ready"]);
  expect(await strategy.bringTo("ready")).toEqual([]);
  expect(await strategy.bringTo("off")).toEqual(["off"]);
  strategy.invalidate();
  expect(await strategy.bringTo("ready")).toEqual(["booting", "up", "signed-in", "ready"]);
  await expect(strategy.bringTo("up")).rejects.toThrow("the gateway is ready already; only off can follow");
  expect(strategy.state).toBeUndefined();
}, 60_000);

test("a silent gateway is reported with the step, its deadline and the last observation", async () => {
  const strategy = new BootStrategy({
    life: { isAlive: () => Promise.resolve(true), isDead: () => Promise.resolve(false) },
    notReady: () => Promise.resolve("answered 503"),
    deadlinesMs: { ready: 50 },
  });
  await expect(strategy.bringTo("ready")).rejects.toThrow("gateway not ready within 50 ms: answered 503");
  await expect(strategy.bringTo("off")).rejects.toThrow("the rack has no power switch for it");
});
