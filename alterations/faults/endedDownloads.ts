// Faults of upgrade jobs that show at the end of a download only, in its course, or after it was resumed.
import { type Fields, fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const views = ["getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"] as const;

function withTasks(job: Fields, edit: (task: Fields) => Fields): Fields {
  return { ...job, tasks: items(job["tasks"]).map(edit) };
}

export const endedDownloadFaults: readonly Fault[] = faults([
  [
    "download-is-done-without-downloading",
    "CORE-UPGRADE-57",
    "subtle",
    "A download job completes without a request to the download server.",
    (at) => {
      const done = new Set<unknown>();
      at.around("createUpgradeJob", (call, proceed) =>
        proceed(
          changed(call, {
            body: { ...call.body, download: call.body["install"] === true && call.body["download"] === true },
          }),
        ),
      );
      at.around("operateUpgradeJob", (call, proceed) => {
        if (call.path["action"] !== "start") return proceed(call);
        done.add(Number(call.path["id"]));
        return proceed(changed(call, { path: { ...call.path, action: "cancel" } }));
      });
      at.data(["createUpgradeJob", ...views], (job) => ({
        ...job,
        parameter: { ...fields(job["parameter"]), download: true },
        ...(done.has(job["id"])
          ? {
              state: "succeed",
              completedTask: job["totalTask"],
              tasks: items(job["tasks"]).map((task) => ({ ...task, state: "succeed", progress: 100 })),
            }
          : {}),
      }));
    },
  ],
  [
    "speed-shown-after-the-end",
    "CORE-UPGRADE-43",
    "subtle",
    "`speed` of a download task is absent until the task is completed.",
    (at) =>
      at.data(views, (job) =>
        withTasks(job, ({ speed, ...task }) =>
          speed === undefined || task["completedAt"] === null ? task : { ...task, speed },
        ),
      ),
  ],
  [
    "resumed-download-has-the-size-of-its-rest",
    "CORE-UPGRADE-58",
    "subtle",
    "`totalSize` of a resumed download is the number of bytes that were left.",
    (at) => {
      const resumed = new Set<unknown>();
      at.around("operateUpgradeJob", (call, proceed) => {
        if (call.path["action"] === "resume") resumed.add(Number(call.path["id"]));
        return proceed(call);
      });
      at.data(views, (job) =>
        resumed.has(job["id"])
          ? withTasks(job, (task) => ({ ...task, totalSize: Math.floor(Number(task["totalSize"]) * 0.8) }))
          : job,
      );
    },
  ],
  [
    "resumed-job-keeps-its-last-state",
    "CORE-UPGRADE-56",
    "subtle",
    "Resuming a job does not change its `lastState`.",
    (at) => {
      const before = new Map<unknown, unknown>();
      at.data(views, (job) => {
        const { id, state } = job;
        if (state === "suppended") before.set(id, job["lastState"]);
        const isResumed = before.has(id) && ["resuming", "running"].includes(String(state));
        return isResumed ? { ...job, lastState: before.get(id) } : job;
      });
    },
  ],
]);
