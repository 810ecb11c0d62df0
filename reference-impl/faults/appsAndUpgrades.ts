// Faults of apps, jobs and upgrades.
import { Refusal } from "../http/refusal.ts";
import { at as valueAt, type Fields, fields, items } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { forgets, takes } from "./habits.ts";
import { changed, type Step, type Switchboard } from "./switchboard.ts";

/** The action is answered with the app as it is, and not carried out. */
function ignores(action: string): Step {
  return async (call, next) =>
    call.path["action"] === action
      ? next(changed(call, { path: { ...call.path, action: "restart" } })).then((answer) =>
          answer.kind === "json"
            ? { ...answer, body: { data: { ...fields(fields(answer.body)["data"]), state: "ready" } } }
            : answer,
        )
      : next(call);
}

const appFaults = faults([
  [
    "single-app-has-a-menu",
    "CORE-APP-17",
    "plain",
    "Get app answers menuID.",
    (at) => at.data("getApp", (app) => ({ ...app, menuID: app["id"] })),
  ],
  [
    "apps-count-one-less",
    "CORE-APP-34",
    "plain",
    "count of the apps is one less than there are.",
    (at) => at.answer("listApps", (body) => ({ ...body, count: Number(body["count"]) - 1 })),
  ],
  [
    "single-app-has-another-version",
    "CORE-APP-36",
    "subtle",
    "Get app answers another version than the list.",
    (at) => at.data("getApp", (app) => ({ ...app, version: `${String(app["version"])}-1` })),
  ],
  [
    "unknown-app-is-the-device",
    "CORE-APP-36",
    "plain",
    "A name that no app has answers another app.",
    (at) =>
      at.around("getApp", (call, next) =>
        next(call).catch(() => next(changed(call, { path: { appname: "device" } }))),
      ),
  ],
  [
    "operated-app-is-answered-as-another",
    "CORE-APP-38",
    "subtle",
    "Operating an app answers the id of another.",
    (at) => at.data("operateApp", (app) => ({ ...app, id: "device", name: "device" })),
  ],
  [
    "app-cannot-be-stopped",
    "CORE-APP-39",
    "plain",
    "The action stop is refused.",
    (at) => at.around("operateApp", refusesAction("stop")),
  ],
  [
    "app-cannot-be-started",
    "CORE-APP-40",
    "plain",
    "The action start is refused.",
    (at) => at.around("operateApp", refusesAction("start")),
  ],
  [
    "app-cannot-be-restarted",
    "CORE-APP-41",
    "plain",
    "The action restart is refused.",
    (at) => at.around("operateApp", refusesAction("restart")),
  ],
  [
    "unknown-action-is-taken",
    "CORE-APP-43",
    "plain",
    "An action that is none is answered with the app.",
    (at) => {
      at.lenient("operateApp", "path", "action");
      at.around("operateApp", (call, next) =>
        ["start", "stop", "restart", "uninstall"].includes(call.path["action"] ?? "")
          ? next(call)
          : next(changed(call, { path: { ...call.path, action: "restart" } })),
      );
    },
  ],
  [
    "unknown-app-is-operated",
    "CORE-APP-44",
    "plain",
    "An action upon a name that no app has is answered with another app.",
    (at) =>
      at.around("operateApp", (call, next) =>
        next(call).catch((thrown: unknown) => {
          if (!(thrown instanceof Refusal) || thrown.status !== 404) throw thrown;
          return { kind: "json", status: 200, body: { data: { id: "device", name: "device" } } };
        }),
      ),
  ],
  [
    "jobs-count-zero",
    "CORE-APP-46",
    "plain",
    "count of the jobs is always zero.",
    (at) => at.answer("listJobs", (body) => ({ ...body, count: 0 })),
  ],
  [
    "stopped-app-goes-on",
    "CORE-APP-48",
    "plain",
    "The action stop is answered and the app goes on.",
    (at) => at.around("operateApp", ignores("stop")),
  ],
]);

function refusesAction(action: string): Step {
  return (call, next) => {
    if (call.path["action"] === action) throw new Refusal(400, `action: ${action} is not possible`);
    return next(call);
  };
}

const configurationFaults = faults([
  ...(
    [
      ["allowOverCellular", 14],
      ["retryCount", 15],
      ["retryInterval", 16],
      ["enableSnapshot", 18],
    ] as const
  ).map(
    ([member, number]) =>
      [
        `upgrade-${member.toLowerCase()}-is-not-kept`,
        `CORE-UPGRADE-${number}`,
        "plain",
        `${member} is answered as it was set and not kept.`,
        forgets("updateUpgradeConfiguration", member),
      ] as const,
  ),
  [
    "upgrade-disk-is-refused",
    "CORE-UPGRADE-17",
    "plain",
    "targetDiskName refuses the name of a disk that is listed.",
    (at) =>
      at.around("updateUpgradeConfiguration", (call, next) => {
        if (call.body["targetDiskName"] !== undefined)
          throw new Refusal(400, "targetDiskName: it is no disk");
        return next(call);
      }),
  ],
  [
    "unlimited-retries-are-refused",
    "CORE-UPGRADE-15",
    "subtle",
    "A retryCount of 0, which means unlimited, is refused.",
    (at) =>
      at.around("updateUpgradeConfiguration", (call, next) => {
        if (call.body["retryCount"] === 0) throw new Refusal(400, "retryCount: expected 1 or more");
        return next(call);
      }),
  ],
  [
    "retry-count-resets-the-interval",
    "CORE-UPGRADE-20",
    "subtle",
    "Setting retryCount alone brings retryInterval back to 5.",
    (at) =>
      at.body("updateUpgradeConfiguration", (body) =>
        body["retryCount"] === undefined ? body : { retryInterval: 5, ...body },
      ),
  ],
  [
    "retry-count-as-text-is-taken",
    "CORE-UPGRADE-21",
    "plain",
    "A retryCount that is a text is taken and passed over.",
    takes("updateUpgradeConfiguration", "retryCount", undefined, (value) => typeof value !== "number"),
  ],
  [
    "upgrade-key-is-shown",
    "CORE-UPGRADE-23",
    "subtle",
    "The upgrade configuration shows the key that was set.",
    (at) => {
      let key: unknown;
      at.body("setUpgradeConfiguration", (body, call) => {
        key = call.body["key"] ?? key;
        return body;
      });
      at.data(["getUpgradeConfiguration", "setUpgradeConfiguration"], (data) =>
        key === undefined ? data : { ...data, key },
      );
    },
  ],
]);

const views = ["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"] as const;

function ofTasks(at: Switchboard, edit: (task: Fields) => Fields): void {
  at.data(views, (job) => ({ ...job, tasks: items(job["tasks"]).map(edit) }));
}

const jobFaults = faults([
  [
    "job-found-is-the-newest",
    "CORE-UPGRADE-49",
    "subtle",
    "Find upgrade job answers the newest job's id whatever was asked for.",
    (at) => {
      let newest: unknown;
      at.data("createUpgradeJob", (job) => {
        newest = job["id"];
        return job;
      });
      at.data("getUpgradeJob", (job) => ({ ...job, id: newest === job["id"] ? Number(newest) + 1 : newest }));
    },
  ],
  [
    "job-forgets-what-it-is-for",
    "CORE-UPGRADE-51",
    "plain",
    "A created job shows download false.",
    (at) =>
      at.data(views, (job) => ({ ...job, parameter: { ...fields(job["parameter"]), download: false } })),
  ],
  [
    "job-keeps-its-file-by-default",
    "CORE-UPGRADE-52",
    "subtle",
    "deleteFileAfterInstallComplete is false unless it was given.",
    (at) => at.body("createUpgradeJob", (body) => ({ deleteFileAfterInstallComplete: false, ...body })),
  ],
  [
    "job-takes-no-snapshot-by-default",
    "CORE-UPGRADE-53",
    "subtle",
    "Without snapshot a job takes none, whatever the upgrade configuration says.",
    (at) => at.body("createUpgradeJob", (body) => ({ snapshot: false, ...body })),
  ],
  [
    "new-job-runs-already",
    "CORE-UPGRADE-54",
    "plain",
    "A new job has the state running.",
    (at) => at.data("createUpgradeJob", (job) => ({ ...job, state: "running", lastState: "created" })),
  ],
  [
    "canceled-job-is-failed",
    "CORE-UPGRADE-55",
    "plain",
    "A canceled job has the state failed.",
    (at) => at.data(views, (job) => (job["state"] === "canceled" ? { ...job, state: "failed" } : job)),
  ],
  [
    "last-state-is-the-present",
    "CORE-UPGRADE-56",
    "subtle",
    "lastState of a canceled job is canceled.",
    (at) => at.data(views, (job) => (job["state"] === "canceled" ? { ...job, lastState: "canceled" } : job)),
  ],
  [
    "download-is-done-without-downloading",
    "CORE-UPGRADE-57",
    "subtle",
    "A job that requests a download is done without having asked the server.",
    (at) => {
      at.around("createUpgradeJob", (call, next) =>
        next(changed(call, { body: { ...call.body, download: false } })),
      );
      at.data(views, (job) => ({
        ...job,
        state: job["state"] === "created" && job["createdAt"] !== null ? "succeed" : job["state"],
        parameter: { ...fields(job["parameter"]), download: true },
        tasks: items(job["tasks"]).map((task) => ({ ...task, state: "succeed", progress: 100 })),
      }));
    },
  ],
  [
    "task-has-another-name",
    "CORE-UPGRADE-58",
    "plain",
    "A download task is not named after its file.",
    (at) => ofTasks(at, (task) => ({ ...task, name: "package" })),
  ],
  [
    "task-size-is-in-kilobytes",
    "CORE-UPGRADE-58",
    "subtle",
    "totalSize of a task is in kilobytes.",
    (at) => ofTasks(at, (task) => ({ ...task, totalSize: Math.ceil(Number(task["totalSize"]) / 1024) })),
  ],
  [
    "progress-ends-at-99",
    "CORE-UPGRADE-59",
    "subtle",
    "progress of a completed download is 99.",
    (at) => ofTasks(at, (task) => ({ ...task, progress: Math.min(99, Number(task["progress"])) })),
  ],
  [
    "progress-jumps-back",
    "CORE-UPGRADE-59",
    "subtle",
    "progress of a download now and then falls back.",
    (at) => {
      let asked = 0;
      ofTasks(at, (task) => {
        const progress = Number(task["progress"]);
        return progress < 100 && ++asked % 3 === 0 ? { ...task, progress: Math.floor(progress / 2) } : task;
      });
    },
  ],
  [
    "suspended-download-goes-on",
    "CORE-UPGRADE-60",
    "subtle",
    "A suspended download is shown as such and goes on.",
    (at) => {
      const suspended = new Set<string>();
      at.around("operateUpgradeJob", async (call, next) => {
        const { id = "", action } = call.path;
        if (action === "suspend") {
          suspended.add(id);
          await next(call);
          const answer = await next(changed(call, { path: { id, action: "resume" } }));
          return answer;
        }
        if (action !== "resume" || !suspended.delete(id)) return next(call);
        return next(call).catch(() => ({ kind: "json", status: 200, body: { data: {} } }));
      });
      at.data(["operateUpgradeJob", "getUpgradeJob", "listUpgradeJobs"], (job) =>
        suspended.has(String(job["id"])) && job["state"] === "running" ? { ...job, state: "suppended" } : job,
      );
    },
  ],
  [
    "unknown-job-action-is-taken",
    "CORE-UPGRADE-61",
    "plain",
    "An action upon a job that is none is answered with the job.",
    (at) => {
      at.lenient("operateUpgradeJob", "path", "action");
      at.around("operateUpgradeJob", (call, next) =>
        ["start", "cancel", "suspend", "resume"].includes(call.path["action"] ?? "")
          ? next(call)
          : { kind: "json", status: 200, body: { data: { id: Number(call.path["id"]) } } },
      );
    },
  ],
  [
    "unknown-job-is-found",
    "CORE-UPGRADE-62",
    "plain",
    "An id that no job has answers an empty job.",
    (at) =>
      at.around("getUpgradeJob", (call, next) =>
        next(call).catch(() => ({
          kind: "json",
          status: 200,
          body: { data: { id: Number(call.path["id"]) } },
        })),
      ),
  ],
  [
    "one-retry-too-few",
    "CORE-UPGRADE-63",
    "subtle",
    "A failed download is tried one time less than retryCount says.",
    retries((count) => count - 1),
  ],
  [
    "one-retry-too-many",
    "CORE-UPGRADE-63",
    "subtle",
    "A failed download is tried one time more than retryCount says.",
    retries((count) => count + 1),
  ],
  [
    "retries-come-too-soon",
    "CORE-UPGRADE-64",
    "subtle",
    "Between two tries no time passes.",
    intervals(() => 0),
  ],
  [
    "retries-come-too-late",
    "CORE-UPGRADE-64",
    "subtle",
    "Between two tries three times retryInterval passes.",
    intervals((seconds) => seconds * 3),
  ],
  [
    "new-job-is-not-listed",
    "CORE-UPGRADE-66",
    "plain",
    "The list lacks the newest job.",
    (at) =>
      at.answer("listUpgradeJobs", (body) => {
        const data = items(body["data"]).slice(0, -1);
        return { count: data.length, data };
      }),
  ],
]);

/** The number of tries differs from what is shown. */
function retries(other: (count: number) => number): Fault["install"] {
  return differs("retryCount", other, (count) => count > 0);
}

function intervals(other: (seconds: number) => number): Fault["install"] {
  return differs("retryInterval", other, () => true);
}

function differs(
  member: string,
  other: (value: number) => number,
  isMeant: (value: number) => boolean,
): Fault["install"] {
  return (at) => {
    let shown: unknown;
    at.around(["updateUpgradeConfiguration", "setUpgradeConfiguration"], async (call, next) => {
      const wish = valueAt(call.body, member);
      if (typeof wish !== "number" || !isMeant(wish)) {
        if (wish !== undefined) shown = undefined;
        return next(call);
      }
      shown = wish;
      return next(changed(call, { body: { ...call.body, [member]: Math.max(0, other(wish)) } }));
    });
    at.data(["getUpgradeConfiguration", "updateUpgradeConfiguration", "setUpgradeConfiguration"], (data) =>
      shown === undefined ? data : { ...data, [member]: shown },
    );
  };
}

export const appAndUpgradeFaults: readonly Fault[] = [...appFaults, ...configurationFaults, ...jobFaults];
