import type { Answer, CaseContext } from "../../harness/index.ts";
import type { UpgradeAction, UpgradeJob } from "../../interface/resources/upgrade.ts";
import {
  startUpgradeServer,
  type UpgradeServer,
  type UpgradeServerOptions,
} from "../support/upgradeServer.ts";

/** How long a job may take to begin, and to come to another state. */
export const settleMs = 15_000;

/** A server of upgrade files that the gateway reaches. */
export function serve(
  { clock, gateway }: CaseContext,
  part: Omit<UpgradeServerOptions, "clock" | "host">,
): Promise<UpgradeServer> {
  return startUpgradeServer({ clock, host: gateway.host, ...part });
}

/** Creates a download job that is canceled at the end, whatever became of it. */
export async function download(
  { gateway, scratch }: CaseContext,
  server: UpgradeServer,
): Promise<UpgradeJob> {
  const { admin } = gateway;
  const job = (
    await admin.call("createUpgradeJob", { json: { url: server.url, download: true, install: false } })
  ).data();
  scratch.undo(`upgrade job ${job.id}`, async () => {
    await admin.call("operateUpgradeJob", {
      path: { id: job.id, action: "cancel" },
      query: { deleteFileAfterInstallComplete: true },
    });
  });
  return job;
}

/** Operates the job; its file may go when it is done. */
export const operate = ({ gateway }: CaseContext, id: number, action: UpgradeAction): Promise<Answer> =>
  gateway.admin.call("operateUpgradeJob", {
    path: { id, action },
    query: { deleteFileAfterInstallComplete: true },
  });

/** Starts the job where creating it alone does not begin the download. */
export async function begun(context: CaseContext, server: UpgradeServer, id: number): Promise<void> {
  const hasBegun = (): true | undefined => (server.requests.length > 0 ? true : undefined);
  const byItself = await context
    .waitFor("the download to begin by itself", hasBegun, { deadlineMs: 1500 })
    .catch(() => undefined);
  if (byItself === true) return;
  await operate(context, id, "start");
  await context.waitFor("the download to begin after start", hasBegun, { deadlineMs: settleMs });
}
