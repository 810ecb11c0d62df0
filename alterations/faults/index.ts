// All faults that can be injected into the reference gateway, as data: importing them starts no gateway.
import { letInFaults } from "./access.ts";
import { appFaults } from "./apps.ts";
import { configurationFaults } from "./configuration.ts";
import { exportPasswordFaults } from "./exportPasswords.ts";
import { derivedFaults } from "./derived/index.ts";
import { accessFaults } from "./directAccess.ts";
import { durabilityFaults } from "./durability.ts";
import { enduranceFaults } from "./endurance.ts";
import { catalogueFaults } from "./eventCatalogue.ts";
import { downloadFaults } from "./eventDownloads.ts";
import { pagingFaults } from "./eventPages.ts";
import { eventFaults } from "./events.ts";
import { everywhereFaults } from "./everywhere.ts";
import type { Fault } from "./fault.ts";
import { fieldFaults } from "./field.ts";
import { httpServerFaults } from "./httpServer.ts";
import { logFaults } from "./log.ts";
import { monitorFaults } from "./monitoring.ts";
import { passwordFaults } from "./passwords.ts";
import { provisionFaults } from "./provision.ts";
import { rebootFaults } from "./reboot.ts";
import { resetFaults } from "./reset.ts";
import { roleFaults } from "./roles.ts";
import { serviceFaults } from "./services.ts";
import { shapeFaults } from "./shapes.ts";
import { signInFaults } from "./signIn.ts";
import { upgradeConfigurationFaults } from "./upgradeConfiguration.ts";
import { jobFaults } from "./upgradeJobs.ts";
import { userFaults } from "./users.ts";
import { virtualFaults } from "./virtualTags.ts";

const writtenFaults: readonly Fault[] = [
  ...everywhereFaults,
  ...fieldFaults,
  ...durabilityFaults,
  ...configurationFaults,
  ...exportPasswordFaults,
  ...roleFaults,
  ...userFaults,
  ...passwordFaults,
  ...signInFaults,
  ...letInFaults,
  ...downloadFaults,
  ...pagingFaults,
  ...eventFaults,
  ...catalogueFaults,
  ...virtualFaults,
  ...accessFaults,
  ...monitorFaults,
  ...appFaults,
  ...upgradeConfigurationFaults,
  ...jobFaults,
  ...httpServerFaults,
  ...provisionFaults,
  ...logFaults,
  ...serviceFaults,
  ...rebootFaults,
  ...resetFaults,
  ...shapeFaults,
];

/**
 * `written`: for one requirement, by hand; `derived`: made by an operator from the data of the interface; `endurance`:
 * shows only over time, in a soak.
 */
type FaultOrigin = "written" | "derived" | "endurance";

/** A fault as users see it. */
export type FaultEntry = Omit<Fault, "install"> & { readonly origin: FaultOrigin };

const entryOf =
  (origin: FaultOrigin) =>
  ({ install: _install, ...entry }: Fault): FaultEntry => ({ ...entry, origin });

/** All faults as users see them, first those that are written. */
export function listFaults(): readonly FaultEntry[] {
  return [
    ...writtenFaults.map(entryOf("written")),
    ...enduranceFaults.map(entryOf("endurance")),
    ...derivedFaults.map(entryOf("derived")),
  ];
}

/** The fault with the id; throws an Error that says where the ids are listed. */
export function findFault(id: string): Fault {
  const fault = [...writtenFaults, ...enduranceFaults, ...derivedFaults].find((one) => one.id === id);
  if (fault === undefined)
    throw new Error(`--fault ${id}: not found. Fix: use an id that rackproof list faults shows`);
  return fault;
}
