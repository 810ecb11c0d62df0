// Installations of the packages that a profile declares. The interface shows no format of packages and not what an
// installation does: none of it decides conformance.
import type { Requirement } from "./requirement.ts";

const jobs = { group: "upgrade", capability: "upgrade-jobs" } as const;
/** What the profile's packages promise: the interface does not show what an installation does. */
const packages = {
  ...jobs,
  level: "declared",
  declaredBy: "upgrade.packages",
  place: "Profile: upgrade.packages",
} as const;
const advice = { ...jobs, level: "recommended", place: "Profile: upgrade.packages" } as const;
const authenticity = { ...advice, source: "IEC 62443-4-2, EDR 3.10 (1): update authenticity and integrity" };
const recovery = { ...advice, source: "IEC 62443-4-2, CR 7.4: recovery to a known secure state" };

export const installationRequirements: readonly Requirement[] = [
  {
    id: "CORE-UPGRADE-86",
    ...jobs,
    level: "published",
    place: "Events, catalogue: software installation completed",
    statement:
      "The gateway records the event `software installation completed` for an installed package while its kind is enabled.",
  },
  {
    id: "CORE-UPGRADE-75",
    ...packages,
    statement:
      "A job that installs a package of the profile succeeds, and the gateway runs the package's version from then on.",
  },
  {
    id: "CORE-UPGRADE-76",
    ...packages,
    statement: "Users and their passwords persist across an upgrade.",
  },
  { id: "CORE-UPGRADE-77", ...packages, statement: "Settings persist across an upgrade." },
  { id: "CORE-UPGRADE-78", ...packages, statement: "Virtual tags persist across an upgrade." },
  {
    id: "CORE-UPGRADE-79",
    ...packages,
    statement: "An installation that is canceled leaves the version unchanged.",
  },
  {
    id: "CORE-UPGRADE-80",
    ...packages,
    statement: "An installation that is suspended and resumed completes.",
  },
  {
    id: "CORE-UPGRADE-81",
    ...authenticity,
    statement:
      "The gateway installs no package that is unsigned, changed, truncated, oversized or for another model, or whose archive names places outside of it.",
  },
  {
    id: "CORE-UPGRADE-82",
    ...authenticity,
    statement:
      "The job of a rejected package has the `state` `failed` and tells the reason in `errorMessage`.",
  },
  {
    id: "CORE-UPGRADE-83",
    ...recovery,
    statement: "The gateway restores its former version when the new one does not start.",
  },
  {
    id: "CORE-UPGRADE-84",
    ...recovery,
    needs: "power",
    statement:
      "After a power cut during an upgrade the gateway starts without intervention, with the former or the new version.",
  },
  {
    id: "CORE-UPGRADE-85",
    ...recovery,
    needs: "power",
    statement: "A power cut during an upgrade loses no user, setting or virtual tag.",
  },
];
