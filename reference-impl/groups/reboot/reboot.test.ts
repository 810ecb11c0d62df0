import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callGroup, dataOf, startMs, testFoundation } from "../../testing/foundation.ts";
import { createReboot } from "./reboot.ts";

const dayMs = 86_400_000;
const never = { nextTriggerAt: "0001-01-01T00:00:00Z", enableScheduler: false };
const deviceReboot = 48;

test("now reboots once, right after the answer, and is recorded", async () => {
  using foundation = testFoundation();
  const reboot = createReboot(foundation);
  await callGroup(reboot, "setReboot", { body: { now: true } });
  await callGroup(reboot, "setReboot", { body: { at: "now" } });
  expect(foundation.rebootsAtMs).toEqual([]);
  foundation.clock.advance(100);
  expect(foundation.rebootsAtMs).toHaveLength(1);
  expect(foundation.raised).toEqual([deviceReboot]);
});

test("a reboot requested now does not wait for a later one", async () => {
  using foundation = testFoundation();
  const reboot = createReboot(foundation);
  reboot.rebootAfter(5000, "a configuration was applied");
  await callGroup(reboot, "setReboot", { body: { now: true } });
  reboot.rebootAfter(5000, "a configuration was applied");
  foundation.clock.advance(100);
  expect(foundation.rebootsAtMs).toHaveLength(1);
  foundation.clock.advance(10_000);
  expect(foundation.rebootsAtMs).toHaveLength(1);
});

test("a crontab expression survives a restart and is due in UTC, again and again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rackproof-test-"));
  try {
    {
      using foundation = testFoundation(folder);
      const reboot = createReboot(foundation);
      expect(await dataOf(reboot, "setReboot", { body: { at: "30 3 * * *" } })).toMatchObject({
        at: { minute: "30", hour: "3", day: "*", month: "*", dayOfWeek: "*" },
        enableScheduler: true,
        nextTriggerAt: "2026-01-16T03:30:00.000Z",
      });
    }
    using foundation = testFoundation(folder, startMs + dayMs);
    await using reboot = createReboot(foundation);
    await reboot.start?.();
    expect(await dataOf(reboot, "getReboot")).toMatchObject({
      lastBootAt: "2026-01-16T12:00:00.000Z",
      nextTriggerAt: "2026-01-17T03:30:00.000Z",
    });
    foundation.clock.advance(dayMs);
    expect(foundation.rebootsAtMs).toEqual([15.5 * 3_600_000]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an instant is shown in crontab fields, reboots once, and is then removed", async () => {
  using foundation = testFoundation();
  const reboot = createReboot(foundation);
  const set = await dataOf(reboot, "setReboot", { body: { at: "2026-01-15T14:30:00+02:00" } });
  expect(set).toMatchObject({
    at: { minute: "30", hour: "12", day: "15", month: "1", dayOfWeek: "*" },
    nextTriggerAt: "2026-01-15T12:30:00.000Z",
  });
  foundation.clock.advance(dayMs);
  expect(foundation.rebootsAtMs).toEqual([1_800_000]);
  expect(await dataOf(reboot, "getReboot")).toMatchObject(never);
  expect(reboot.isScheduled()).toBe(false);
});

test("a disabled schedule does not reboot, and cannot be enabled after its time", async () => {
  using foundation = testFoundation();
  const reboot = createReboot(foundation);
  const body = { at: "2026-01-15T12:01:00Z", enableScheduler: false };
  expect(await dataOf(reboot, "setReboot", { body })).toMatchObject(never);
  foundation.clock.advance(120_000);
  expect(foundation.rebootsAtMs).toEqual([]);
  await expect(callGroup(reboot, "setReboot", { body: { enableScheduler: true } })).rejects.toThrow(/^at: /);
});

test("an answer can be sent back unchanged", async () => {
  using foundation = testFoundation();
  const reboot = createReboot(foundation);
  const { at, enableScheduler } = (await dataOf(reboot, "getReboot")) as Record<string, unknown>;
  expect(await dataOf(reboot, "setReboot", { body: { at, enableScheduler } })).toMatchObject(never);
});

test.each([
  "2026-01-15T11:59:00Z",
  "every day",
  "60 * * * *",
  "* * * *",
  "0 0 30 2 *",
  "2026-02-30T00:00:00Z",
])("at %j is rejected, and the schedule stays unchanged", async (at) => {
  using foundation = testFoundation();
  const reboot = createReboot(foundation);
  await expect(callGroup(reboot, "setReboot", { body: { at } })).rejects.toMatchObject({ status: 400 });
  expect(await dataOf(reboot, "getReboot")).toMatchObject(never);
});
