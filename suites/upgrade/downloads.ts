import type { Answer, CaseContext } from "../../harness/index.ts";
import type { UpgradeAction, UpgradeJob } from "../../interface/resources/upgrade.ts";
import { isPassing } from "../../interface/states.ts";
import { isDone } from "./jobStates.ts";
import { runFacts } from "../support/runFacts.ts";
import {
  startUpgradeServer,
  type UpgradeServer,
  type UpgradeServerOptions,
} from "../support/upgradeServer.ts";

/** Time for a job to start and to reach another state. */
export const settleMs = 15_000;

/** Time for a changed configuration to reach what uses it; how soon it takes effect is not stated. */
export const takesEffectMs = 1000;

/** What the cases of downloads have in common. */
export const sharedByJobs = {
  group: "upgrade",
  effect: "reversible",
  touches: ["upgrade-jobs", "upgrade-configuration"],
  reliesOn: ["event-catalogue", "event-configuration"],
  capabilities: ["upgrade", "upgrade-jobs"],
  deadlineMs: 120_000,
} as const;

export const findJob = async ({ gateway }: CaseContext, id: number): Promise<UpgradeJob> =>
  (await gateway.admin.call("getUpgradeJob", { path: { id } })).data();

/** The job once it shows none of these states: it may show another one later than the transfer or the action. */
export async function outOf(
  context: CaseContext,
  id: number,
  states: readonly string[],
  deadlineMs = settleMs,
): Promise<UpgradeJob> {
  let last = await findJob(context, id);
  const isOut = async (): Promise<true | undefined> => {
    last = await findJob(context, id);
    return !states.includes(last.state) || undefined;
  };
  if (states.includes(last.state))
    await context.waitFor(`a state other than ${last.state}`, isOut, { deadlineMs }).catch(() => undefined);
  return last;
}

/** A server of upgrade files that the gateway reaches. */
export function serveFile(
  { clock, outside, gateway }: CaseContext,
  part: Omit<UpgradeServerOptions, "clock" | "outside" | "host">,
): Promise<UpgradeServer> {
  return startUpgradeServer({ clock, outside, host: gateway.host, ...part });
}

/** Creates a download job, which is canceled at the end of the case; `url` may have a query of its own. */
export async function download(
  context: CaseContext,
  server: UpgradeServer,
  url = server.url,
): Promise<UpgradeJob> {
  const json = { url, download: true, install: false };
  const job = (await context.gateway.admin.call("createUpgradeJob", { json })).data();
  cancelLater(context, job);
  return job;
}

/** Cancels the job at the end of the case. */
export function cancelLater({ gateway: { admin }, scratch }: CaseContext, job: UpgradeJob): void {
  scratch.undo(`upgrade job ${job.id}`, async () => {
    await admin.call("operateUpgradeJob", {
      path: { id: job.id, action: "cancel" },
      query: { deleteFileAfterInstallComplete: true },
    });
  });
}

/** Operates the job; by default its file may be deleted after completion. */
export const operate = (
  { gateway }: CaseContext,
  id: number,
  action: UpgradeAction,
  deleteFileAfterInstallComplete = true,
): Promise<Answer<"operateUpgradeJob">> =>
  gateway.admin.call("operateUpgradeJob", {
    path: { id, action },
    query: { deleteFileAfterInstallComplete },
  });

/**
 * Resumes the job when it has come to rest, as far as its state tells: in a state of another name, too, an action may be
 * rejected while the job passes to the next.
 */
export async function resumed(context: CaseContext, id: number): Promise<Answer<"operateUpgradeJob">> {
  const { waitFor } = context;
  const isAtRest = async (): Promise<true | undefined> =>
    isPassing((await findJob(context, id)).state) ? undefined : true;
  await waitFor("the suspended state of the job", isAtRest, { deadlineMs: settleMs }).catch(() => undefined);
  let answer = await operate(context, id, "resume");
  const isTaken = async (): Promise<true | undefined> => {
    answer = await operate(context, id, "resume");
    return !answer.rejected || undefined;
  };
  if (answer.rejected)
    await waitFor("the job to be resumed", isTaken, { deadlineMs: settleMs }).catch(() => undefined);
  return answer;
}

/** Starts the job; a gateway may run one job at a time, and rejects the action while another one runs. */
async function started(context: CaseContext, id: number): Promise<void> {
  const { gateway, waitFor } = context;
  let wasAlone = false;
  const mayStart = async (): Promise<true | undefined> => {
    const answer = await operate(context, id, "start");
    if (!answer.rejected) return true;
    const jobs = (await gateway.admin.call("listUpgradeJobs")).data();
    const isAlone = !jobs.some((job) => job.id !== id && job.state.endsWith("ing"));
    // One that has ended since does not hinder the next attempt.
    if (isAlone && wasAlone) return true;
    wasAlone = isAlone;
    return undefined;
  };
  await waitFor(`room for job ${id} beside the running one`, mayStart, {
    deadlineMs: 2 * settleMs,
    everyMs: 100,
  });
}

/** Time for a job to start by itself. */
export const selfStartMs = 1500;

/** Starts the job where its creation alone does not start the download. */
export async function begun(context: CaseContext, server: UpgradeServer, id: number): Promise<void> {
  const facts = runFacts(context);
  const hasBegun = (): true | undefined => (server.requests.length > 0 ? true : undefined);
  if (facts.startsJobsByItself !== false) {
    const isBegun = await context
      .waitFor("start of the download", hasBegun, { deadlineMs: selfStartMs })
      .catch(() => false);
    facts.startsJobsByItself = isBegun;
    if (isBegun) return;
  }
  await started(context, id);
  const hasBegunOrEnded = async (): Promise<true | undefined> =>
    hasBegun() ?? (isDone(await findJob(context, id)) || undefined);
  await context.waitFor("start of the download after the action start", hasBegunOrEnded, {
    deadlineMs: settleMs,
    everyMs: 50,
  });
  if (hasBegun() === undefined) context.unmet("the job is completed without a request for its file");
}
