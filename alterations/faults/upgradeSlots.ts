// Faults of upgrades of the whole system: they show only with packages, in a reboot or a power cut.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rebootExitCode } from "../../reference-impl/board/exitCodes.ts";
import { readBootRecord, writeBootRecord } from "../../reference-impl/slots/bootRecord.ts";
import type { PackageChecks } from "../../reference-impl/slots/systemPackage.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { afterCut, onTable } from "./durability.ts";

const recordIn = (folder: string): string => join(folder, "boot.json");

/** A check of packages that is left out. */
function unchecked(...names: readonly (keyof PackageChecks)[]): Fault["install"] {
  return (at) =>
    at.packageChecks((checks) => ({
      ...checks,
      ...Object.fromEntries(names.map((name) => [name, () => undefined])),
    }));
}

/** Does the work in the first boot of a new system. */
function atFirstBoot(work: (store: Store) => void): Fault["install"] {
  return (at) => {
    let isTrial = false;
    at.slots((slots) => ({
      ...slots,
      choose() {
        const choice = slots.choose();
        isTrial = choice.trialOf !== undefined;
        return choice;
      },
    }));
    at.boot((store) => void (isTrial && work(store)));
  };
}

/** Switches to packages before they are verified, and reboots. */
function switchesFirst(at: GatewayAlterations): void {
  let wrong: unknown;
  at.packageChecks((checks) => ({
    ...checks,
    signature(manifestText, signature) {
      wrong = undefined;
      try {
        checks.signature(manifestText, signature);
      } catch (thrown) {
        wrong = thrown;
      }
    },
  }));
  at.slots((slots) => ({
    ...slots,
    tryNext(jobId, manifest) {
      slots.tryNext(jobId, manifest);
      if (wrong === undefined) return;
      setTimeout(() => process.exit(rebootExitCode), 300);
      throw wrong;
    },
  }));
}

/** Shows the new version in the boot after an installation, and runs the former one. */
function claimsTheVersion(at: GatewayAlterations): void {
  let version: string | undefined;
  let claimedBy: number | undefined;
  at.slots((slots, folder) => {
    const file = join(folder, "claim.json");
    return {
      ...slots,
      choose() {
        if (existsSync(file)) {
          const claim = fields(JSON.parse(readFileSync(file, "utf8")));
          claimedBy = Number(claim["jobId"]);
          version = String(claim["version"]);
          rmSync(file);
        }
        return slots.choose();
      },
      tryNext: (jobId, manifest) => writeFileSync(file, JSON.stringify({ jobId, version: manifest.version })),
      endOf: (jobId) => (jobId === claimedBy ? { isConfirmed: true, reason: "" } : slots.endOf(jobId)),
    };
  });
  at.answer("listApps", (body) => ({
    ...body,
    data: items(body["data"]).map((app) => (version === undefined ? app : { ...app, version })),
  }));
}

const ofInstallations: readonly Fault[] = faults([
  [
    "system-that-does-not-start-is-booted-for-ever",
    "CORE-UPGRADE-83",
    "plain",
    "A new system that does not start is booted again and again; the former one is never restored.",
    (at) =>
      at.slots((slots, folder) => ({
        ...slots,
        choose() {
          const choice = slots.choose();
          const record = readBootRecord(recordIn(folder));
          if (record.trial !== null)
            writeBootRecord(recordIn(folder), { ...record, trial: { ...record.trial, triesLeft: 3 } });
          return choice;
        },
      })),
  ],
  [
    "unsigned-package-is-installed",
    "CORE-UPGRADE-81",
    "plain",
    "A package is installed without a valid signature.",
    unchecked("signature"),
  ],
  [
    "package-for-another-model-is-installed",
    "CORE-UPGRADE-81",
    "plain",
    "A package for another model is installed.",
    unchecked("model"),
  ],
  [
    "package-unpacks-outside-of-its-slot",
    "CORE-UPGRADE-81",
    "subtle",
    "Entries of a package's archive may lie outside of the slot, or be links.",
    unchecked("entry"),
  ],
  [
    "package-may-expand-without-limit",
    "CORE-UPGRADE-81",
    "subtle",
    "A package of any size is unpacked.",
    unchecked("expanded"),
  ],
  [
    "switches-before-verifying",
    "CORE-UPGRADE-81",
    "subtle",
    "The gateway switches to a package before it checks the signature; the job fails, and the next boot runs the package.",
    switchesFirst,
  ],
  [
    "rejected-package-without-a-reason",
    "CORE-UPGRADE-82",
    "plain",
    "The job of a rejected package is failed without `errorMessage`.",
    (at) =>
      at.data(["getUpgradeJob", "listUpgradeJobs"], (job) => {
        const { errorMessage: _reason, ...rest } = job;
        return rest;
      }),
  ],
  [
    "version-is-shown-without-booting-it",
    "CORE-UPGRADE-75",
    "subtle",
    "After an installation the gateway shows the new version until its next boot, and runs the former one.",
    claimsTheVersion,
  ],
  [
    "upgrade-loses-users",
    "CORE-UPGRADE-76",
    "plain",
    "The first boot of a new system removes all users but the administrator.",
    atFirstBoot(onTable("user", "DELETE FROM user WHERE id > 1")),
  ],
  [
    "upgrade-resets-a-setting",
    "CORE-UPGRADE-77",
    "subtle",
    "The first boot of a new system resets the provisioning configuration.",
    atFirstBoot((store) => void store.run("DELETE FROM setting WHERE name = 'provision'")),
  ],
  [
    "upgrade-loses-virtual-tags",
    "CORE-UPGRADE-78",
    "plain",
    "The first boot of a new system removes the virtual tags.",
    atFirstBoot(onTable("virtual_tag", "DELETE FROM virtual_tag")),
  ],
  [
    "canceled-installation-continues",
    "CORE-UPGRADE-79",
    "subtle",
    "Canceling a job during its installation is answered with success and has no effect.",
    (at) =>
      at.around("operateUpgradeJob", async (call, proceed, ask) => {
        const { id = "", action } = call.path;
        const found = await ask("getUpgradeJob", { path: { id } });
        const job = found.kind === "json" ? fields(fields(found.body)["data"]) : {};
        const isInstalling = items(job["tasks"]).some(
          ({ type, state }) => type === "install" && state === "running",
        );
        return action === "cancel" && isInstalling ? found : proceed(call);
      }),
  ],
  [
    "cut-amid-write-bricks",
    "CORE-UPGRADE-84",
    "subtle",
    "The boot record is empty while a package is written: a power cut then leaves no system to boot.",
    (at) =>
      at.slots((slots, folder) => ({
        ...slots,
        async write(...inputs) {
          const written = slots.write(...inputs);
          const record = readFileSync(recordIn(folder), "utf8");
          writeFileSync(recordIn(folder), "");
          try {
            await written;
          } finally {
            writeFileSync(recordIn(folder), record);
          }
        },
      })),
  ],
  [
    "cut-amid-upgrade-loses-virtual-tags",
    "CORE-UPGRADE-85",
    "subtle",
    "A power cut during an upgrade job loses the virtual tags.",
    afterCut((store) => {
      const job = "SELECT 1 FROM upgrade_job WHERE job ->> '$.state' = 'running'";
      const hasJobs = store.get("SELECT 1 FROM sqlite_master WHERE name = 'upgrade_job'") !== undefined;
      if (hasJobs && store.get(job) !== undefined) store.run("DELETE FROM virtual_tag");
    }),
  ],
]);

/** Most cases of installations are part of runs of level certification only. */
export const upgradeSlotFaults: readonly Fault[] = ofInstallations.map((fault) => ({
  ...fault,
  level: "certification",
}));
