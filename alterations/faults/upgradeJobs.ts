// Faults of upgrade jobs.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { withoutEvents } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const views = ["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"] as const;

export const jobFaults: readonly Fault[] = faults([
  [
    "job-belongs-to-its-operator",
    "CORE-UPGRADE-74",
    "subtle",
    "The owner of an upgrade job becomes the user who operates it.",
    (at) => {
      const owners = new Map<unknown, string>();
      at.around("operateUpgradeJob", (call, proceed) => {
        owners.set(Number(call.path["id"]), call.caller?.name ?? "");
        return proceed(call);
      });
      at.data(views, (job) => ({ ...job, owner: owners.get(job["id"]) ?? job["owner"] }));
    },
  ],
  [
    "installations-are-not-counted",
    "CORE-UPGRADE-35",
    "subtle",
    "`totalTask` counts download tasks only.",
    (at) =>
      at.data(views, (job) => ({
        ...job,
        totalTask: items(job["tasks"]).filter(({ type }) => type === "download").length,
      })),
  ],
  [
    "reboot-loses-the-upgrade-id",
    "CORE-UPGRADE-66",
    "subtle",
    "A reboot sets `parameter.id` of upgrade jobs to null.",
    (at) =>
      at.boot((store) => {
        if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'upgrade_job'") !== undefined)
          store.run("UPDATE upgrade_job SET job = json_set(job, '$.parameter.id', NULL)");
      }),
  ],
  [
    "downloads-end-without-a-record",
    "CORE-UPGRADE-70",
    "plain",
    "A failed, suspended or canceled download is not recorded as an event.",
    withoutEvents(53, 54, 57),
  ],
  [
    "job-found-is-the-newest",
    "CORE-UPGRADE-49",
    "subtle",
    "Find upgrade job returns the id of the newest job, whatever the request says.",
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
    "A created job shows `download` false.",
    (at) =>
      at.data(views, (job) => ({ ...job, parameter: { ...fields(job["parameter"]), download: false } })),
  ],
  [
    "job-keeps-its-file-by-default",
    "CORE-UPGRADE-52",
    "subtle",
    "`deleteFileAfterInstallComplete` defaults to false.",
    (at) => at.body("createUpgradeJob", (body) => ({ deleteFileAfterInstallComplete: false, ...body })),
  ],
  [
    "job-of-a-file-keeps-it-by-default",
    "CORE-UPGRADE-52",
    "subtle",
    "`deleteFileAfterInstallComplete` defaults to false in a form.",
    (at) =>
      at.around("createUpgradeJob", (call, proceed) =>
        proceed(
          call.files.length > 0
            ? changed(call, { body: { deleteFileAfterInstallComplete: false, ...call.body } })
            : call,
        ),
      ),
  ],
  [
    "job-takes-no-snapshot-by-default",
    "CORE-UPGRADE-53",
    "subtle",
    "A job without `snapshot` takes no snapshot, whatever the upgrade configuration says.",
    (at) => at.body("createUpgradeJob", (body) => ({ snapshot: false, ...body })),
  ],
  [
    "job-of-a-form-takes-no-snapshot-by-default",
    "CORE-UPGRADE-53",
    "subtle",
    "A job that is created by a form without `snapshot` takes no snapshot, whatever the upgrade configuration says.",
    (at) =>
      at.around("createUpgradeJob", (call, proceed) =>
        proceed(call.files.length > 0 ? changed(call, { body: { snapshot: false, ...call.body } }) : call),
      ),
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
    "`lastState` of a canceled job is canceled.",
    (at) => at.data(views, (job) => (job["state"] === "canceled" ? { ...job, lastState: "canceled" } : job)),
  ],
  [
    "completed-job-keeps-its-last-state",
    "CORE-UPGRADE-56",
    "subtle",
    "`lastState` does not change when a job completes.",
    (at) => at.data(views, (job) => (job["state"] === "succeed" ? { ...job, lastState: "created" } : job)),
  ],
  [
    "job-canceled-while-suspended-keeps-its-last-state",
    "CORE-UPGRADE-56",
    "subtle",
    "Canceling a suspended job does not change its `lastState`.",
    (at) => {
      const kept = new Map<unknown, unknown>();
      at.around("operateUpgradeJob", async (call, proceed, ask) => {
        const { id = "", action } = call.path;
        const found = await ask("getUpgradeJob", { path: { id } }).catch(() => undefined);
        const job = found?.kind === "json" ? fields(fields(found.body)["data"]) : {};
        if (action === "cancel" && job["state"] === "suppended") kept.set(job["id"], job["lastState"]);
        return proceed(call);
      });
      at.data(views, (job) =>
        job["state"] === "canceled" && kept.has(job["id"]) ? { ...job, lastState: kept.get(job["id"]) } : job,
      );
    },
  ],
  [
    "task-instants-are-exchanged",
    "CORE-UPGRADE-46",
    "subtle",
    "`startedAt` and `completedAt` of a completed task are exchanged.",
    (at) =>
      ofTasks(at, (task) =>
        task["completedAt"] === null
          ? task
          : { ...task, startedAt: task["completedAt"], completedAt: task["startedAt"] },
      ),
  ],
  [
    "list-shows-one-task-a-job",
    "CORE-UPGRADE-49",
    "subtle",
    "`List upgrade jobs` shows the first task of each job only.",
    (at) => at.data("listUpgradeJobs", (job) => ({ ...job, tasks: items(job["tasks"]).slice(0, 1) })),
  ],
  [
    "list-shows-tasks-without-instants",
    "CORE-UPGRADE-49",
    "subtle",
    "`completedAt` of tasks is null in `List upgrade jobs`.",
    (at) =>
      at.data("listUpgradeJobs", (job) => ({
        ...job,
        tasks: items(job["tasks"]).map((task) => ({ ...task, completedAt: null })),
      })),
  ],
  [
    "task-has-another-name",
    "CORE-UPGRADE-58",
    "plain",
    "A download task is not named after its file.",
    (at) => ofTasks(at, (task) => ({ ...task, name: "package" })),
  ],
  [
    "task-name-in-ascii",
    "CORE-UPGRADE-58",
    "subtle",
    "Characters outside ASCII in the name of a task are shown as question marks.",
    (at) =>
      ofTasks(at, (task) => ({
        ...task,
        name: decodeURIComponent(String(task["name"])).replaceAll(/[^ -~]/g, "?"),
      })),
  ],
  [
    "task-size-is-in-kilobytes",
    "CORE-UPGRADE-58",
    "subtle",
    "`totalSize` of a task is in kilobytes.",
    (at) => ofTasks(at, (task) => ({ ...task, totalSize: Math.ceil(Number(task["totalSize"]) / 1024) })),
  ],
  [
    "task-size-has-32-bits",
    "CORE-UPGRADE-58",
    "subtle",
    "`totalSize` of a task has 32 bits.",
    (at) => ofTasks(at, (task) => ({ ...task, totalSize: Number(task["totalSize"]) % 2 ** 32 })),
  ],
  [
    "progress-ends-at-99",
    "CORE-UPGRADE-59",
    "subtle",
    "`progress` of a completed download is 99.",
    (at) => ofTasks(at, (task) => ({ ...task, progress: Math.min(99, Number(task["progress"])) })),
  ],
  [
    "progress-jumps-back",
    "CORE-UPGRADE-59",
    "subtle",
    "`progress` of a download occasionally decreases.",
    (at) => {
      let asked = 0;
      ofTasks(at, (task) => {
        const progress = Number(task["progress"]);
        return progress < 100 && ++asked % 3 === 0 ? { ...task, progress: Math.floor(progress / 2) } : task;
      });
    },
  ],
  [
    "started-job-deletes-its-file",
    "CORE-UPGRADE-87",
    "subtle",
    "Jobs wait for their start, which ignores `deleteFileAfterInstallComplete`.",
    (at) => {
      at.product((product) => ({ ...product, conduct: { ...product.conduct, beginsJobs: false } }));
      at.around("operateUpgradeJob", (call, proceed) => {
        const { deleteFileAfterInstallComplete: _ignored, ...query } = call.query;
        return proceed(changed(call, { query }));
      });
    },
  ],
  [
    "suspended-download-goes-on",
    "CORE-UPGRADE-60",
    "subtle",
    "A suspended download is shown as suspended but continues.",
    (at) => {
      const suspended = new Set<string>();
      at.around("operateUpgradeJob", async (call, proceed) => {
        const { id = "", action } = call.path;
        if (action === "suspend") {
          suspended.add(id);
          await proceed(call);
          const answer = await proceed(changed(call, { path: { id, action: "resume" } }));
          return answer;
        }
        if (action !== "resume" || !suspended.delete(id)) return proceed(call);
        return proceed(call).catch(() => ({ kind: "json", status: 200, body: { data: {} } }));
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
    "An unknown action on a job is answered with the job.",
    (at) => {
      at.lenient("operateUpgradeJob", "path", "action");
      at.around("operateUpgradeJob", (call, proceed) =>
        ["start", "cancel", "suspend", "resume"].includes(call.path["action"] ?? "")
          ? proceed(call)
          : { kind: "json", status: 200, body: { data: { id: Number(call.path["id"]) } } },
      );
    },
  ],
  [
    "unknown-job-is-found",
    "CORE-UPGRADE-62",
    "plain",
    "An unknown job id returns an empty job.",
    (at) =>
      at.around("getUpgradeJob", (call, proceed) =>
        proceed(call).catch(() => ({
          kind: "json",
          status: 200,
          body: { data: { id: Number(call.path["id"]) } },
        })),
      ),
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
  [
    "a-package-sent-as-a-file-is-only-stored",
    "CORE-UPGRADE-68",
    "subtle",
    "A job with the package as a file and `install` true has no installation.",
    (at) =>
      at.around("createUpgradeJob", (call, proceed) =>
        proceed(call.files.length === 0 ? call : changed(call, { body: { ...call.body, install: false } })),
      ),
  ],
  [
    "installations-end-without-a-record",
    "CORE-UPGRADE-86",
    "plain",
    "A completed installation is not recorded as an event.",
    withoutEvents(60),
  ],
  [
    "resumed-download-starts-over",
    "CORE-UPGRADE-67",
    "subtle",
    "A resumed download requests the whole file again.",
    (at) => {
      let folder = "";
      at.options((options) => {
        folder = join(options.stateFolder, "upgrades");
        return options;
      });
      at.around("operateUpgradeJob", (call, proceed) => {
        if (call.path["action"] === "resume")
          rmSync(join(folder, `${Number(call.path["id"])}.package`), { force: true });
        return proceed(call);
      });
    },
  ],
  [
    "resumed-download-stays-suspended",
    "CORE-UPGRADE-60",
    "plain",
    "The action resume is answered with success, but the download does not continue.",
    (at) =>
      at.around("operateUpgradeJob", async (call, proceed) => {
        if (call.path["action"] !== "resume") return proceed(call);
        return {
          kind: "json",
          status: 200,
          body: { data: { id: Number(call.path["id"]), state: "running" } },
        };
      }),
  ],
  [
    "task-name-has-the-query-of-the-url",
    "CORE-UPGRADE-58",
    "subtle",
    "`name` of a download task is the file name with the query of the URL.",
    (at) => {
      const queries = new Map<unknown, string>();
      const withQuery = (job: Fields): Fields => ({
        ...job,
        tasks: items(job["tasks"]).map((task) => ({
          ...task,
          name: `${text(task["name"])}${queries.get(job["id"]) ?? ""}`,
        })),
      });
      at.data("createUpgradeJob", (job, call) => {
        queries.set(job["id"], /\?.*$/.exec(text(call.body["url"]))?.[0] ?? "");
        return withQuery(job);
      });
      at.data(["getUpgradeJob", "listUpgradeJobs"], withQuery);
    },
  ],
]);

function ofTasks(at: GatewayAlterations, edit: (task: Fields) => Fields): void {
  at.data(views, (job) => ({ ...job, tasks: items(job["tasks"]).map(edit) }));
}
