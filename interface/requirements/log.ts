import type { Requirement } from "./requirement.ts";

const shared = { group: "log", level: "stated", capability: "log" } as const;
const disk = (field: string) => ({ ...shared, place: `Resources, Disk entry: ${field}` });
const resource = (field: string) => ({ ...shared, place: `Resources, Log configuration: ${field}` });
const getting = { ...shared, place: "Endpoints 4, Get configuration or download log" };
const setting = { ...shared, place: "Endpoints 4, Set log configuration" };

export const logRequirements: readonly Requirement[] = [
  { id: "CORE-LOG-01", ...disk("device"), statement: "`device` of a disk entry is a string." },
  { id: "CORE-LOG-02", ...disk("mount"), statement: "`mount` of a disk entry is a string." },
  { id: "CORE-LOG-03", ...disk("name"), statement: "`name` of a disk entry is a string." },
  { id: "CORE-LOG-04", ...disk("total"), statement: "`total` of a disk entry is an integer." },
  { id: "CORE-LOG-05", ...disk("used"), statement: "`used` of a disk entry is an integer." },
  { id: "CORE-LOG-06", ...disk("free"), statement: "`free` of a disk entry is an integer." },
  { id: "CORE-LOG-07", ...disk("percent"), statement: "`percent` of a disk entry is a number." },
  {
    id: "CORE-LOG-08",
    ...disk("protect"),
    statement: "`protect` of a disk entry in the event and upgrade configurations is an integer.",
  },
  {
    id: "CORE-LOG-09",
    ...disk("tags"),
    statement: "`tags` of a disk entry holds `free`, `percent` and `used` as strings.",
  },
  {
    id: "CORE-LOG-10",
    ...disk("name"),
    statement: "`name` of a disk entry is accepted as a value of `targetDiskName`.",
  },
  {
    id: "CORE-LOG-11",
    ...resource("desiredDiskCacheSizeMB"),
    statement: "`desiredDiskCacheSizeMB` of the log configuration is an integer in responses.",
  },
  {
    id: "CORE-LOG-12",
    ...resource("disks"),
    statement: "`disks` of the log configuration is an array of disk entries.",
  },
  { id: "CORE-LOG-13", ...resource("enable"), statement: "`enable` of the log configuration is a boolean." },
  {
    id: "CORE-LOG-14",
    ...resource("enableTimeToLiveSec"),
    statement: "`enableTimeToLiveSec` of the log configuration is a boolean.",
  },
  {
    id: "CORE-LOG-15",
    ...resource("targetDiskName"),
    statement: "`targetDiskName` of the log configuration is a string.",
  },
  {
    id: "CORE-LOG-16",
    ...resource("timeToLiveSec"),
    statement: "`timeToLiveSec` of the log configuration is an integer.",
  },
  {
    id: "CORE-LOG-17",
    ...getting,
    statement: "`Get configuration or download log` without a query returns the log configuration in `data`.",
  },
  {
    id: "CORE-LOG-18",
    ...getting,
    statement: "`Get configuration or download log` with `download` returns the log as a zip file.",
  },
  {
    id: "CORE-LOG-19",
    ...getting,
    statement:
      "`Get configuration or download log` with `download` and `appName` returns the log of that app as a zip file.",
  },
  {
    id: "CORE-LOG-20",
    ...setting,
    statement: "`Set log configuration` returns the updated log configuration in `data`.",
  },
  {
    id: "CORE-LOG-21",
    ...setting,
    statement:
      "`Set log configuration` accepts `desiredDiskCacheSizeMB` as a string and stores it as the same integer.",
  },
  { id: "CORE-LOG-22", ...setting, statement: "`Set log configuration` stores `enable` as sent." },
  {
    id: "CORE-LOG-23",
    ...setting,
    statement: "`Set log configuration` stores `enableTimeToLiveSec` as sent.",
  },
  { id: "CORE-LOG-24", ...setting, statement: "`Set log configuration` stores `timeToLiveSec` as sent." },
  {
    id: "CORE-LOG-25",
    ...setting,
    place: "Limits: timeToLiveSec; Endpoints 4, Set log configuration",
    statement: "`Set log configuration` accepts a `timeToLiveSec` of 0 or less, which means unlimited.",
  },
  {
    id: "CORE-LOG-26",
    ...setting,
    statement:
      "`Set log configuration` stores no value of a wrong type, and changes no setting when it is rejected.",
  },
  {
    id: "CORE-LOG-27",
    ...resource("timeToLiveSec"),
    statement: "The gateway stores the log for an unlimited time while `timeToLiveSec` is 0 or less.",
    untestable: "an unlimited time cannot be observed in a finite run",
  },
  {
    id: "CORE-LOG-28",
    ...setting,
    place:
      "States, other timed effects: the system reboots after a configuration was applied; What the service does 2 and 3",
    statement: "The log configuration persists across a reboot.",
  },
  {
    id: "CORE-LOG-29",
    ...resource("disks"),
    statement: "`Set log configuration` accepts `disk` with a value of any type.",
  },
];
