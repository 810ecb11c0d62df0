// Faults of downloads that are suspended and resumed, and of what a job is asked to download and to do.
import { appendFileSync, statSync } from "node:fs";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const views = ["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"] as const;
const actions = ["start", "cancel", "suspend", "resume"] as const;

export const upgradeDownloadFaults: readonly Fault[] = faults([
  [
    "resumed-download-adds-the-whole-file",
    "CORE-UPGRADE-57",
    "subtle",
    "A download that is resumed from a server without ranges adds the file from its beginning to the part, up to the size.",
    addsTheWholeFile((_received, length) => length),
  ],
  [
    "resumed-download-counts-its-part-twice",
    "CORE-UPGRADE-58",
    "subtle",
    "A download that is resumed from a server without ranges adds the whole file to the part, and counts both in `totalSize`.",
    addsTheWholeFile((received, length) => received + length),
  ],
  [
    "url-has-255-characters",
    "CORE-UPGRADE-57",
    "subtle",
    "A `url` is cut to 255 characters.",
    (at) =>
      at.body("createUpgradeJob", (body) =>
        typeof body["url"] === "string" ? { ...body, url: body["url"].slice(0, 255) } : body,
      ),
  ],
  [
    "task-name-has-63-characters",
    "CORE-UPGRADE-58",
    "subtle",
    "`name` of a task is cut to 63 characters.",
    (at) => ofTasks(at, (task) => ({ ...task, name: String(task["name"]).slice(0, 63) })),
  ],
  [
    "job-action-may-be-longer",
    "CORE-UPGRADE-61",
    "subtle",
    "An action on a job that only begins with the name of an action is taken for it.",
    similarActions((asked, action) => asked.startsWith(action)),
  ],
  [
    "job-action-may-be-abbreviated",
    "CORE-UPGRADE-61",
    "subtle",
    "An abbreviated action on a job is taken for the whole one.",
    similarActions((asked, action) => action.startsWith(asked)),
  ],
  [
    "resumed-task-lacks-its-speed",
    "CORE-UPGRADE-43",
    "subtle",
    "Tasks of a resumed job have no `speed`.",
    (at) => {
      const resumed = new Set<number>();
      at.around("operateUpgradeJob", (call, proceed) => {
        if (call.path["action"] === "resume") resumed.add(Number(call.path["id"]));
        return proceed(call);
      });
      ofTasks(at, (task, job) => {
        const { speed: _speed, ...others } = task;
        return resumed.has(Number(job["id"])) ? others : task;
      });
    },
  ],
  [
    "suspension-leaves-an-end",
    "CORE-UPGRADE-33",
    "subtle",
    "Suspending a job sets its `completedAt`, which remains after it is resumed.",
    (at) => {
      const endOf = new Map<unknown, string>();
      at.around("operateUpgradeJob", async (call, proceed) => {
        const answer = await proceed(call);
        if (call.path["action"] === "suspend") endOf.set(Number(call.path["id"]), new Date().toISOString());
        return answer;
      });
      at.data(views, (job) => ({ ...job, completedAt: job["completedAt"] ?? endOf.get(job["id"]) ?? null }));
    },
  ],
  [
    "suspended-download-starts-at-boot",
    "CORE-UPGRADE-60",
    "subtle",
    "A reboot continues suspended downloads, and shows them as suspended.",
    (at) => {
      const started = suspendedAtBoot(at, "UPDATE upgrade_job SET job = json_set(job, '$.state', 'running')");
      at.data(["getUpgradeJob", "listUpgradeJobs"], (job) =>
        started.has(Number(job["id"])) && job["state"] !== "canceled" ? { ...job, state: "suppended" } : job,
      );
    },
  ],
  [
    "suspended-download-runs-after-a-boot",
    "CORE-UPGRADE-60",
    "subtle",
    "A reboot continues suspended downloads, and shows them as running.",
    (at) => void suspendedAtBoot(at, "UPDATE upgrade_job SET job = json_set(job, '$.state', 'running')"),
  ],
  [
    "resume-does-nothing-after-a-boot",
    "CORE-UPGRADE-60",
    "subtle",
    "The action resume of a job that was suspended before a reboot is answered with success and has no effect.",
    (at) => {
      const suspended = suspendedAtBoot(at);
      at.around("operateUpgradeJob", (call, proceed, ask) => {
        const { id = "", action } = call.path;
        return action === "resume" && suspended.has(Number(id))
          ? ask("getUpgradeJob", { path: { id } })
          : proceed(call);
      });
    },
  ],
]);

/** What a server without ranges sends after resume is added to the part, up to the total of what was received and the length. */
function addsTheWholeFile(totalOf: (received: number, length: number) => number): Fault["install"] {
  return (at) =>
    at.download((download) => async (transfer) => {
      const { url, file, signal, onProgress } = transfer;
      let received = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      const head = received > 0 ? await fetch(url, { method: "HEAD", signal }) : undefined;
      if (head === undefined || head.headers.has("accept-ranges")) return download(transfer);
      const whole = await fetch(url, { signal });
      const total = totalOf(received, Number(whole.headers.get("content-length")));
      for await (const chunk of whole.body ?? []) {
        appendFileSync(file, chunk);
        received += chunk.length;
        onProgress(Math.min(received, total), total);
        if (received >= total) return;
      }
    });
}

/** An action is taken for the first one that it resembles. */
function similarActions(resembles: (asked: string, action: string) => boolean): Fault["install"] {
  return (at) => {
    at.lenient("operateUpgradeJob", "path", "action");
    at.around("operateUpgradeJob", (call, proceed) => {
      const { action: asked = "" } = call.path;
      const action = actions.find((one) => resembles(asked, one)) ?? "none";
      return proceed(changed(call, { path: { ...call.path, action } }));
    });
  };
}

/** The ids of jobs that are suspended at a boot, each of which is changed then. */
function suspendedAtBoot(at: GatewayAlterations, change?: string): ReadonlySet<number> {
  const ids = new Set<number>();
  at.boot((store) => {
    if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'upgrade_job'") === undefined) return;
    const where = "WHERE json_extract(job, '$.state') = 'suppended'";
    for (const { id } of store.all(`SELECT id FROM upgrade_job ${where}`)) ids.add(Number(id));
    if (change !== undefined) store.run(`${change} ${where}`);
  });
  return ids;
}

function ofTasks(at: GatewayAlterations, edit: (task: Fields, job: Fields) => Fields): void {
  at.data(views, (job) => ({ ...job, tasks: items(job["tasks"]).map((task) => edit(fields(task), job)) }));
}
