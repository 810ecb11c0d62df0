import type { RunningGateway } from "../../rigs/index.ts";
import type { Equipment } from "../../interface/vocabulary/equipment.ts";
import type { TestCase } from "../suite/case.ts";

const isPresent: Readonly<Record<Equipment, (gateway: RunningGateway) => boolean>> = {
  clock: ({ clock }) => clock !== undefined,
  "field-devices": ({ field }) => field !== undefined && field.devices.length > 0,
  "impaired-line": ({ network }) => network?.impair !== undefined,
  network: ({ network }) => network !== undefined,
  power: ({ power }) => power !== undefined,
  "reset-button": ({ power }) => power?.reset !== undefined,
  storage: ({ storage }) => storage !== undefined,
  "time-server": ({ time }) => time !== undefined,
};

/** Equipment that the case needs and that the rig of this gateway does not have. */
export function missingEquipment(testCase: TestCase, gateway: RunningGateway): Equipment[] {
  return (testCase.equipment ?? []).filter((part) => !isPresent[part](gateway));
}
