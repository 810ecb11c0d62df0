import type { Requirement } from "./requirement.ts";

const shared = { group: "log", level: "stated", capability: "log" } as const;
const disk = { ...shared, place: "Resources: Disk entry" };
const resource = { ...shared, place: "Resources: Log configuration" };
const getting = { ...shared, place: "Endpoints 4, Get configuration or download log" };
const setting = { ...shared, place: "Endpoints 4, Set log configuration" };

export const logRequirements: readonly Requirement[] = [
  { id: "CORE-LOG-01", ...disk, statement: "A disk entry has its device node as a string." },
  { id: "CORE-LOG-02", ...disk, statement: "A disk entry has its mount point as a string." },
  { id: "CORE-LOG-03", ...disk, statement: "A disk entry has its name as a string." },
  { id: "CORE-LOG-04", ...disk, statement: "A disk entry has its total size as an integer." },
  { id: "CORE-LOG-05", ...disk, statement: "A disk entry has its used size as an integer." },
  { id: "CORE-LOG-06", ...disk, statement: "A disk entry has its free size as an integer." },
  { id: "CORE-LOG-07", ...disk, statement: "A disk entry has its usage in per cent as a number." },
  {
    id: "CORE-LOG-08",
    ...disk,
    statement: "A disk entry of the event and upgrade configurations has protect as an integer.",
  },
  {
    id: "CORE-LOG-09",
    ...disk,
    statement: "A disk entry names the tags for free, percent and used as strings.",
  },
  { id: "CORE-LOG-10", ...disk, statement: "A disk's name is what targetDiskName takes." },
  {
    id: "CORE-LOG-11",
    ...resource,
    statement: "The log configuration has desiredDiskCacheSizeMB as an integer in answers.",
  },
  { id: "CORE-LOG-12", ...resource, statement: "The log configuration lists the disks." },
  { id: "CORE-LOG-13", ...resource, statement: "The log configuration has a boolean enable." },
  { id: "CORE-LOG-14", ...resource, statement: "The log configuration has a boolean enableTimeToLiveSec." },
  { id: "CORE-LOG-15", ...resource, statement: "The log configuration has targetDiskName as a string." },
  { id: "CORE-LOG-16", ...resource, statement: "The log configuration has timeToLiveSec as an integer." },
  {
    id: "CORE-LOG-17",
    ...getting,
    statement: "Without a query the log configuration is answered under data.",
  },
  { id: "CORE-LOG-18", ...getting, statement: "With download the log is answered as a zip file." },
  {
    id: "CORE-LOG-19",
    ...getting,
    statement: "With download and appName the log of that app is answered as a zip file.",
  },
  {
    id: "CORE-LOG-20",
    ...setting,
    statement: "Set log configuration answers the configuration as it now is, under data.",
  },
  {
    id: "CORE-LOG-21",
    ...setting,
    statement: "desiredDiskCacheSizeMB is taken as a string and read back as the same integer.",
  },
  { id: "CORE-LOG-22", ...setting, statement: "The enable that was set is read back." },
  { id: "CORE-LOG-23", ...setting, statement: "The enableTimeToLiveSec that was set is read back." },
  { id: "CORE-LOG-24", ...setting, statement: "The timeToLiveSec that was set is read back." },
  {
    id: "CORE-LOG-25",
    ...setting,
    statement: "A timeToLiveSec of zero or less, which means unlimited, is taken.",
  },
  { id: "CORE-LOG-26", ...setting, statement: "A value of a wrong type is refused and changes nothing." },
  {
    id: "CORE-LOG-27",
    ...resource,
    statement: "The log is kept without limit when timeToLiveSec is zero or less.",
    untestable: "that nothing is ever removed cannot be seen in a finite time",
  },
  { id: "CORE-LOG-28", ...setting, statement: "The log configuration that was set is there after a reboot." },
  { id: "CORE-LOG-29", ...setting, statement: "disk may be given, and its type is any." },
];
