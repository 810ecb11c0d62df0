// Names of states that the interface does not show.
import { mapObjects } from "../wire/exactJson.ts";
import { conducted } from "./conduct.ts";
import { ofOperations } from "./contents.ts";
import type { Variation, Variations } from "./variation.ts";

const jobOperations = ["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"] as const;
const appOperations = ["getApp", "listApps", "operateApp"] as const;
const jobStates =
  "Upgrade job and task states: created, running and canceled were observed; others are not listed";

const german: Readonly<Record<string, string>> = {
  pending: "wartend",
  succeed: "fertig",
  failed: "fehlgeschlagen",
  canceling: "bricht-ab",
  suppending: "haelt-an",
  suppended: "angehalten",
  resuming: "faehrt-fort",
};

function renamed(rename: (state: string) => string): NonNullable<Variation["install"]> {
  return ofOperations(jobOperations, (body) =>
    mapObjects(body, (object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [
          name,
          name === "state" || name === "lastState" ? rename(String(value)) : value,
        ]),
      ),
    ),
  );
}

export const stateNameVariations = {
  "suspended-spelled-right": {
    differs: "The states of suspended upgrade jobs are `suspending` and `suspended`",
    freedom: jobStates,
    aspect: "states of upgrade jobs",
    install: renamed((state) => state.replace("supp", "susp")),
  },
  "german-job-states": {
    differs: "The states of upgrade jobs that the interface does not show have German names",
    freedom: jobStates,
    aspect: "states of upgrade jobs",
    install: renamed((state) => german[state] ?? state),
  },
  "removed-apps-lack-an-attribute": {
    differs: "An uninstalled app stays listed as `removed`, without the attribute `installed`",
    freedom: "App: starting and ready were observed as states; others, and the transitions, are not shown",
    install(at) {
      conducted({ keepsAppEntries: true })(at);
      ofOperations(appOperations, (body) =>
        mapObjects(body, (object) =>
          object["state"] === "uninstalled" ? { ...object, state: "removed", attributes: [] } : object,
        ),
      )(at);
    },
  },
} as const satisfies Variations;
