import type { Requirement } from "./requirement.ts";

const shared = { group: "reboot", level: "stated", capability: "reboot" } as const;
const schedule = (field: string) => ({ ...shared, place: `Resources, Reboot schedule: ${field}` });
const rebooting = { ...shared, place: "Endpoints 5, Reboot system" };
const capabilities = { ...shared, capability: "reset", place: "Resources, Reset capabilities" } as const;
const resetting = {
  ...shared,
  capability: "reset",
  place: "Endpoints 5, Reset system to default configuration",
} as const;
const resetDelay = {
  ...resetting,
  place: "States, other timed effects: reset; Limits: Reset delay",
} as const;

export const rebootRequirements: readonly Requirement[] = [
  {
    id: "CORE-REBOOT-01",
    ...schedule("at (response)"),
    statement: "`at.minute` of the reboot schedule is a string.",
  },
  {
    id: "CORE-REBOOT-02",
    ...schedule("at (response)"),
    statement: "`at.hour` of the reboot schedule is a string.",
  },
  {
    id: "CORE-REBOOT-03",
    ...schedule("at (response)"),
    statement: "`at.day` of the reboot schedule is a string.",
  },
  {
    id: "CORE-REBOOT-04",
    ...schedule("at (response)"),
    statement: "`at.month` of the reboot schedule is a string.",
  },
  {
    id: "CORE-REBOOT-05",
    ...schedule("at (response)"),
    statement: "`at.dayOfWeek` of the reboot schedule is a string.",
  },
  {
    id: "CORE-REBOOT-06",
    ...schedule("enableScheduler"),
    statement: "`enableScheduler` of the reboot schedule is a boolean.",
  },
  {
    id: "CORE-REBOOT-07",
    ...schedule("lastBootAt"),
    statement: "`lastBootAt` of the reboot schedule is a timestamp.",
  },
  {
    id: "CORE-REBOOT-08",
    ...schedule("nextTriggerAt"),
    statement: "`nextTriggerAt` of the reboot schedule is a timestamp.",
  },
  {
    id: "CORE-REBOOT-09",
    ...shared,
    place: "Endpoints 5, Get reboot schedule",
    statement: "`Get reboot schedule` returns the reboot schedule in `data`.",
  },
  {
    id: "CORE-REBOOT-10",
    ...rebooting,
    statement: "`Reboot system` returns the updated reboot schedule in `data`.",
  },
  {
    id: "CORE-REBOOT-11",
    ...schedule("now"),
    statement: "`Reboot system` with `now` true reboots the system immediately.",
  },
  {
    id: "CORE-REBOOT-12",
    ...schedule("at (request)"),
    statement: "`Reboot system` with the fixed string `now` in `at` reboots the system immediately.",
  },
  {
    id: "CORE-REBOOT-13",
    ...schedule("lastBootAt"),
    statement: "`lastBootAt` of the reboot schedule is the time of the last boot.",
  },
  {
    id: "CORE-REBOOT-14",
    ...schedule("at (request), at (response)"),
    statement: "`Reboot system` accepts a crontab expression in `at` and shows it as crontab fields.",
  },
  {
    id: "CORE-REBOOT-15",
    ...schedule("nextTriggerAt"),
    statement: "`nextTriggerAt` is the next time that matches the crontab expression.",
  },
  {
    id: "CORE-REBOOT-16",
    ...schedule("at (request)"),
    statement: "`Reboot system` accepts an RFC 3339 date-time in `at`.",
  },
  {
    id: "CORE-REBOOT-17",
    ...schedule("at (request)"),
    statement: "The system reboots at the date-time that `at` sets.",
  },
  { id: "CORE-REBOOT-18", ...rebooting, statement: "`Reboot system` stores `enableScheduler` as sent." },
  {
    id: "CORE-REBOOT-19",
    ...rebooting,
    place: "Resources, Reboot schedule: a crontab expression triggers more than one reboot",
    statement: "The reboot schedule persists across a reboot.",
  },
  {
    id: "CORE-REBOOT-20",
    ...schedule("at (request)"),
    statement:
      "An `at` that is neither `now`, nor an RFC 3339 date-time, nor a crontab expression does not change the reboot schedule.",
  },
  {
    id: "CORE-REBOOT-21",
    ...capabilities,
    statement: "`isSupported` of `factory` and of `system` in the reset capabilities is a boolean.",
  },
  {
    id: "CORE-REBOOT-22",
    ...capabilities,
    statement:
      "`scopes` of `factory` and of `system` in the reset capabilities holds allowed scope values only.",
  },
  {
    id: "CORE-REBOOT-23",
    ...capabilities,
    statement:
      "`scopes` of `factory` in the reset capabilities holds `all` only, where `isSupported` is true.",
  },
  {
    id: "CORE-REBOOT-24",
    ...shared,
    capability: "reset",
    place: "Endpoints 5, Get reset capabilities",
    statement: "`Get reset capabilities` returns the reset capabilities in `data`.",
  },
  {
    id: "CORE-REBOOT-25",
    ...resetting,
    statement: "`data.enable` of `Reset system to default configuration` is a boolean.",
  },
  {
    id: "CORE-REBOOT-26",
    ...resetting,
    statement: "The gateway rejects a reset with a scope outside the allowed scope values.",
  },
  {
    id: "CORE-REBOOT-27",
    ...resetting,
    statement: "The gateway rejects a reset with a `mode` other than `factory` and `system`.",
  },
  {
    id: "CORE-REBOOT-28",
    ...resetDelay,
    statement: "A reset with `sync=true` resets the system immediately.",
  },
  {
    id: "CORE-REBOOT-29",
    ...resetDelay,
    statement: "A reset with `sync=false` waits 3 seconds before the system is reset.",
  },
  {
    id: "CORE-REBOOT-30",
    ...resetting,
    statement: "`sync` of `Reset system to default configuration` defaults to false.",
  },
  {
    id: "CORE-REBOOT-31",
    ...resetting,
    statement: "A reset restores the default settings of every named scope.",
  },
  {
    id: "CORE-REBOOT-32",
    ...resetting,
    statement: "A reset changes no setting of a scope that it does not name.",
  },
  {
    id: "CORE-REBOOT-33",
    ...resetting,
    statement: "A reset with the scope `all` restores the defaults of all settings.",
  },
  {
    id: "CORE-REBOOT-34",
    ...resetting,
    statement: "`mode` of `Reset system to default configuration` defaults to `system`.",
  },
  {
    id: "CORE-REBOOT-35",
    ...schedule("enableScheduler"),
    statement: "The reboot schedule does not trigger while `enableScheduler` is false.",
  },
  {
    id: "CORE-REBOOT-36",
    ...capabilities,
    statement: "A reset with the scope `keep-network-setting` preserves the network settings.",
    untestable:
      "the interface shows network settings only as a label of export sections, whose content is not shown",
  },
  {
    id: "CORE-REBOOT-37",
    ...capabilities,
    statement: "The gateway rejects a factory reset with a scope other than `all`.",
  },
  {
    id: "CORE-REBOOT-38",
    ...shared,
    level: "published",
    place: "Events, catalogue: device reboot",
    statement: "The gateway records the event `device reboot` for a reboot while its kind is enabled.",
  },
  {
    id: "CORE-REBOOT-39",
    ...resetting,
    statement: "A factory reset restores the defaults of all settings.",
  },
  {
    id: "CORE-REBOOT-40",
    ...resetting,
    statement: "A reset accepts every scope in the reset capabilities, alone and combined with others.",
  },
  {
    id: "CORE-REBOOT-41",
    ...capabilities,
    statement: "Every scope value covers the settings of its name, for example `job` the background jobs.",
    untestable: "the interface lists the values without the settings that each of them covers",
  },
  {
    id: "CORE-REBOOT-42",
    ...schedule("now"),
    statement: "`Reboot system` with `now` false sets a schedule without a reboot.",
  },
  {
    id: "CORE-REBOOT-44",
    ...schedule("now"),
    statement: "The reboot schedule in an answer has no member `now`.",
  },
  {
    id: "CORE-REBOOT-43",
    ...rebooting,
    level: "published",
    place: "Published binding, setReboot",
    statement: "`Reboot system` accepts the crontab fields as an object in `at`.",
  },
];
