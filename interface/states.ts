// State tables of the interface and of the published documents.
import type { AppAction } from "./resources/apps.ts";
import type { UpgradeAction } from "./resources/upgrade.ts";

/** States of upgrade jobs and tasks in their published spelling; the interface document shows the first three. */
const upgradeStates = [
  "created",
  "running",
  "canceled",
  "pending",
  "succeed",
  "failed",
  "canceling",
  "suppending",
  "suppended",
  "resuming",
] as const;
export type UpgradeState = (typeof upgradeStates)[number];

/** Whether it is the state of a suspended job: the interface names none, and a gateway may spell the published one right. */
export function isSuspended(state: string): boolean {
  return suspendedNames.includes(state);
}

/** States of a suspended job by the names that gateways may have for them. */
export const suspendedNames: readonly string[] = ["suppended", "suspended", "paused"];

/** States that pass by themselves, in the same spellings. */
export const isPassing = (state: string): boolean =>
  /^(?:pending|cancell?ing|su[ps]pending|pausing|resuming)$/.test(state);

/** Actions that a job accepts in each state. */
export const upgradeActionsByState: Readonly<Record<UpgradeState, readonly UpgradeAction[]>> = {
  created: ["start", "cancel"],
  pending: ["start", "cancel"],
  running: ["cancel", "suspend"],
  suppending: ["cancel"],
  suppended: ["cancel", "resume"],
  resuming: ["cancel"],
  canceling: [],
  canceled: [],
  succeed: [],
  failed: ["start"],
};

const appStates = [
  "init",
  "uninstalled",
  "installing",
  "stopped",
  "starting",
  "ready",
  "restarting",
  "stopping",
  "uninstalling",
  "recovering",
] as const;
export type AppState = (typeof appStates)[number];

/** Actions that an app accepts in each state, and the transitional state of each. */
export const appActionsByState: Readonly<Record<AppState, Partial<Record<AppAction, AppState>>>> = {
  init: {},
  uninstalled: {},
  installing: {},
  stopped: { start: "starting", uninstall: "uninstalling", restart: "starting" },
  starting: { stop: "stopping" },
  ready: { stop: "stopping", restart: "restarting", uninstall: "uninstalling" },
  restarting: { stop: "stopping" },
  stopping: {},
  uninstalling: {},
  recovering: { stop: "stopping" },
};
