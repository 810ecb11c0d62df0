// What the files of downloads contain. Whether a gateway checks a file that it does not install is not stated: one that
// does gets a package of its own.
import { Unmet } from "../../record/index.ts";
import { basename } from "node:path";
import { readFile } from "node:fs/promises";
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { runFacts } from "../support/runFacts.ts";
import type { UpgradeServer, UpgradeServerOptions } from "../support/upgradeServer.ts";
import { begun, download, findJob, serveFile, settleMs } from "./downloads.ts";
import { hasFailed, isDone } from "./jobStates.ts";
import { ownSystem, versionNow } from "./systems.ts";

type Part = Omit<UpgradeServerOptions, "clock" | "outside" | "host" | "load">;
type Content = Pick<UpgradeServerOptions, "fileName" | "load">;

const tryBytes = 1024;

/** A server of upgrade files that the gateway reaches; their content is one with which its downloads complete. */
export async function serve(context: CaseContext, part: Part): Promise<UpgradeServer> {
  const isServed = part.failures <= 1;
  if (!isServed || !hasPackage(context) || (await takesAnyFile(context))) return serveFile(context, part);
  return serveFile(context, { ...part, ...(await packageOf(context)) });
}

/** Unmet where a gateway that may check its downloads ended the job, and the profile has no package for it. */
export function unlessAnotherFile(context: CaseContext, job: UpgradeJob, server: UpgradeServer): void {
  if (!hasFailed(job) || server.completed === 0 || hasPackage(context)) return;
  context.unmet(
    `the job is ${job.state} after the whole file was sent; the gateway may take packages of its own only: name one in upgrade.packageFile`,
  );
}

/** Whether the gateway may complete downloads of its own packages only, and the profile has none. */
export const mayTakeOthersOnly = async (context: CaseContext): Promise<boolean> =>
  !hasPackage(context) && !(await takesAnyFile(context));

function hasPackage({ profile: { upgrade } }: CaseContext): boolean {
  return upgrade.packageFile !== undefined || upgrade.packages !== undefined;
}

/** Found out once in a run by a small download. */
async function takesAnyFile(context: CaseContext): Promise<boolean> {
  const facts = runFacts(context);
  facts.takesAnyFile ??= await completesAnyFile(context);
  return facts.takesAnyFile;
}

async function completesAnyFile(context: CaseContext): Promise<boolean> {
  await using server = await serveFile(context, { sizeBytes: tryBytes, chunkPauseMs: 0, failures: 0 });
  const { id } = await download(context, server);
  try {
    await begun(context, server, id);
  } catch (thrown) {
    if (!(thrown instanceof Unmet)) throw thrown;
    // Cases of downloads decide about one that does not begin.
    return true;
  }
  const outcome = async (): Promise<"completed" | "failed" | undefined> => {
    const job = await findJob(context, id);
    if (isDone(job)) return "completed";
    // A gateway may also load a whole file again that it does not take.
    return hasFailed(job) || server.completed > 1 ? "failed" : undefined;
  };
  const found = await context
    .waitFor("end of a download of 1 KiB", outcome, { deadlineMs: settleMs })
    .catch(() => undefined);
  // The words for a failed job are not stated: one may have ended that has the whole file and is not completed.
  return found === "completed" || (found === undefined && server.completed === 0);
}

async function packageOf(context: CaseContext): Promise<Content> {
  const { packageFile, packages } = context.profile.upgrade;
  if (packageFile === undefined && packages === "reference")
    return { load: ownSystem(context, await versionNow(context)).load };
  const file = packageFile ?? (packages === "reference" ? undefined : packages?.[0]?.file);
  return file === undefined ? {} : { fileName: basename(file), load: () => readFile(file) };
}
