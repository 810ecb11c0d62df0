// Cells of actions in each state: upgrade jobs, apps and service switches.
import { appActions } from "../resources/apps.ts";
import { serviceIds } from "../resources/services.ts";
import { upgradeActions } from "../resources/upgrade.ts";
import { appActionsByState, upgradeActionsByState } from "../states.ts";
import { type Cell, cell, notObservable } from "./cell.ts";

/** States that pass without a request: an action cannot be timed to fall into one. */
const passing: ReadonlySet<string> = new Set([
  "canceling",
  "suppending",
  "resuming",
  "init",
  "installing",
  "starting",
  "restarting",
  "stopping",
  "uninstalling",
  "recovering",
]);
const passes = notObservable("the state passes by itself: no request can be timed to fall into it");
const gone = notObservable("an uninstalled app need not be listed, and no operation installs it again");
const once = notObservable(
  "a profile names one app that may be uninstalled, and it is uninstalled in one state",
);

const jobCells = Object.keys(upgradeActionsByState).flatMap((state) =>
  upgradeActions.map((action) =>
    cell({
      kind: "action",
      subject: `upgrade-job/${state}`,
      aspect: action,
      group: "upgrade",
      operations: ["operateUpgradeJob"],
      place: "States: Upgrade job and task states",
      ...(passing.has(state) || state === "pending" ? passes : {}),
    }),
  ),
);

const appCells = Object.keys(appActionsByState).flatMap((state) =>
  appActions.map((action) =>
    cell({
      kind: "action",
      subject: `app/${state}`,
      aspect: action,
      group: "apps",
      operations: ["operateApp"],
      place: "States: App states",
      ...(state === "uninstalled"
        ? gone
        : passing.has(state)
          ? passes
          : action === "uninstall" && state !== "ready"
            ? once
            : {}),
    }),
  ),
);

const serviceCells = serviceIds.flatMap((id) =>
  (["enable", "disable"] as const).flatMap((action) =>
    (["enabled", "disabled"] as const).map((state) =>
      cell({
        kind: "action",
        subject: `service:${id}/${state}`,
        aspect: action,
        group: "services",
        operations: [action === "enable" ? "enableService" : "disableService"],
        place: "States: Service switch",
        // The interface states the transitions from the other state.
        ...((state === "enabled") === (action === "enable")
          ? { excluded: { kind: "not-stated", text: "the interface states only the change of the switch" } }
          : {}),
      }),
    ),
  ),
);

export const actionCells: readonly Cell[] = [...jobCells, ...appCells, ...serviceCells];
