import type { Requirement } from "./requirement.ts";

const shared = { group: "provision", level: "stated", capability: "provision" } as const;
const resource = (field: string) => ({
  ...shared,
  place: `Resources, Provisioning configuration: ${field}`,
});
const setting = { ...shared, place: "Endpoints 3, Set" };

export const provisionRequirements: readonly Requirement[] = [
  {
    id: "CORE-PROVISION-01",
    ...resource("enable"),
    statement: "`enable` of the provisioning configuration is a boolean.",
  },
  {
    id: "CORE-PROVISION-02",
    ...resource("schedule.enable"),
    statement: "`schedule.enable` of the provisioning configuration is a boolean.",
  },
  {
    id: "CORE-PROVISION-03",
    ...resource("schedule.disableAfterSec"),
    statement: "`schedule.disableAfterSec` of the provisioning configuration is an integer, in seconds.",
  },
  {
    id: "CORE-PROVISION-04",
    ...shared,
    place: "Endpoints 3, Get",
    statement: "`Get` of provisioning returns the provisioning configuration in `data`.",
  },
  {
    id: "CORE-PROVISION-05",
    ...setting,
    statement: "`Set` of provisioning returns the updated provisioning configuration in `data`.",
  },
  { id: "CORE-PROVISION-06", ...setting, statement: "`Set` of provisioning stores `enable` as sent." },
  {
    id: "CORE-PROVISION-07",
    ...setting,
    statement: "`Set` of provisioning stores `schedule.enable` as sent.",
  },
  {
    id: "CORE-PROVISION-08",
    ...setting,
    statement: "`Set` of provisioning stores `schedule.disableAfterSec` as sent.",
  },
  {
    id: "CORE-PROVISION-09",
    ...resource("schedule.disableAfterSec"),
    statement:
      "The gateway disables provisioning after `schedule.disableAfterSec` seconds while `schedule.enable` is true.",
  },
  {
    id: "CORE-PROVISION-10",
    ...resource("schedule.enable"),
    statement: "Provisioning stays enabled while `schedule.enable` is false.",
  },
  {
    id: "CORE-PROVISION-11",
    ...setting,
    place:
      "States, other timed effects: the system reboots after a configuration was applied; What the service does 2 and 3",
    statement: "The provisioning configuration persists across a reboot.",
  },
  {
    id: "CORE-PROVISION-12",
    ...setting,
    statement:
      "`Set` of provisioning stores no value of a wrong type, and changes no setting when it is rejected.",
  },
];
