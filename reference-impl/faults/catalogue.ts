// All faults that the gateway can be told to have.
import { accountFaults } from "./accounts.ts";
import { appAndUpgradeFaults } from "./appsAndUpgrades.ts";
import { configurationFaults } from "./configuration.ts";
import { eventFaults } from "./events.ts";
import { everywhereFaults } from "./everywhere.ts";
import type { Fault } from "./fault.ts";
import { rebootingFaults } from "./rebooting.ts";
import { signingInFaults } from "./signingIn.ts";
import { systemFaults } from "./system.ts";
import { tagFaults } from "./tags.ts";
import { shapeFaults } from "./shapes.ts";

export const allFaults: readonly Fault[] = [
  ...everywhereFaults,
  ...configurationFaults,
  ...systemFaults,
  ...rebootingFaults,
  ...accountFaults,
  ...signingInFaults,
  ...eventFaults,
  ...appAndUpgradeFaults,
  ...tagFaults,
  ...shapeFaults,
];

/** The fault with the id; throws an Error that says where the ids are listed. */
export function findFault(id: string): Fault {
  const fault = allFaults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`--fault ${id}: expected an id that --list-faults shows`);
  return fault;
}
