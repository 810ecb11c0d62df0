import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callGroup, dataOf, startMs, testFoundation } from "../../testing/foundation.ts";
import { createProvision } from "./provision.ts";

const body = { enable: true, schedule: { enable: true, disableAfterSec: 60 } };

test("the schedule disables provisioning after its time and keeps its values", async () => {
  using foundation = testFoundation();
  const group = createProvision(foundation);
  expect(await dataOf(group, "setProvision", { body })).toEqual(body);
  foundation.clock.advance(59_999);
  expect(await dataOf(group, "getProvision")).toEqual(body);
  foundation.clock.advance(1);
  expect(await dataOf(group, "getProvision")).toEqual({ ...body, enable: false });
  expect(group.services?.map(({ id, isEnabled }) => [id, isEnabled()])).toEqual([
    ["provision", false],
    ["provisionschedule", true],
  ]);
});

test("a restart neither loses nor restarts the remaining time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rackproof-test-"));
  try {
    {
      using foundation = testFoundation(folder);
      await callGroup(createProvision(foundation), "setProvision", { body });
    }
    using foundation = testFoundation(folder, startMs + 40_000);
    const group = createProvision(foundation);
    await group.start?.();
    foundation.clock.advance(19_999);
    expect(await dataOf(group, "getProvision")).toMatchObject({ enable: true });
    foundation.clock.advance(1);
    expect(await dataOf(group, "getProvision")).toMatchObject({ enable: false });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("without the schedule provisioning stays enabled; a negative time is rejected", async () => {
  using foundation = testFoundation();
  const group = createProvision(foundation);
  await callGroup(group, "setProvision", { body });
  await group.services?.find(({ id }) => id === "provisionschedule")?.switchTo(false);
  foundation.clock.advance(120_000);
  expect(await dataOf(group, "getProvision")).toMatchObject({ enable: true });
  await expect(
    callGroup(group, "setProvision", { body: { schedule: { disableAfterSec: -1 } } }),
  ).rejects.toMatchObject({ status: 400 });
});
