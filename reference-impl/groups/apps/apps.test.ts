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

test("stop and start pass through their transient states, without tags meanwhile and with an event each", async () => {
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

test("an uninstalled app is absent, after a restart as well, until a reset restores it", async () => {
  await operate("aie", "uninstall");
  await apps[Symbol.asyncDispose]();
  apps = createApps(foundation);
  await expect(read("aie")).rejects.toMatchObject({ status: 404 });
  expect(apps.ids()).not.toContain("aie");
  apps.resetParts?.[0]?.reset();
  expect(await read("aie")).toMatchObject({ state: "ready" });
});

test("a service switch stops and starts its app, without effect on an app already in that state", async () => {
  const modbus = apps.services?.find(({ id }) => id === "modbusmaster");
  await modbus?.switchTo(true);
  expect(await read("modbusmaster-tcp")).toMatchObject({ state: "ready" });
  await modbus?.switchTo(false);
  settle();
  expect(await read("modbusmaster-tcp")).toMatchObject({ state: "stopped" });
  expect(modbus?.isEnabled()).toBe(false);
});

test("an app that crashes is restarted, with an event", async () => {
  apps.crashed("device", "out of memory");
  expect(await read("device")).toMatchObject({ state: "recovering", health: "error", desiredState: "ready" });
  foundation.clock.advance(2000);
  expect(await read("device")).toMatchObject({ state: "ready" });
  expect(foundation.raised).toEqual([appCrash, appStart]);
});

test("menuID is present in the list only", async () => {
  const answer = await callGroup(apps, "listApps");
  expect(answer).toMatchObject({
    kind: "json",
    body: {
      count: 10,
      data: expect.arrayContaining([expect.objectContaining({ menuID: "device" })]) as unknown,
    },
  });
  expect(await read("device")).not.toHaveProperty("menuID");
});
