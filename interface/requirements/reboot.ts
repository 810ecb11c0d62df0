import type { Requirement } from "./requirement.ts";

const shared = { group: "reboot", level: "stated", capability: "reboot" } as const;
const resource = { ...shared, place: "Resources: Reboot schedule" };
const rebooting = { ...shared, place: "Endpoints 5, Reboot system" };
const capabilities = { ...shared, capability: "reset", place: "Resources: Reset capabilities" } as const;
const resetting = {
  ...shared,
  capability: "reset",
  place: "Endpoints 5, Reset system to default configuration",
} as const;

export const rebootRequirements: readonly Requirement[] = [
  {
    id: "CORE-REBOOT-01",
    ...resource,
    statement: "The schedule's at has the crontab field minute as a string.",
  },
  {
    id: "CORE-REBOOT-02",
    ...resource,
    statement: "The schedule's at has the crontab field hour as a string.",
  },
  {
    id: "CORE-REBOOT-03",
    ...resource,
    statement: "The schedule's at has the crontab field day as a string.",
  },
  {
    id: "CORE-REBOOT-04",
    ...resource,
    statement: "The schedule's at has the crontab field month as a string.",
  },
  {
    id: "CORE-REBOOT-05",
    ...resource,
    statement: "The schedule's at has the crontab field dayOfWeek as a string.",
  },
  { id: "CORE-REBOOT-06", ...resource, statement: "The reboot schedule has a boolean enableScheduler." },
  { id: "CORE-REBOOT-07", ...resource, statement: "The reboot schedule has lastBootAt as a timestamp." },
  { id: "CORE-REBOOT-08", ...resource, statement: "The reboot schedule has nextTriggerAt as a timestamp." },
  {
    id: "CORE-REBOOT-09",
    ...shared,
    place: "Endpoints 5, Get reboot schedule",
    statement: "Get reboot schedule answers the schedule under data.",
  },
  {
    id: "CORE-REBOOT-10",
    ...rebooting,
    statement: "Reboot system answers the schedule as it now is, under data.",
  },
  { id: "CORE-REBOOT-11", ...rebooting, statement: "With now true the system reboots immediately." },
  {
    id: "CORE-REBOOT-12",
    ...rebooting,
    statement: "With at set to the fixed string now the system reboots immediately.",
  },
  {
    id: "CORE-REBOOT-13",
    ...resource,
    statement: "lastBootAt is later after a reboot, and tells when the system booted.",
  },
  {
    id: "CORE-REBOOT-14",
    ...rebooting,
    statement: "A crontab expression is taken as at and shown field by field.",
  },
  {
    id: "CORE-REBOOT-15",
    ...rebooting,
    statement: "nextTriggerAt is the next instant that the crontab expression names.",
  },
  { id: "CORE-REBOOT-16", ...rebooting, statement: "An RFC 3339 date-time is taken as at." },
  {
    id: "CORE-REBOOT-17",
    ...rebooting,
    statement: "The system reboots at the date-time that was set.",
  },
  { id: "CORE-REBOOT-18", ...rebooting, statement: "enableScheduler that was set is read back." },
  { id: "CORE-REBOOT-19", ...rebooting, statement: "A schedule that was set is there after a reboot." },
  {
    id: "CORE-REBOOT-20",
    ...rebooting,
    statement: "An at that is neither now, nor a date-time, nor a crontab expression is refused.",
  },
  {
    id: "CORE-REBOOT-21",
    ...capabilities,
    statement: "The reset capabilities say with a boolean for factory and system whether each is supported.",
  },
  {
    id: "CORE-REBOOT-22",
    ...capabilities,
    statement:
      "The reset capabilities list the scopes of factory and system, each one of the allowed values.",
  },
  {
    id: "CORE-REBOOT-23",
    ...capabilities,
    statement: "A factory reset that is supported offers the scope all and no other.",
  },
  {
    id: "CORE-REBOOT-24",
    ...shared,
    capability: "reset",
    place: "Endpoints 5, Get reset capabilities",
    statement: "Get reset capabilities answers them under data.",
  },
  { id: "CORE-REBOOT-25", ...resetting, statement: "Reset answers a boolean enable under data." },
  {
    id: "CORE-REBOOT-26",
    ...resetting,
    statement: "A scope that is not one of the allowed values is refused.",
  },
  { id: "CORE-REBOOT-27", ...resetting, statement: "A mode that is neither factory nor system is refused." },
  { id: "CORE-REBOOT-28", ...resetting, statement: "With sync true the system is reset immediately." },
  {
    id: "CORE-REBOOT-29",
    ...resetting,
    statement: "With sync false the system waits 3 seconds before it resets.",
  },
  {
    id: "CORE-REBOOT-30",
    ...resetting,
    statement: "Without sync the system waits 3 seconds, as with sync false.",
  },
  {
    id: "CORE-REBOOT-31",
    ...resetting,
    statement: "A reset brings the settings of the scope it names back to their defaults.",
  },
  {
    id: "CORE-REBOOT-32",
    ...resetting,
    statement: "A reset leaves the settings of scopes it does not name as they were.",
  },
  {
    id: "CORE-REBOOT-33",
    ...resetting,
    statement: "A reset with the scope all brings all settings back to their defaults.",
  },
  {
    id: "CORE-REBOOT-34",
    ...resetting,
    statement:
      "Without mode a reset is one of mode system, which takes scopes that a factory reset does not offer.",
  },
  {
    id: "CORE-REBOOT-35",
    ...rebooting,
    statement: "With enableScheduler false the schedule does not trigger.",
  },
  {
    id: "CORE-REBOOT-36",
    ...resetting,
    statement: "keep-network-setting keeps the network settings through a reset.",
    untestable:
      "which settings are network settings is shown only by a label of export sections, whose content is not shown",
  },
  { id: "CORE-REBOOT-37", ...resetting, statement: "A factory reset takes only the scope all." },
  {
    id: "CORE-REBOOT-38",
    ...shared,
    level: "published",
    place: "Events",
    statement: "A reboot is recorded as the event device reboot, whose kind is enabled.",
  },
  {
    id: "CORE-REBOOT-39",
    ...resetting,
    statement: "A factory reset brings all settings back to their defaults.",
  },
  {
    id: "CORE-REBOOT-40",
    ...resetting,
    statement: "A reset takes every scope that the capabilities offer, alone and with others.",
  },
  {
    id: "CORE-REBOOT-41",
    ...resetting,
    statement: "Scope values mean the settings of their name, such as job for background jobs.",
    untestable: "the document lists the values and does not say what each holds",
  },
  { id: "CORE-REBOOT-42", ...rebooting, statement: "With now false a schedule is set without a reboot." },
  {
    id: "CORE-REBOOT-43",
    ...rebooting,
    level: "published",
    statement: "The crontab fields are taken as at in an object, too.",
  },
];
