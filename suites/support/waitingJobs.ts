// Upgrade jobs that download nothing: one that waits, and one that was canceled.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { removed } from "../users/accounts.ts";
import { farMonth } from "./rebootSchedule.ts";

/** Creates an upgrade job that downloads nothing, and registers its removal. */
export async function createWaitingJob(context: CaseContext): Promise<Answer<"createUpgradeJob">> {
  const { admin, host } = context.gateway;
  const { enableSnapshot, isSnapshotSupported } = (await admin.call("getUpgradeConfiguration")).data();
  // Port 9 discards all input: the download receives no byte, and no installation follows.
  const json = {
    url: `http://${host.address}:9/rackproof.bin`,
    download: true,
    install: false,
    deleteFileAfterInstallComplete: false,
    // Other than the default where snapshots are supported.
    snapshot: isSnapshotSupported && !enableSnapshot,
  };
  const month = String(farMonth(context.clock.epochMs()));
  const at = { minute: "17", hour: "3", day: "11", month, dayOfWeek: "*" };
  // Which upgrade ids and schedules a gateway accepts is not stated.
  let created = await admin.call("createUpgradeJob", { json: { ...json, id: 4711, at } });
  if (!created.accepted) created = await admin.call("createUpgradeJob", { json: { ...json, id: 4711 } });
  if (!created.accepted) created = await admin.call("createUpgradeJob", { json });
  if (!created.accepted) return created;
  const { id } = created.data();
  const path = { id };
  context.scratch.undo(`upgrade job ${id}`, async () => {
    const present = await admin.call("getUpgradeJob", { path });
    // A reset may have removed it, or the gateway: how many jobs it stores is not stated.
    if (!present.accepted) return undefined;
    const canceled = present.data().state === "canceled" ? undefined : await cancel(context, id);
    return context.profile.extensions.has("deleteUpgradeJob")
      ? removed(context, "deleteUpgradeJob", id)
      : canceled;
  });
  return created;
}

const cancel = ({ gateway }: CaseContext, id: number): Promise<Answer<"operateUpgradeJob">> =>
  gateway.admin.call("operateUpgradeJob", {
    path: { id, action: "cancel" },
    query: { deleteFileAfterInstallComplete: true },
  });

/**
 * Creates a job and cancels it; answers how to read it. How long ended jobs are stored is not stated: one that is not listed
 * any more reads as it did first. Undefined where it does not reach the state canceled.
 */
export async function canceledJob(context: CaseContext): Promise<() => Promise<object | undefined>> {
  const { gateway, profile, waitFor } = context;
  const { admin } = gateway;
  const created = await createWaitingJob(context);
  if (!created.accepted) return async () => undefined;
  const { id } = created.data();
  await cancel(context, id);
  const find = async (): Promise<UpgradeJob | undefined> =>
    (await admin.call("listUpgradeJobs")).data().find((job) => job.id === id);
  const first = await waitFor(
    "the state canceled",
    async () => {
      const job = await find();
      return job?.state === "canceled" ? endedFacts(job) : undefined;
    },
    { deadlineMs: profile.patience.settleMs },
  ).catch(() => undefined);
  if (first === undefined) return async () => undefined;
  return async () => {
    const job = await find();
    return job === undefined ? first : endedFacts(job);
  };
}

/** What does not change any more; instants in milliseconds. */
function endedFacts(job: UpgradeJob): object {
  const { state, lastState, totalTask, completedTask } = job;
  const instants = (["createdAt", "startedAt", "completedAt"] as const).map((name) => [
    name,
    job[name] === null ? null : epochMsOf(job[name]),
  ]);
  const tasks = job.tasks.map(({ name, type, state: taskState }) => ({ name, type, state: taskState }));
  return { state, lastState, totalTask, completedTask, tasks, ...Object.fromEntries(instants) };
}
