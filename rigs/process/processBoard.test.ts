// Power of a gateway that is a process: after a cut no process or socket of the gateway remains.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { lifeOf } from "../remote/lifeSigns.ts";
import { startProcessGateway } from "./processGateway.ts";

test("in the moment after a cut nothing takes a connection", async () => {
  await using gateway = await startProcessGateway({ adminPassword: "Cut-at-once-1" });
  const { power, baseUrl } = gateway;
  if (power === undefined) throw new Error("a process gateway has power");
  const life = lifeOf(baseUrl);
  const seen: boolean[] = [];
  for (let cut = 1; cut <= 5; cut++) {
    await power.cut();
    // A single try.
    seen.push(await life.isAlive(0));
    await power.restore();
    expect(await life.isAlive(15_000)).toBe(true);
  }
  expect(seen).toEqual([false, false, false, false, false]);
}, 90_000);

test("a gateway that does not boot after a power cut is unavailable, and its processes have not failed", async () => {
  const stateFolder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  onTestFinished(() => rm(stateFolder, { recursive: true }));
  await using gateway = await startProcessGateway({ adminPassword: "Cut-at-once-1", stateFolder });
  const { power, console: lines, ended } = gateway;
  await power?.cut();
  // An empty boot record names no system.
  await writeFile(join(stateFolder, "slots", "boot.json"), "");
  await power?.restore();
  await vi.waitFor(() => expect(lines.at(-1)?.text).toContain("JSON"), { timeout: 15_000 });
  const hasFailed = vi.waitFor(() => expect(ended?.()).toBeDefined(), { timeout: 1500 });
  await expect(hasFailed).rejects.toThrow("undefined");
  expect(await lifeOf(gateway.baseUrl).isAlive(0)).toBe(false);
}, 60_000);
