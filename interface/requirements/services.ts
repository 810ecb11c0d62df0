import type { Requirement } from "./requirement.ts";

const shared = { group: "services", level: "stated", capability: "services" } as const;
const resource = { ...shared, place: "Resources, System service switch" };
const listing = { ...shared, place: "Endpoints 6, List services" };
const switching = { ...shared, place: "Endpoints 6, Enable and Disable system service" };
const states = { ...shared, place: "States, Service switch" };
const ssh = { ...shared, capability: "ssh" } as const;
const sshConfiguration = { ...ssh, place: "Resources, SSH configuration" };
const settingSsh = { ...ssh, place: "Endpoints 6, Get and Set SSH configuration" };

export const servicesRequirements: readonly Requirement[] = [
  { id: "CORE-SERVICE-01", ...resource, statement: "`available` of a service switch is a boolean." },
  { id: "CORE-SERVICE-02", ...resource, statement: "`enable` of a service switch is a boolean." },
  { id: "CORE-SERVICE-03", ...resource, statement: "`id` of a service switch is a string." },
  {
    id: "CORE-SERVICE-04",
    ...resource,
    statement: "`data.cloudConnectivity` of `List services` is an array of service switches.",
  },
  {
    id: "CORE-SERVICE-05",
    ...resource,
    statement: "`data.network` of `List services` is an array of service switches.",
  },
  {
    id: "CORE-SERVICE-06",
    ...resource,
    statement: "`data.protocol` of `List services` is an array of service switches.",
  },
  {
    id: "CORE-SERVICE-07",
    ...resource,
    statement: "`data.provisionService` of `List services` is an array of service switches.",
  },
  {
    id: "CORE-SERVICE-08",
    ...resource,
    statement: "`data.service` of `List services` is an array of service switches.",
  },
  {
    id: "CORE-SERVICE-09",
    ...resource,
    statement:
      "Service switches have the observed ids, such as `cloud`, `wifi`, `modbusmaster`, `provision` and `httpservice`.",
    untestable: "observed on one device; another device may have other services",
  },
  {
    id: "CORE-SERVICE-10",
    ...listing,
    statement: "`List services` returns the five groups of service switches in `data`.",
  },
  {
    id: "CORE-SERVICE-11",
    ...listing,
    statement: "`List services` contains every service once, in one group.",
  },
  {
    id: "CORE-SERVICE-12",
    ...switching,
    statement: "`data.enable` of `Enable system service` is a boolean with the new state.",
  },
  {
    id: "CORE-SERVICE-13",
    ...states,
    statement: "`Enable system service` returns `data.enable` true for a disabled service.",
  },
  {
    id: "CORE-SERVICE-14",
    ...states,
    statement: "`List services` shows `enable` true for an enabled service.",
  },
  {
    id: "CORE-SERVICE-15",
    ...states,
    statement: "`Disable system service` returns `data.enable` false for an enabled service.",
  },
  {
    id: "CORE-SERVICE-16",
    ...states,
    statement: "`List services` shows `enable` false for a disabled service.",
  },
  {
    id: "CORE-SERVICE-17",
    ...switching,
    statement: "`Enable system service` and `Disable system service` change no other service.",
  },
  {
    id: "CORE-SERVICE-18",
    ...switching,
    statement: "The gateway rejects `Enable system service` with an `id` outside the allowed ids.",
  },
  {
    id: "CORE-SERVICE-19",
    ...switching,
    statement: "The gateway rejects `Disable system service` with an `id` outside the allowed ids.",
  },
  {
    id: "CORE-SERVICE-20",
    ...switching,
    statement: "`Enable system service` leaves an enabled service enabled.",
  },
  {
    id: "CORE-SERVICE-21",
    ...switching,
    statement: "`Disable system service` leaves a disabled service disabled.",
  },
  {
    id: "CORE-SERVICE-22",
    ...resource,
    level: "recommended",
    source:
      "Resources, System service switch: the interface has `available` and does not state what a switch of such a service answers",
    statement: "The gateway rejects `Enable system service` for a service whose `available` is false.",
  },
  {
    id: "CORE-SERVICE-23",
    ...sshConfiguration,
    statement: "`enable` of the SSH configuration is a boolean.",
  },
  { id: "CORE-SERVICE-24", ...sshConfiguration, statement: "`port` of the SSH configuration is an integer." },
  {
    id: "CORE-SERVICE-25",
    ...settingSsh,
    statement: "`Get SSH configuration` returns the SSH configuration in `data`.",
  },
  {
    id: "CORE-SERVICE-26",
    ...settingSsh,
    statement: "`Set SSH configuration` returns the updated SSH configuration in `data`.",
  },
  { id: "CORE-SERVICE-27", ...settingSsh, statement: "`Set SSH configuration` stores `port` as sent." },
  { id: "CORE-SERVICE-28", ...settingSsh, statement: "`Set SSH configuration` stores `enable` as sent." },
  {
    id: "CORE-SERVICE-29",
    ...switching,
    statement: "`data.enable` of `Disable system service` is a boolean with the new state.",
  },
  {
    id: "CORE-SERVICE-30",
    ...ssh,
    place:
      "States, other timed effects: the system reboots after a configuration was applied; What the service does 2 and 3",
    statement: "The SSH configuration persists across a reboot.",
  },
  {
    id: "CORE-SERVICE-31",
    ...states,
    place: "States, Service switch: only enable and disable change the state",
    statement: "The state of a service switch persists across a reboot.",
  },
  {
    id: "CORE-SERVICE-32",
    ...switching,
    statement:
      "`Enable system service` and `Disable system service` accept every allowed id that `List services` shows as available.",
  },
  {
    id: "CORE-SERVICE-33",
    ...switching,
    statement:
      "`Enable system service` and `Disable system service` change no number and no text of a configuration.",
  },
  {
    id: "CORE-SERVICE-34",
    ...states,
    level: "recommended",
    source:
      "States, Service switch: the interface shows no other effect than `enable`, and does not state what `available` means",
    place: "States, Service switch: the other effects of enable and disable",
    statement:
      "`Enable system service` and `Disable system service` do not change `available` of a service that is software.",
  },
  {
    id: "CORE-SERVICE-35",
    ...resource,
    level: "recommended",
    source:
      "Resources, System service switch: the interface lists the observed ids in the order of the groups",
    statement: "`List services` contains an observed id in the group of the interface.",
  },
];
