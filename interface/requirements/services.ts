import type { Requirement } from "./requirement.ts";

const shared = { group: "services", level: "stated", capability: "services" } as const;
const resource = { ...shared, place: "Resources: System service switch" };
const listing = { ...shared, place: "Endpoints 6, List services" };
const switching = { ...shared, place: "Endpoints 6, Enable and Disable system service" };
const states = { ...shared, place: "States: Service switch" };
const ssh = { ...shared, capability: "ssh" } as const;

export const servicesRequirements: readonly Requirement[] = [
  {
    id: "CORE-SERVICE-01",
    ...resource,
    statement: "A service switch says with a boolean whether the service is available.",
  },
  {
    id: "CORE-SERVICE-02",
    ...resource,
    statement: "A service switch says with a boolean whether the service is enabled.",
  },
  { id: "CORE-SERVICE-03", ...resource, statement: "A service switch has a string id." },
  {
    id: "CORE-SERVICE-04",
    ...resource,
    statement: "The switches of cloud connectivity are listed under cloudConnectivity.",
  },
  { id: "CORE-SERVICE-05", ...resource, statement: "The switches of the network are listed under network." },
  { id: "CORE-SERVICE-06", ...resource, statement: "The switches of protocols are listed under protocol." },
  {
    id: "CORE-SERVICE-07",
    ...resource,
    statement: "The switches of provisioning are listed under provisionService.",
  },
  {
    id: "CORE-SERVICE-08",
    ...resource,
    statement: "The switches of the other services are listed under service.",
  },
  {
    id: "CORE-SERVICE-09",
    ...resource,
    statement: "Ids observed in the groups include cloud, wifi, modbusmaster, provision and httpservice.",
    untestable: "observed on one device; another may have other services",
  },
  { id: "CORE-SERVICE-10", ...listing, statement: "List services answers the five groups under data." },
  { id: "CORE-SERVICE-11", ...listing, statement: "A service is listed once, in one group." },
  {
    id: "CORE-SERVICE-12",
    ...switching,
    statement: "Enabling a service answers the new state as a boolean under data.enable.",
  },
  { id: "CORE-SERVICE-13", ...states, statement: "Enabling a service that is off answers enable true." },
  { id: "CORE-SERVICE-14", ...states, statement: "A service that was enabled is listed as enabled." },
  { id: "CORE-SERVICE-15", ...states, statement: "Disabling a service that is on answers enable false." },
  { id: "CORE-SERVICE-16", ...states, statement: "A service that was disabled is listed as disabled." },
  { id: "CORE-SERVICE-17", ...switching, statement: "Switching one service leaves the others as they were." },
  {
    id: "CORE-SERVICE-18",
    ...switching,
    statement: "An id that is not one of the allowed ones cannot be enabled.",
  },
  {
    id: "CORE-SERVICE-19",
    ...switching,
    statement: "An id that is not one of the allowed ones cannot be disabled.",
  },
  { id: "CORE-SERVICE-20", ...switching, statement: "Enabling a service that is on already leaves it on." },
  {
    id: "CORE-SERVICE-21",
    ...switching,
    statement: "Disabling a service that is off already leaves it off.",
  },
  {
    id: "CORE-SERVICE-22",
    ...shared,
    place: "Resources: System service switch",
    level: "published",
    statement: "A service that is not available cannot be enabled.",
  },
  {
    id: "CORE-SERVICE-23",
    ...ssh,
    place: "Resources: SSH configuration",
    statement: "The SSH configuration says with a boolean whether SSH is enabled.",
  },
  {
    id: "CORE-SERVICE-24",
    ...ssh,
    place: "Resources: SSH configuration",
    statement: "The SSH configuration has an integer port.",
  },
  {
    id: "CORE-SERVICE-25",
    ...ssh,
    place: "Endpoints 6, Get SSH configuration",
    statement: "Get SSH configuration answers the configuration under data.",
  },
  {
    id: "CORE-SERVICE-26",
    ...ssh,
    place: "Endpoints 6, Set SSH configuration",
    statement: "Set SSH configuration answers the configuration as it now is, under data.",
  },
  {
    id: "CORE-SERVICE-27",
    ...ssh,
    place: "Endpoints 6, Set SSH configuration",
    statement: "The SSH port that was set is read back.",
  },
  {
    id: "CORE-SERVICE-28",
    ...ssh,
    place: "Endpoints 6, Set SSH configuration",
    statement: "The SSH switch that was set is read back.",
  },
  {
    id: "CORE-SERVICE-29",
    ...switching,
    statement: "Disabling a service answers the new state as a boolean under data.enable.",
  },
  {
    id: "CORE-SERVICE-30",
    ...ssh,
    place: "What the service does 2",
    statement: "The SSH configuration that was set is there after a reboot.",
  },
  {
    id: "CORE-SERVICE-31",
    ...states,
    statement: "A service that was switched is as it was left after a reboot.",
  },
  {
    id: "CORE-SERVICE-32",
    ...switching,
    statement: "Each of the allowed ids that the gateway lists as available can be switched.",
  },
];
