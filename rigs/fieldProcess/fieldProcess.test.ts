import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { FieldPoint } from "../field/point.ts";
import { nodePoints, typePoints } from "../process/embeddedPoints.ts";
import { startFieldProcess } from "./fieldProcess.ts";

const points = typePoints("plc", 1);
const plc = { kind: "modbus-tcp", name: "plc", points } as const;

function pointOf(dataType: string): FieldPoint {
  const point = points.find((one) => one.dataType === dataType && one.access === "rw");
  if (point === undefined) throw new Error(`the device has a point of ${dataType}`);
  return point;
}

function blockFor(ms: number): void {
  const startedMs = performance.now();
  while (performance.now() - startedMs < ms);
}

test("devices of a process show what is set, at instants of the clock of this process", async () => {
  await using rig = await startFieldProcess([plc, { kind: "opcua", name: "ua", points: nodePoints("ua") }]);
  const [device, ua] = rig.devices;
  if (device === undefined || ua === undefined) throw new Error("two devices were started");
  const point = pointOf("uint64");
  const beforeMs = performance.now();
  const at = await device.set(point, 2n ** 63n);
  expect(at.low).toBeGreaterThan(beforeMs - 1);
  expect(at.high).toBeLessThan(performance.now() + 1);
  expect(await device.get(point)).toBe(2n ** 63n);
  expect([device.requests, ua.requests]).toEqual([0, undefined]);
  expect((await device.check()).every(({ ok }) => ok)).toBe(true);
  await expect.poll(() => device.requests).toBeGreaterThan(0);
  await expect(device.set({ ...point }, 1)).rejects.toThrow(`unknown point ${point.id}`);
  await expect(device.fault("noise")).rejects.toThrow("plc has no fault noise");
});

test("a fault of a device begins and ends", async () => {
  await using rig = await startFieldProcess([plc]);
  const [device] = rig.devices;
  if (device === undefined) throw new Error("a device was started");
  const fault = await device.fault("cut");
  expect((await device.check()).some(({ ok }) => ok)).toBe(false);
  await fault[Symbol.asyncDispose]();
  expect((await device.check()).every(({ ok }) => ok)).toBe(true);
});

test("a device answers while this process works", async () => {
  await using rig = await startFieldProcess([plc]);
  const [device] = rig.devices;
  const [host = "", port] = (device?.address ?? "").split(":");
  const socket = connect(Number(port), host);
  await once(socket, "connect");
  socket.write(Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 1]));
  blockFor(1000);
  const endedMs = performance.now();
  const [answer] = await once(socket, "data");
  expect(answer).toHaveLength(11);
  socket.destroy();
  // Its standstills are known from reports; a device of this process would have stood still for the whole second.
  await expect.poll(() => rig.stoodStillMs(performance.now())).toBe(0);
  expect(rig.stoodStillMs(endedMs - 1000)).toBeLessThan(1000);
});

test("a device that cannot be started names its address", async () => {
  await using first = await startFieldProcess([plc]);
  const port = Number(first.devices[0]?.address.split(":")[1]);
  await expect(startFieldProcess([{ ...plc, port }])).rejects.toThrow(`127.0.0.1:${port}`);
});
