// Faults of upgrade jobs that show at the end of a download only, in its course, or after it was resumed.
import { basename, dirname, join } from "node:path";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { hidesRejections, withoutEvents } from "./habits.ts";
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
  [
    "speed-in-bytes",
    "CORE-UPGRADE-88",
    "subtle",
    "`speed` of a download task is in bytes a second.",
    (at) =>
      at.data(views, (job) =>
        withTasks(job, (task) => ("speed" in task ? { ...task, speed: Number(task["speed"]) * 1024 } : task)),
      ),
  ],
  [
    "resumed-and-completed-downloads-are-not-recorded",
    "CORE-UPGRADE-70",
    "plain",
    "A resumed or completed download is not recorded as an event.",
    withoutEvents(55, 56),
  ],
  [
    "file-of-the-same-name-is-continued",
    "CORE-UPGRADE-57",
    "subtle",
    "A download continues the file of an earlier job whose URL has the same file name.",
    (at) =>
      at.download(
        (download) => (transfer) =>
          download({
            ...transfer,
            file: join(dirname(transfer.file), basename(new URL(transfer.url).pathname)),
          }),
      ),
  ],
  [
    "installation-has-its-type-as-name",
    "CORE-UPGRADE-58",
    "subtle",
    "`name` of an installation task is install instead of the file name.",
    (at) =>
      at.data(["createUpgradeJob", ...views], (job) =>
        withTasks(job, (task) => (task["type"] === "install" ? { ...task, name: "install" } : task)),
      ),
  ],
  [
    "upgrade-id-is-not-shown",
    "CORE-UPGRADE-29",
    "subtle",
    "`parameter.id` of every upgrade job is null.",
    (at) =>
      at.data(["createUpgradeJob", ...views], (job) => ({
        ...job,
        parameter: { ...fields(job["parameter"]), id: null },
      })),
  ],
  [
    "job-list-hides-schedules",
    "CORE-UPGRADE-49",
    "subtle",
    "List upgrade jobs returns `parameter.at` null for every job.",
    (at) =>
      at.data("listUpgradeJobs", (job) => ({ ...job, parameter: { ...fields(job["parameter"]), at: null } })),
  ],
  [
    "reboot-loses-the-tasks-of-ended-jobs",
    "CORE-UPGRADE-66",
    "subtle",
    "Canceled upgrade jobs have no tasks after a reboot.",
    (at) =>
      at.boot((store) => {
        if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'upgrade_job'") !== undefined)
          store.run(
            "UPDATE upgrade_job SET job = json_set(job, '$.tasks', json('[]')) WHERE job ->> '$.state' = 'canceled'",
          );
      }),
  ],
  [
    "every-job-has-the-same-owner",
    "CORE-UPGRADE-25",
    "subtle",
    "`owner` of every upgrade job is the user who created the first one.",
    (at) => {
      let first: unknown;
      at.data(["createUpgradeJob", ...views], (job) => ({ ...job, owner: (first ??= job["owner"]) }));
    },
  ],
  [
    "path-of-a-url-is-encoded-again",
    "CORE-UPGRADE-57",
    "subtle",
    "A download requests the path of its URL with every percent sign encoded once more.",
    (at) =>
      at.download((download) => (transfer) => {
        const url = new URL(transfer.url);
        url.pathname = url.pathname.replaceAll("%", "%25");
        return download({ ...transfer, url: url.href });
      }),
  ],
  [
    "progress-of-a-resumed-download-counts-its-rest",
    "CORE-UPGRADE-59",
    "subtle",
    "`progress` of a resumed download counts from 0 again, over the bytes that were left.",
    (at) => {
      const suspendedAt = new Map<unknown, number>();
      const restOf = (task: Fields, from: number): number =>
        Math.max(0, Math.floor(((Number(task["progress"]) - from) * 100) / Math.max(1, 100 - from)));
      at.data(views, (job) => {
        const [task] = items(job["tasks"]);
        if (job["state"] === "suppended") suspendedAt.set(job["id"], Number(task?.["progress"]));
        const from = suspendedAt.get(job["id"]);
        return from === undefined || job["state"] === "suppended"
          ? job
          : withTasks(job, (one) => ({ ...one, progress: restOf(one, from) }));
      });
    },
  ],
  [
    "unknown-job-is-operated",
    "CORE-UPGRADE-62",
    "subtle",
    "An action on an unknown job id is answered with success.",
    (at) =>
      hidesRejections(
        at,
        "operateUpgradeJob",
        { data: {} },
        (thrown) => thrown instanceof Refusal && thrown.status === 404,
      ),
  ],
  [
    "snapshot-false-in-a-form-counts-as-true",
    "CORE-UPGRADE-53",
    "subtle",
    "`snapshot` in a form is true whatever its text is.",
    (at) =>
      at.body("createUpgradeJob", (body, { files }) =>
        files.length > 0 && body["snapshot"] !== undefined ? { ...body, snapshot: true } : body,
      ),
  ],
]);
