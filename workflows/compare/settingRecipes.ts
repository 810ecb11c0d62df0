// Steps over settings, system services, export profiles and uploads, and the upgrade's configuration and jobs.
import { observedConfigurationApps } from "../../interface/resources/configuration.ts";
import { type SettingName, setting } from "../../harness/index.ts";
import { type Choices, type Common, type Recipe, someOf } from "./recipe.ts";
import type { CallId } from "../../interface/binding.ts";
import type { Step } from "./step.ts";

// Long enough that no entry is removed and no service disabled during a comparison.
const lifetimesSec = [-1, 0, 315_360_000, 630_720_000] as const;
const cacheSizesMb = ["64", "128", "256"] as const;
const schedulesSec = [3600, 7200, 86_400] as const;
const ports = [22, 2022, 2222] as const;
const counts = [0, 1, 3, 10] as const;
// No server is needed here: the jobs are never started.
const packageUrl = "http://127.0.0.1:9/package.bin";

/** The others restart the gateway or move its listeners. */
const comparedSettings = [
  "provision",
  "log",
  "event-configuration",
  "ssh",
  "upgrade-configuration",
] as const satisfies readonly SettingName[];

export function settingRecipes({ services }: Common): Recipe[] {
  return [
    changes("provision", 3, (choose) =>
      someOf(choose, {
        enable: choose.chance(50),
        schedule: { enable: choose.chance(50), disableAfterSec: choose.pick(schedulesSec) },
      }),
    ),
    changes("log", 3, (choose) =>
      someOf(choose, {
        desiredDiskCacheSizeMB: choose.pick(cacheSizesMb),
        enable: choose.chance(50),
        enableTimeToLiveSec: choose.chance(50),
        timeToLiveSec: choose.pick(lifetimesSec),
      }),
    ),
    changes("event-configuration", 3, (choose) => ({
      ...someOf(choose, {
        desiredDiskCacheSizeMB: choose.pick(cacheSizesMb),
        reachThresholdPolicy: choose.pick(["rotate", "stop"]),
      }),
      // Together: the gateway's own lifetime may be shorter than the age of the events.
      ...(choose.chance(60)
        ? { enableTimeToLiveSec: choose.chance(50), timeToLiveSec: choose.pick(lifetimesSec) }
        : {}),
    })),
    changes("ssh", 2, (choose) => ({ enable: choose.chance(50), port: choose.pick(ports) })),
    changes("upgrade-configuration", 3, (choose) =>
      someOf(choose, {
        allowOverCellular: choose.chance(50),
        enableSnapshot: choose.chance(30),
        retryCount: choose.pick(counts),
        retryInterval: choose.pick([1, 5, 60]),
      }),
    ),
    ...comparedSettings.flatMap((name) => {
      const { read, write } = setting(name);
      return reading(read, [write, "uploadConfiguration"]);
    }),
    ...reading("listServices", ["enableService", "disableService"]),
    ...(services.length === 0
      ? []
      : (["enableService", "disableService"] as const).map((operation): Recipe => ({
          operation,
          weight: 5,
          make: (choose) => ({ operation, path: { id: choose.pick(services) } }),
        }))),
    ...configurationRecipes,
    ...jobRecipes,
  ];
}

const jobRecipes: readonly Recipe[] = [
  {
    operation: "createUpgradeJob",
    weight: 2,
    make(choose, memory) {
      const label = memory.fresh("job");
      memory.jobs.push(label);
      const json = {
        url: packageUrl,
        download: false,
        install: false,
        ...(choose.chance(50) ? { deleteFileAfterInstallComplete: choose.chance(50) } : {}),
      };
      return { operation: "createUpgradeJob", as: label, json };
    },
  },
  {
    operation: "operateUpgradeJob",
    weight: 2,
    needs: ["createUpgradeJob"],
    isReady: ({ jobs }) => jobs.length > 0,
    make: (choose, { jobs }) => ({
      operation: "operateUpgradeJob",
      path: {
        id: { $id: choose.pick(jobs) },
        action: choose.pick(["cancel", "cancel", "suspend", "resume"]),
      },
      query: { deleteFileAfterInstallComplete: true },
    }),
  },
  {
    operation: "getUpgradeJob",
    weight: 2,
    needs: ["createUpgradeJob"],
    isReady: ({ jobs }) => jobs.length > 0,
    make: (choose, { jobs }) => ({ operation: "getUpgradeJob", path: { id: { $id: choose.pick(jobs) } } }),
  },
  ...reading("listUpgradeJobs", ["createUpgradeJob", "operateUpgradeJob"]),
];

const configurationRecipes: readonly Recipe[] = [
  {
    operation: "exportConfiguration",
    weight: 3,
    make(choose) {
      const apps = choose.some(observedConfigurationApps.slice(0, 5));
      const query = {
        action: "get-profile",
        ...(apps.length === 0 ? {} : { select: JSON.stringify(apps.map((app) => ({ app }))) }),
        ...(choose.chance(50) ? { filter: JSON.stringify([{ labels: ["network"] }]) } : {}),
      };
      return { operation: "exportConfiguration", query };
    },
  },
  {
    operation: "exportConfiguration",
    weight: 1,
    make(_choose, memory) {
      const label = memory.fresh("file");
      memory.files.push(label);
      return {
        operation: "exportConfiguration",
        as: label,
        query: { action: "download", encryption: false },
      };
    },
  },
  {
    operation: "uploadConfiguration",
    weight: 2,
    isReady: ({ files }) => files.length > 0,
    make: (choose, { files }) => ({
      operation: "uploadConfiguration",
      form: { file: { $file: choose.pick(files) }, encryption: false },
    }),
  },
];

function changes(
  name: (typeof comparedSettings)[number],
  weight: number,
  body: (choose: Choices) => Record<string, unknown>,
): Recipe {
  const { read, write } = setting(name);
  return {
    operation: write,
    weight,
    needs: [read],
    make: (choose): Step => ({ operation: write, json: body(choose) }),
  };
}

function reading(operation: CallId, lastLookAfter: readonly CallId[]): Recipe[] {
  return [{ operation, weight: 2, lastLookAfter, make: () => ({ operation }) }];
}
