import type { RunningGateway } from "../../rigs/index.ts";
import type { Equipment } from "../../interface/vocabulary/equipment.ts";
import type { TestCase } from "../suite/case.ts";

const isThere: Readonly<Record<Equipment, (gateway: RunningGateway) => boolean>> = {
  clock: ({ clock }) => clock !== undefined,
  "field-devices": ({ field }) => field !== undefined && field.devices.length > 0,
  network: ({ network }) => network !== undefined,
  power: ({ power }) => power !== undefined,
  "reset-button": ({ power }) => power?.reset !== undefined,
  storage: ({ storage }) => storage !== undefined,
};

/** What the case needs and the rig around this gateway does not have. */
export function missingEquipment(testCase: TestCase, gateway: RunningGateway): Equipment[] {
  return (testCase.equipment ?? []).filter((part) => !isThere[part](gateway));
}
