import type { Requirement } from "./requirement.ts";

const shared = { group: "upgrade", level: "stated", capability: "upgrade" } as const;
const configuration = { ...shared, place: "Resources: Upgrade configuration" };
const partial = { ...shared, place: "Endpoints 12, Set upgrade configuration partially" };
const job = { ...shared, place: "Resources: Upgrade job" };
const task = { ...shared, place: "Resources: Upgrade job, task" };
const creating = {
  ...shared,
  place: "Endpoints 12, Create upgrade job",
  capability: "upgrade-jobs",
} as const;
const operating = {
  ...shared,
  place: "Endpoints 12, Operate the upgrade",
  capability: "upgrade-jobs",
} as const;
const states = { ...shared, place: "States: Upgrade job and task", capability: "upgrade-jobs" } as const;

export const upgradeRequirements: readonly Requirement[] = [
  {
    id: "CORE-UPGRADE-01",
    ...configuration,
    statement: "The upgrade configuration has a boolean allowOverCellular.",
  },
  { id: "CORE-UPGRADE-02", ...configuration, statement: "The upgrade configuration has a string caName." },
  {
    id: "CORE-UPGRADE-03",
    ...configuration,
    statement: "The upgrade configuration has a string certFileName.",
  },
  {
    id: "CORE-UPGRADE-04",
    ...configuration,
    statement: "The upgrade configuration has a string keyFileName.",
  },
  { id: "CORE-UPGRADE-05", ...configuration, statement: "The upgrade configuration lists the disks." },
  {
    id: "CORE-UPGRADE-06",
    ...configuration,
    statement: "The upgrade configuration has a boolean enableClientAuth.",
  },
  {
    id: "CORE-UPGRADE-07",
    ...configuration,
    statement: "The upgrade configuration has a boolean enableSnapshot.",
  },
  {
    id: "CORE-UPGRADE-08",
    ...configuration,
    statement: "The upgrade configuration has a boolean isSnapshotSupported.",
  },
  {
    id: "CORE-UPGRADE-09",
    ...configuration,
    statement: "The upgrade configuration has an integer retryCount.",
  },
  {
    id: "CORE-UPGRADE-10",
    ...configuration,
    statement: "The upgrade configuration has an integer retryInterval.",
  },
  {
    id: "CORE-UPGRADE-11",
    ...configuration,
    statement: "The upgrade configuration has a string targetDiskName.",
  },
  {
    id: "CORE-UPGRADE-12",
    ...shared,
    place: "Endpoints 12, Get upgrade configuration",
    statement: "Get upgrade configuration answers it under data.",
  },
  {
    id: "CORE-UPGRADE-13",
    ...partial,
    statement: "Setting partially answers the configuration as it now is, under data.",
  },
  { id: "CORE-UPGRADE-14", ...partial, statement: "allowOverCellular that was set is read back." },
  {
    id: "CORE-UPGRADE-15",
    ...partial,
    statement: "retryCount that was set is read back, 0 (unlimited) included.",
  },
  { id: "CORE-UPGRADE-16", ...partial, statement: "retryInterval that was set is read back." },
  { id: "CORE-UPGRADE-17", ...partial, statement: "targetDiskName that was set is read back." },
  {
    id: "CORE-UPGRADE-18",
    ...partial,
    statement: "enableSnapshot that was set is read back where snapshots are supported.",
  },
  {
    id: "CORE-UPGRADE-19",
    ...shared,
    place: "Errors",
    statement: "Enabling snapshot is refused on a device that does not support it.",
  },
  { id: "CORE-UPGRADE-20", ...partial, statement: "Setting one member leaves the others as they were." },
  { id: "CORE-UPGRADE-21", ...partial, statement: "A value of a wrong type is refused and changes nothing." },
  {
    id: "CORE-UPGRADE-22",
    ...shared,
    place: "Endpoints 12, Set upgrade configuration",
    statement: "Set upgrade configuration answers the configuration as it now is, under data.",
  },
  {
    id: "CORE-UPGRADE-23",
    ...shared,
    place: "Endpoints 12, Set upgrade configuration",
    statement: "A certificate and key that were set are shown by their file names, never by their content.",
  },
  { id: "CORE-UPGRADE-24", ...job, statement: "An upgrade job has an integer id." },
  { id: "CORE-UPGRADE-25", ...job, statement: "An upgrade job has a string owner." },
  { id: "CORE-UPGRADE-26", ...job, statement: "An upgrade job has a string state." },
  { id: "CORE-UPGRADE-27", ...job, statement: "An upgrade job has a string lastState." },
  { id: "CORE-UPGRADE-28", ...job, statement: "An upgrade job has a boolean isDeleted." },
  {
    id: "CORE-UPGRADE-29",
    ...job,
    statement:
      "An upgrade job shows its parameters: at, deleteFileAfterInstallComplete, download, id, install and snapshot.",
  },
  { id: "CORE-UPGRADE-30", ...job, statement: "An upgrade job has createdAt as a timestamp or null." },
  { id: "CORE-UPGRADE-31", ...job, statement: "An upgrade job has pendingAt as a timestamp or null." },
  { id: "CORE-UPGRADE-32", ...job, statement: "An upgrade job has startedAt as a timestamp or null." },
  { id: "CORE-UPGRADE-33", ...job, statement: "An upgrade job has completedAt as a timestamp or null." },
  {
    id: "CORE-UPGRADE-34",
    ...job,
    statement: "An upgrade job has triggerdAt, spelled so, as a timestamp or null.",
  },
  { id: "CORE-UPGRADE-35", ...job, statement: "An upgrade job has an integer totalTask." },
  { id: "CORE-UPGRADE-36", ...job, statement: "An upgrade job has an integer completedTask." },
  { id: "CORE-UPGRADE-37", ...job, statement: "An upgrade job lists its tasks." },
  { id: "CORE-UPGRADE-38", ...task, statement: "A task has an integer id." },
  { id: "CORE-UPGRADE-39", ...task, statement: "A task has a string name." },
  { id: "CORE-UPGRADE-40", ...task, statement: "A task has a string type." },
  { id: "CORE-UPGRADE-41", ...task, statement: "A task has a string state." },
  { id: "CORE-UPGRADE-42", ...task, statement: "A task has an integer progress." },
  { id: "CORE-UPGRADE-43", ...task, statement: "A started task has an integer speed." },
  { id: "CORE-UPGRADE-44", ...task, statement: "A task has an integer totalSize." },
  { id: "CORE-UPGRADE-45", ...task, statement: "A task has startedAt as a timestamp or null." },
  { id: "CORE-UPGRADE-46", ...task, statement: "A task has completedAt as a timestamp or null." },
  {
    id: "CORE-UPGRADE-47",
    ...shared,
    place: "Endpoints 12, List upgrade jobs",
    statement: "List upgrade jobs answers the jobs under data with their number in count.",
  },
  { id: "CORE-UPGRADE-48", ...creating, statement: "Create upgrade job answers the job under data." },
  {
    id: "CORE-UPGRADE-49",
    ...shared,
    place: "Endpoints 12, Find upgrade job by ID",
    statement: "Find upgrade job by ID answers the job with that id under data.",
    capability: "upgrade-jobs",
  },
  { id: "CORE-UPGRADE-50", ...operating, statement: "Operate the upgrade answers the job under data." },
  {
    id: "CORE-UPGRADE-51",
    ...creating,
    statement: "A created job shows the download and install it was created with.",
  },
  {
    id: "CORE-UPGRADE-52",
    ...creating,
    statement: "deleteFileAfterInstallComplete is true unless it was given.",
  },
  {
    id: "CORE-UPGRADE-53",
    ...creating,
    statement: "Without snapshot the default of the upgrade configuration applies.",
  },
  { id: "CORE-UPGRADE-54", ...states, statement: "A new job has the state created and an empty lastState." },
  { id: "CORE-UPGRADE-55", ...states, statement: "A job that is canceled comes to the state canceled." },
  { id: "CORE-UPGRADE-56", ...states, statement: "lastState is the state that a job had before." },
  {
    id: "CORE-UPGRADE-57",
    ...creating,
    statement: "A job that requests a download downloads the file from its url.",
  },
  {
    id: "CORE-UPGRADE-58",
    ...task,
    statement: "A download task is named after its file and shows the file's size as totalSize.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-59",
    ...task,
    statement: "progress of a download never goes back and is 100 at its end.",
    capability: "upgrade-jobs",
    level: "published",
  },
  {
    id: "CORE-UPGRADE-60",
    ...operating,
    statement: "A suspended download does not go on until it is resumed, and is then completed.",
  },
  {
    id: "CORE-UPGRADE-61",
    ...operating,
    statement: "An action that is none of start, cancel, suspend and resume is refused.",
  },
  {
    id: "CORE-UPGRADE-62",
    ...shared,
    place: "Endpoints 12, Find upgrade job by ID",
    statement: "An id that no job has is refused.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-63",
    ...configuration,
    statement: "A failed download is tried again retryCount times.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-64",
    ...configuration,
    statement: "Between two tries of a download retryInterval seconds pass.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-65",
    ...shared,
    place: "Limits",
    statement: "retryCount 0 means that a download is tried without limit.",
    untestable: "that tries never end cannot be seen in a finite time",
  },
  { id: "CORE-UPGRADE-66", ...creating, statement: "A created job is listed among the upgrade jobs." },
  {
    id: "CORE-UPGRADE-67",
    ...operating,
    level: "published",
    statement: "A resumed download goes on where it was, by a range request.",
  },
  {
    id: "CORE-UPGRADE-68",
    ...creating,
    statement: "A package that is installed raises the version of the software.",
    untestable: "the format of packages is not shown",
  },
  {
    id: "CORE-UPGRADE-69",
    ...configuration,
    statement: "With enableClientAuth the certificate and key are used as client authentication.",
  },
  {
    id: "CORE-UPGRADE-70",
    ...operating,
    level: "published",
    place: "Events",
    statement:
      "A download that fails, is suspended or is canceled is recorded as the event of that name, whose kind is enabled.",
  },
];
