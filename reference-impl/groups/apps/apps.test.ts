import { afterEach, beforeEach, expect, test } from "vitest";
import { callGroup, dataOf, type TestFoundation, testFoundation } from "../../testing/foundation.ts";
import { type Apps, createApps } from "./apps.ts";

const appStop = 50;
const appStart = 51;
const appCrash = 52;

let foundation: TestFoundation;
let apps: Apps;

beforeEach(() => {
  foundation = testFoundation();
  apps = createApps(foundation);
});

afterEach(async () => {
  await apps[Symbol.asyncDispose]();
  foundation[Symbol.dispose]();
});

const operate = (appname: string, action: string): Promise<unknown> =>
  dataOf(apps, "operateApp", { path: { appname, action } });
const read = (appname: string): Promise<unknown> => dataOf(apps, "getApp", { path: { appname } });
const settle = (): void => foundation.clock.advance(500);

test("stop and start lead through their passing states, with the tags gone meanwhile and an event each", async () => {
  expect(await operate("device", "stop")).toMatchObject({ state: "stopping", desiredState: "stopped" });
  expect(apps.isProviderRunning("device")).toBe(false);
  settle();
  expect(await read("device")).toMatchObject({
    state: "stopped",
    health: "wait",
    attributes: ["installed", "hide"],
  });
  expect(await operate("device", "start")).toMatchObject({ state: "starting", desiredState: "ready" });
  expect(apps.isProviderRunning("device")).toBe(false);
  settle();
  expect(await read("device")).toMatchObject({ state: "ready", health: "good" });
  expect(apps.isProviderRunning("device")).toBe(true);
  expect(foundation.raised).toEqual([appStop, appStart]);
});

test("a stop overtakes a start that is under way", async () => {
  await operate("opcuaserver", "start");
  expect(await operate("opcuaserver", "stop")).toMatchObject({ state: "stopping" });
  settle();
  expect(await read("opcuaserver")).toMatchObject({ state: "stopped" });
});

test.each([
  ["device", "start"],
  ["opcuaserver", "stop"],
  ["edge-web", "uninstall"],
  ["tagservice", "uninstall"],
  ["tagservice", "stop"],
])("%s cannot take %s", async (appname, action) => {
  await expect(operate(appname, action)).rejects.toMatchObject({ status: 400 });
});

test("an uninstalled app is gone, also after a restart, until a reset brings it back", async () => {
  await operate("aie", "uninstall");
  await apps[Symbol.asyncDispose]();
  apps = createApps(foundation);
  await expect(read("aie")).rejects.toMatchObject({ status: 404 });
  expect(apps.ids()).not.toContain("aie");
  apps.resetParts?.[0]?.reset();
  expect(await read("aie")).toMatchObject({ state: "ready" });
});

test("a service switch stops and starts its app, and leaves alone what is so already", async () => {
  const modbus = apps.services?.find(({ id }) => id === "modbusmaster");
  await modbus?.switchTo(true);
  expect(await read("modbusmaster-tcp")).toMatchObject({ state: "ready" });
  await modbus?.switchTo(false);
  settle();
  expect(await read("modbusmaster-tcp")).toMatchObject({ state: "stopped" });
  expect(modbus?.isEnabled()).toBe(false);
});

test("an app that crashes is brought back, with an event", async () => {
  apps.crashed("device", "out of memory");
  expect(await read("device")).toMatchObject({ state: "recovering", health: "error", desiredState: "ready" });
  foundation.clock.advance(2000);
  expect(await read("device")).toMatchObject({ state: "ready" });
  expect(foundation.raised).toEqual([appCrash, appStart]);
});

test("menuID stands in the list alone", async () => {
  const answer = await callGroup(apps, "listApps");
  expect(answer).toMatchObject({
    kind: "json",
    body: {
      count: 9,
      data: expect.arrayContaining([expect.objectContaining({ menuID: "device" })]) as unknown,
    },
  });
  expect(await read("device")).not.toHaveProperty("menuID");
});
