// All faults that can be injected into the reference gateway, as data: importing them starts no gateway.
import { letInFaults } from "./access.ts";
import { accountRightFaults } from "./accountRights.ts";
import { accountViewFaults } from "./accountViews.ts";
import { amongManyFaults } from "./amongMany.ts";
import { appFaults } from "./apps.ts";
import { badLineFaults } from "./badLine.ts";
import { bootedStateFaults } from "./bootedState.ts";
import { clockFaults } from "./clock.ts";
import { configurationFaults } from "./configuration.ts";
import { exportSelectionFaults } from "./exportSelections.ts";
import { exportPasswordFaults } from "./exportPasswords.ts";
import { derivedFaults } from "./derived/index.ts";
import { accessFaults } from "./directAccess.ts";
import { edgeAccessFaults } from "./accessAtTheEdge.ts";
import { durabilityFaults } from "./durability.ts";
import { earlierBootFaults } from "./earlierBoots.ts";
import { endedDownloadFaults } from "./endedDownloads.ts";
import { enduranceFaults } from "./endurance.ts";
import { entryDefaultFaults } from "./entryDefaults.ts";
import { catalogueFaults } from "./eventCatalogue.ts";
import { downloadFaults } from "./eventDownloads.ts";
import { pagingFaults } from "./eventPages.ts";
import { eventFaults } from "./events.ts";
import { everywhereFaults } from "./everywhere.ts";
import type { Fault } from "./fault.ts";
import { fieldFaults } from "./field.ts";
import { fieldStreamFaults } from "./fieldStreams.ts";
import { foreignMemberFaults } from "./foreignMembers.ts";
import { formerAccountFaults } from "./formerAccounts.ts";
import { guessedSignInFaults } from "./guessedSignIns.ts";
import { httpServerFaults } from "./httpServer.ts";
import { idleTagFaults } from "./idleTags.ts";
import { logFaults } from "./log.ts";
import { monitoredTagFaults } from "./monitoredTags.ts";
import { monitorFaults } from "./monitoring.ts";
import { neighbourFaults } from "./neighbours.ts";
import { nullMemberFaults } from "./nullMembers.ts";
import { passwordFaults } from "./passwords.ts";
import { provisionFaults } from "./provision.ts";
import { rebootFaults } from "./reboot.ts";
import { resetFaults } from "./reset.ts";
import { roleFaults } from "./roles.ts";
import { servedCertificateFaults } from "./servedCertificates.ts";
import { secondTimeFaults } from "./secondTimes.ts";
import { serviceFaults } from "./services.ts";
import { shapeFaults } from "./shapes.ts";
import { similarWordFaults } from "./similarWords.ts";
import { signInFaults } from "./signIn.ts";
import { tagAgainFaults } from "./tagsCreatedAgain.ts";
import { tagStreamFaults } from "./tagStreams.ts";
import { tagTraceFaults } from "./tagTraces.ts";
import { tagViewFaults } from "./tagViews.ts";
import { upgradeConfigurationFaults } from "./upgradeConfiguration.ts";
import { upgradeSlotFaults } from "./upgradeSlots.ts";
import { uploadFaults } from "./uploads.ts";
import { upgradeDownloadFaults } from "./upgradeDownloads.ts";
import { jobFaults } from "./upgradeJobs.ts";
import { retryFaults } from "./upgradeRetries.ts";
import { userFaults } from "./users.ts";
import { virtualFaults } from "./virtualTags.ts";

const writtenFaults: readonly Fault[] = [
  ...everywhereFaults,
  ...fieldFaults,
  ...fieldStreamFaults,
  ...neighbourFaults,
  ...durabilityFaults,
  ...configurationFaults,
  ...exportPasswordFaults,
  ...exportSelectionFaults,
  ...roleFaults,
  ...userFaults,
  ...passwordFaults,
  ...accountViewFaults,
  ...accountRightFaults,
  ...guessedSignInFaults,
  ...signInFaults,
  ...letInFaults,
  ...formerAccountFaults,
  ...foreignMemberFaults,
  ...nullMemberFaults,
  ...edgeAccessFaults,
  ...downloadFaults,
  ...pagingFaults,
  ...eventFaults,
  ...catalogueFaults,
  ...entryDefaultFaults,
  ...virtualFaults,
  ...earlierBootFaults,
  ...accessFaults,
  ...tagTraceFaults,
  ...tagViewFaults,
  ...tagStreamFaults,
  ...tagAgainFaults,
  ...idleTagFaults,
  ...monitorFaults,
  ...monitoredTagFaults,
  ...amongManyFaults,
  ...appFaults,
  ...upgradeConfigurationFaults,
  ...upgradeDownloadFaults,
  ...jobFaults,
  ...uploadFaults,
  ...retryFaults,
  ...endedDownloadFaults,
  ...httpServerFaults,
  ...servedCertificateFaults,
  ...provisionFaults,
  ...logFaults,
  ...serviceFaults,
  ...rebootFaults,
  ...bootedStateFaults,
  ...resetFaults,
  ...similarWordFaults,
  ...secondTimeFaults,
  ...shapeFaults,
];

/**
 * `written`: for one requirement, by hand; `endurance`: shows only over time, in a soak; `bad-line`: shows only on an
 * impaired line; `clock`: shows only when the clock is set; `upgrade-slots`: shows only when
 * a system is installed; `derived`: made by an operator from the data of the interface.
 */
const byOrigin = {
  written: writtenFaults,
  endurance: enduranceFaults,
  "bad-line": badLineFaults,
  clock: clockFaults,
  "upgrade-slots": upgradeSlotFaults,
  derived: derivedFaults,
} as const;
type FaultOrigin = keyof typeof byOrigin;
const origins = Object.keys(byOrigin) as FaultOrigin[];

/** A fault as users see it. */
export type FaultEntry = Omit<Fault, "install"> & { readonly origin: FaultOrigin };

/** All faults as users see them, first those that are written. */
export function listFaults(): readonly FaultEntry[] {
  return origins.flatMap((origin) =>
    byOrigin[origin].map(({ install: _install, ...entry }): FaultEntry => ({ ...entry, origin })),
  );
}

/** The fault with the id; throws an Error that says where the ids are listed. */
export function findFault(id: string): Fault {
  const fault = origins.flatMap((origin) => byOrigin[origin]).find((one) => one.id === id);
  if (fault === undefined)
    throw new Error(`--fault ${id}: not found. Fix: use an id that rackproof list faults shows`);
  return fault;
}
