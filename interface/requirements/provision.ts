import type { Requirement } from "./requirement.ts";

const shared = { group: "provision", level: "stated", capability: "provision" } as const;
const resource = { ...shared, place: "Resources: Provisioning configuration" };
const setting = { ...shared, place: "Endpoints 3, Set" };

export const provisionRequirements: readonly Requirement[] = [
  { id: "CORE-PROVISION-01", ...resource, statement: "The provisioning configuration has a boolean enable." },
  { id: "CORE-PROVISION-02", ...resource, statement: "The provisioning schedule has a boolean enable." },
  {
    id: "CORE-PROVISION-03",
    ...resource,
    statement: "The provisioning schedule has disableAfterSec as an integer number of seconds.",
  },
  {
    id: "CORE-PROVISION-04",
    ...shared,
    place: "Endpoints 3, Get",
    statement: "Get answers the provisioning configuration under data.",
  },
  {
    id: "CORE-PROVISION-05",
    ...setting,
    statement: "Set answers the provisioning configuration as it now is, under data.",
  },
  { id: "CORE-PROVISION-06", ...setting, statement: "The enable that was set is read back." },
  { id: "CORE-PROVISION-07", ...setting, statement: "The schedule's enable that was set is read back." },
  {
    id: "CORE-PROVISION-08",
    ...setting,
    statement: "The schedule's disableAfterSec that was set is read back.",
  },
  {
    id: "CORE-PROVISION-09",
    ...resource,
    statement: "Provisioning with a schedule is disabled after the seconds that the schedule names.",
  },
  { id: "CORE-PROVISION-10", ...resource, statement: "Provisioning without a schedule stays enabled." },
  {
    id: "CORE-PROVISION-11",
    ...setting,
    statement: "The provisioning configuration that was set is there after a reboot.",
  },
  {
    id: "CORE-PROVISION-12",
    ...setting,
    statement: "A value of a wrong type is refused and changes nothing.",
  },
];
