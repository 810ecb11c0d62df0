import { expect, test } from "vitest";
import { startProcessGateway } from "../process/processGateway.ts";
import { startModbusTcpServer } from "../modbus/tcpServer.ts";
import { typePoints } from "../process/embeddedPoints.ts";
import { leasedField, leasedPower } from "./leasedEquipment.ts";
import type { LeaseCheck } from "../host/leaseCheck.ts";

test("whoever lost the gateway can neither switch its power nor move what is wired to it", async () => {
  await using gateway = await startProcessGateway({ adminPassword: "Held-1!" });
  await using device = await startModbusTcpServer({ name: "plc", points: typePoints("plc", 1) });
  let isLost = false;
  const lease: LeaseCheck = {
    lost: new AbortController().signal,
    check(act) {
      if (isLost) throw new Error(`lost; refused to ${act}`);
    },
  };
  if (gateway.power === undefined) throw new Error("a process gateway has power");
  const power = leasedPower(gateway.power, lease);
  const rack = {
    devices: [device],
    missing: [],
    stoodStillMs: () => 0,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const [plc] = leasedField(rack, lease).devices;
  const point = plc?.points.find(({ dataType }) => dataType === "uint16");
  if (plc === undefined || point === undefined) throw new Error("the device has a point of 16 bits");

  await power.cut();
  await power.restore();
  await plc.set(point, 7);
  isLost = true;
  await expect(power.cut()).rejects.toThrow("lost; refused to cut the power");
  await expect(power.restore()).rejects.toThrow("lost; refused to restore the power");
  expect(() => plc.set(point, 8)).toThrow("lost; refused to set plc");
  expect(() => plc.fault("silence")).toThrow("lost; refused to fault plc");
  // Reading touches nothing.
  expect(await plc.get(point)).toBe(7);
});
