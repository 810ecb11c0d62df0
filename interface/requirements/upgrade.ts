import type { Requirement } from "./requirement.ts";

const shared = { group: "upgrade", level: "stated", capability: "upgrade" } as const;
const jobs = { ...shared, capability: "upgrade-jobs" } as const;
const configuration = (field: string) => ({ ...shared, place: `Resources, Upgrade configuration: ${field}` });
const getting = { ...shared, place: "Endpoints 12, Get upgrade configuration" };
const partial = { ...shared, place: "Endpoints 12, Set upgrade configuration partially" };
const whole = { ...shared, place: "Endpoints 12, Set upgrade configuration" };
const job = (field: string) => ({ ...shared, place: `Resources, Upgrade job: ${field}` });
const task = (field: string) => ({ ...shared, place: `Resources, Upgrade job, Task: ${field}` });
const creating = { ...jobs, place: "Endpoints 12, Create upgrade job" };
const finding = { ...jobs, place: "Endpoints 12, Find upgrade job by ID" };
const operating = { ...jobs, place: "Endpoints 12, Operate the upgrade" };
const states = { ...jobs, place: "States, Upgrade job and task states" };

export const upgradeRequirements: readonly Requirement[] = [
  {
    id: "CORE-UPGRADE-01",
    ...configuration("allowOverCellular"),
    statement: "`allowOverCellular` of the upgrade configuration is a boolean.",
  },
  {
    id: "CORE-UPGRADE-02",
    ...configuration("caName"),
    statement: "`caName` of the upgrade configuration is a string.",
  },
  {
    id: "CORE-UPGRADE-03",
    ...configuration("certFileName"),
    statement: "`certFileName` of the upgrade configuration is a string.",
  },
  {
    id: "CORE-UPGRADE-04",
    ...configuration("keyFileName"),
    statement: "`keyFileName` of the upgrade configuration is a string.",
  },
  {
    id: "CORE-UPGRADE-05",
    ...configuration("disks"),
    statement: "`disks` of the upgrade configuration is an array of disk entries.",
  },
  {
    id: "CORE-UPGRADE-06",
    ...configuration("enableClientAuth"),
    statement: "`enableClientAuth` of the upgrade configuration is a boolean.",
  },
  {
    id: "CORE-UPGRADE-07",
    ...configuration("enableSnapshot"),
    statement: "`enableSnapshot` of the upgrade configuration is a boolean.",
  },
  {
    id: "CORE-UPGRADE-08",
    ...configuration("isSnapshotSupported"),
    statement: "`isSnapshotSupported` of the upgrade configuration is a boolean.",
  },
  {
    id: "CORE-UPGRADE-09",
    ...configuration("retryCount"),
    statement: "`retryCount` of the upgrade configuration is an integer.",
  },
  {
    id: "CORE-UPGRADE-10",
    ...configuration("retryInterval"),
    statement: "`retryInterval` of the upgrade configuration is an integer.",
  },
  {
    id: "CORE-UPGRADE-11",
    ...configuration("targetDiskName"),
    statement: "`targetDiskName` of the upgrade configuration is a string.",
  },
  {
    id: "CORE-UPGRADE-12",
    ...getting,
    statement: "`Get upgrade configuration` returns the upgrade configuration in `data`.",
  },
  {
    id: "CORE-UPGRADE-13",
    ...partial,
    statement: "`Set upgrade configuration partially` returns the updated upgrade configuration in `data`.",
  },
  {
    id: "CORE-UPGRADE-14",
    ...partial,
    statement: "`Set upgrade configuration partially` stores `allowOverCellular` as sent.",
  },
  {
    id: "CORE-UPGRADE-15",
    ...partial,
    statement:
      "`Set upgrade configuration partially` stores `retryCount` as sent, including 0 for unlimited.",
  },
  {
    id: "CORE-UPGRADE-16",
    ...partial,
    statement: "`Set upgrade configuration partially` stores `retryInterval` as sent.",
  },
  {
    id: "CORE-UPGRADE-17",
    ...partial,
    statement: "`Set upgrade configuration partially` stores `targetDiskName` as sent.",
  },
  {
    id: "CORE-UPGRADE-18",
    ...partial,
    statement:
      "`Set upgrade configuration partially` stores `enableSnapshot` as sent while `isSnapshotSupported` is true.",
  },
  {
    id: "CORE-UPGRADE-19",
    ...shared,
    place: "Errors: Enabling snapshot; Endpoints 12, Set upgrade configuration partially",
    statement: "The gateway rejects `enableSnapshot` true while `isSnapshotSupported` is false.",
  },
  {
    id: "CORE-UPGRADE-20",
    ...partial,
    statement: "`Set upgrade configuration partially` changes only the members that are sent.",
  },
  {
    id: "CORE-UPGRADE-21",
    ...partial,
    statement:
      "`Set upgrade configuration partially` stores no value of a wrong type, and changes no setting when it is rejected.",
  },
  {
    id: "CORE-UPGRADE-22",
    ...whole,
    statement: "`Set upgrade configuration` returns the updated upgrade configuration in `data`.",
  },
  {
    id: "CORE-UPGRADE-23",
    ...configuration("caName, certFileName, keyFileName"),
    statement: "Responses show a certificate and a key that are set by file name and never by content.",
  },
  { id: "CORE-UPGRADE-24", ...job("id"), statement: "`id` of an upgrade job is an integer." },
  { id: "CORE-UPGRADE-25", ...job("owner"), statement: "`owner` of an upgrade job is a string." },
  { id: "CORE-UPGRADE-26", ...job("state"), statement: "`state` of an upgrade job is a string." },
  { id: "CORE-UPGRADE-27", ...job("lastState"), statement: "`lastState` of an upgrade job is a string." },
  { id: "CORE-UPGRADE-28", ...job("isDeleted"), statement: "`isDeleted` of an upgrade job is a boolean." },
  {
    id: "CORE-UPGRADE-29",
    ...job("parameter"),
    statement:
      "`parameter` of an upgrade job holds `at`, `deleteFileAfterInstallComplete`, `download`, `id`, `install` and `snapshot`.",
  },
  {
    id: "CORE-UPGRADE-30",
    ...job("createdAt"),
    statement: "`createdAt` of an upgrade job is a timestamp or null.",
  },
  {
    id: "CORE-UPGRADE-31",
    ...job("pendingAt"),
    statement: "`pendingAt` of an upgrade job is a timestamp or null.",
  },
  {
    id: "CORE-UPGRADE-32",
    ...job("startedAt"),
    statement: "`startedAt` of an upgrade job is a timestamp or null.",
  },
  {
    id: "CORE-UPGRADE-33",
    ...job("completedAt"),
    statement: "`completedAt` of an upgrade job is a timestamp or null.",
  },
  {
    id: "CORE-UPGRADE-34",
    ...job("triggerdAt"),
    statement: "`triggerdAt` of an upgrade job is a timestamp or null.",
  },
  { id: "CORE-UPGRADE-35", ...job("totalTask"), statement: "`totalTask` of an upgrade job is an integer." },
  {
    id: "CORE-UPGRADE-36",
    ...job("completedTask"),
    statement: "`completedTask` of an upgrade job is an integer.",
  },
  { id: "CORE-UPGRADE-37", ...job("tasks"), statement: "`tasks` of an upgrade job is an array of tasks." },
  { id: "CORE-UPGRADE-38", ...task("id"), statement: "`id` of a task is an integer." },
  { id: "CORE-UPGRADE-39", ...task("name"), statement: "`name` of a task is a string." },
  { id: "CORE-UPGRADE-40", ...task("type"), statement: "`type` of a task is a string." },
  { id: "CORE-UPGRADE-41", ...task("state"), statement: "`state` of a task is a string." },
  { id: "CORE-UPGRADE-42", ...task("progress"), statement: "`progress` of a task is an integer." },
  { id: "CORE-UPGRADE-43", ...task("speed"), statement: "`speed` of a started task is an integer." },
  { id: "CORE-UPGRADE-44", ...task("totalSize"), statement: "`totalSize` of a task is an integer." },
  { id: "CORE-UPGRADE-45", ...task("startedAt"), statement: "`startedAt` of a task is a timestamp or null." },
  {
    id: "CORE-UPGRADE-46",
    ...task("completedAt"),
    statement: "`completedAt` of a task is a timestamp or null.",
  },
  {
    id: "CORE-UPGRADE-47",
    ...shared,
    place: "Endpoints 12, List upgrade jobs",
    statement: "`List upgrade jobs` returns the upgrade jobs in `data` and their number in `count`.",
  },
  {
    id: "CORE-UPGRADE-48",
    ...creating,
    statement: "`Create upgrade job` returns the upgrade job in `data`.",
  },
  {
    id: "CORE-UPGRADE-49",
    ...finding,
    statement: "`Find upgrade job by ID` returns the upgrade job with this `id` in `data`.",
  },
  {
    id: "CORE-UPGRADE-50",
    ...operating,
    statement: "`Operate the upgrade` returns the upgrade job in `data`.",
  },
  {
    id: "CORE-UPGRADE-51",
    ...creating,
    statement: "`Create upgrade job` stores `download` and `install` as sent.",
  },
  {
    id: "CORE-UPGRADE-52",
    ...creating,
    statement: "`deleteFileAfterInstallComplete` of `Create upgrade job` defaults to true.",
  },
  {
    id: "CORE-UPGRADE-53",
    ...creating,
    statement: "`snapshot` of `Create upgrade job` defaults to the value from the upgrade configuration.",
  },
  {
    id: "CORE-UPGRADE-54",
    ...states,
    statement: "A new upgrade job has the `state` `created` and an empty `lastState`.",
  },
  {
    id: "CORE-UPGRADE-55",
    ...states,
    statement: "An upgrade job reaches the `state` `canceled` after the action `cancel`.",
  },
  {
    id: "CORE-UPGRADE-56",
    ...states,
    statement: "`lastState` of an upgrade job is its previous state.",
  },
  {
    id: "CORE-UPGRADE-57",
    ...creating,
    statement: "An upgrade job with `download` true downloads the file from `url`.",
  },
  {
    id: "CORE-UPGRADE-58",
    ...task("name, totalSize"),
    statement: "A task has the file name in `name`, and a download task the file size in `totalSize`.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-59",
    ...task("progress"),
    place: "Published binding, wire facts: upgrade job and task states",
    statement: "`progress` of a download task never decreases, and is 100 when the download is complete.",
    capability: "upgrade-jobs",
    level: "published",
  },
  {
    id: "CORE-UPGRADE-60",
    ...operating,
    statement: "A suspended download transfers no data until it is resumed, and then completes.",
  },
  {
    id: "CORE-UPGRADE-61",
    ...operating,
    statement:
      "The gateway rejects `Operate the upgrade` with an action other than `start`, `cancel`, `suspend` and `resume`.",
  },
  {
    id: "CORE-UPGRADE-62",
    ...finding,
    statement: "The gateway rejects the `id` of an upgrade job that does not exist.",
  },
  {
    id: "CORE-UPGRADE-63",
    ...configuration("retryCount"),
    statement: "The gateway retries a failed download up to `retryCount` times.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-64",
    ...configuration("retryInterval"),
    statement: "The gateway waits `retryInterval` seconds between two attempts to download.",
    capability: "upgrade-jobs",
  },
  {
    id: "CORE-UPGRADE-65",
    ...shared,
    place: "Limits: Upgrade retryCount",
    statement: "The gateway retries a failed download without limit while `retryCount` is 0.",
    capability: "upgrade-jobs",
  },
  { id: "CORE-UPGRADE-66", ...creating, statement: "`List upgrade jobs` contains a created upgrade job." },
  {
    id: "CORE-UPGRADE-67",
    ...operating,
    level: "recommended",
    source: "RFC 9110, 14: range requests recover from partially failed transfers",
    statement: "A resumed download continues after the received bytes, by a range request.",
  },
  {
    id: "CORE-UPGRADE-68",
    ...creating,
    statement: "An upgrade job installs the package if `install` is true, and only then.",
  },
  {
    id: "CORE-UPGRADE-69",
    ...configuration("enableClientAuth"),
    statement:
      "The gateway uses `cert` and `key` as X.509 client authentication while `enableClientAuth` is true, and not otherwise.",
  },
  {
    id: "CORE-UPGRADE-70",
    ...operating,
    level: "published",
    place: "Events, catalogue: ota download failed, suspend, resume, completed, cancel",
    statement:
      "The gateway records the event `ota download failed`, `suspend`, `resume`, `completed` or `cancel` for such a download while its kind is enabled.",
  },
  {
    id: "CORE-UPGRADE-71",
    ...whole,
    statement: "The upgrade configuration persists across a reboot.",
  },
  {
    id: "CORE-UPGRADE-72",
    ...partial,
    statement: "`Set upgrade configuration partially` stores `enableClientAuth` as sent.",
  },
  {
    id: "CORE-UPGRADE-73",
    ...operating,
    statement: "`Operate the upgrade` changes only the upgrade job with this `id`.",
  },
  {
    id: "CORE-UPGRADE-74",
    ...operating,
    statement:
      "`Operate the upgrade` does not change `owner` and the parameters of the upgrade job, except `deleteFileAfterInstallComplete`.",
  },
  {
    id: "CORE-UPGRADE-88",
    ...task("speed"),
    place: "Published binding, wire facts: upgrade job and task states",
    statement: "`speed` of a download task is in KB/s.",
    capability: "upgrade-jobs",
    level: "published",
  },
  {
    id: "CORE-UPGRADE-87",
    ...operating,
    statement:
      "The gateway keeps the file of a job that was started with `deleteFileAfterInstallComplete` false after the installation.",
  },
];
