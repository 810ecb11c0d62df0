import { expect, test } from "vitest";
import { monotonicClock, type Tape } from "../../harness/index.ts";
import { type FieldDevice, startEmbeddedRack, startProcessGateway } from "../../rigs/index.ts";
import { factsOf } from "./gatewayFacts.ts";
import { tapedGateway } from "./tapedGateway.ts";

const unused = (): never => {
  throw new Error("a rig sends no requests to the gateway");
};
const straight: Tape = {
  clock: monotonicClock,
  ask: (_key, live) => live(),
  read: (_key, live) => live(),
  feed: (_key, sink, live) => live(sink),
  send: unused,
  open: unused,
};

/** Members that the device has at present. */
function partsOf(device: FieldDevice): string[] {
  return Object.keys(device)
    .filter((name) => Reflect.get(device, name) !== undefined)
    .toSorted();
}

test("a case reaches every part of a field device that the rig has", async () => {
  const field = await startEmbeddedRack({ loadDevices: 1, units: 1 });
  await using gateway = await startProcessGateway({ adminPassword: "Taped-1!", field });
  const taped = tapedGateway(factsOf(gateway), straight, gateway);
  expect(taped.field?.devices.map(partsOf)).toEqual(field.devices.map(partsOf));
  expect(taped.field?.devices.map(partsOf).filter((parts) => parts.includes("unread"))).not.toHaveLength(0);
});
