// What is requested for a download, its progress after it was resumed, and its second suspension.
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import type { UpgradeServer } from "../support/upgradeServer.ts";
import { serve } from "./contents.ts";
import { begun, download, findJob, operate, resumed, settleMs } from "./downloads.ts";
import { downloadTask } from "./jobMembers.ts";
import { hasEnded, isDone } from "./jobStates.ts";
import { isPassing } from "../../interface/states.ts";

/** Progress is a whole number, and may count the bytes of a buffer that is not written yet. */
const roundingPercent = 1;

/** The path as text; as it stands where it is encoded wrongly. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(Buffer.from(target, "latin1").toString("utf8"));
  } catch {
    return target;
  }
}

/** Checks that the job requests the path of its `url`; which characters stay encoded is not stated. */
export async function verifyPath(
  context: CaseContext,
  server: UpgradeServer,
  id: number,
  encoded: string,
): Promise<void> {
  const verify = context.verify("CORE-UPGRADE-57");
  const what = `path requested for a \`url\` that ends in ${encoded}`;
  const hasBegun = await begun(context, server, id).then(
    () => true,
    () => false,
  );
  // Whether a gateway takes such characters is not stated.
  if (!hasBegun) return verify.notApplicable(what, "no request");
  const wanted = `/${decoded(encoded)}`;
  const paths = server.requests.map(({ target }) => target);
  verify.that(
    paths.some((path) => decoded(path) === wanted),
    { what, expected: `/${encoded}`, observed: paths },
  );
}

interface ResumedProgress {
  /** Reads the job, and compares its progress where the range had been requested before. */
  reading(read: () => Promise<UpgradeJob>): Promise<UpgradeJob>;
  verify(): void;
}

/**
 * Watches the progress of a running download from the first request after its resumption: it continues from what the
 * suspended job showed, as far as this request does not ask for the bytes again.
 */
export function watchResumed(
  context: CaseContext,
  server: UpgradeServer,
  { requestsBefore, shownBefore }: { readonly requestsBefore: number; readonly shownBefore: number },
): ResumedProgress {
  let least: number | undefined;
  let wanted = 0;
  return {
    async reading(read) {
      const from = Number(/^bytes=(\d+)-/.exec(server.requests[requestsBefore]?.range ?? "")?.[1] ?? 0);
      const job = await read();
      const progress = job.state === "running" ? downloadTask(job)?.progress : undefined;
      // Before the first bytes of the rest a gateway may show 0.
      if (from > 0 && progress !== undefined && progress > 0) {
        wanted = Math.min(shownBefore, Math.floor((from / server.sizeBytes) * 100) - roundingPercent);
        least = Math.min(least ?? progress, progress);
      }
      return job;
    },
    verify() {
      const verify = context.verify("CORE-UPGRADE-59");
      const what = "least `progress` of a resumed download, of which a part was loaded before";
      if (least === undefined)
        return verify.notApplicable(what, "no part of the file was asked for, or it was loaded at once");
      verify.that(least >= wanted, { what, expected: `at least ${wanted}`, observed: least });
    },
  };
}

const stillMs = 250;

/** Waits while the server still sends, as long as the rest of the file takes. */
export async function unlessEnded(
  { clock, signal }: CaseContext,
  server: UpgradeServer,
  chunkPauseMs: number,
): Promise<void> {
  const restMs = ((server.sizeBytes - server.sentBytes) / server.chunkBytes) * chunkPauseMs;
  const endMs = clock.nowMs() + restMs + 1000;
  while (server.sending > 0 && clock.nowMs() < endMs) await clock.delay(20, signal);
}

/**
 * Suspends a download that was resumed, once more, and resumes it. Answers the number of requests before that; undefined where
 * the gateway does not suspend it again, or the download has ended.
 */
export async function suspendsAgain(
  context: CaseContext,
  server: UpgradeServer,
  id: number,
  chunkPauseMs: number,
): Promise<number | undefined> {
  const { clock, signal, verify, waitFor } = context;
  const fromBytes = server.sentBytes;
  const isSent = (): true | undefined => server.sentBytes > fromBytes + server.chunkBytes || undefined;
  await waitFor("more of the file to be sent", isSent, { deadlineMs: settleMs }).catch(() => undefined);
  if (!(await operate(context, id, "suspend")).accepted) return undefined;
  let job = await findJob(context, id);
  const isAtRest = async (): Promise<true | undefined> => {
    job = await findJob(context, id);
    return isPassing(job.state) || job.state === "running" ? undefined : true;
  };
  await waitFor("the second suspended state", isAtRest, { deadlineMs: settleMs }).catch(() => undefined);
  if (job.state === "running" || hasEnded(job)) return undefined;
  const before = server.sentBytes;
  await clock.delay(stillMs, signal);
  // The rest of the file may wait in buffers.
  if (server.sentBytes !== before) await unlessEnded(context, server, chunkPauseMs);
  verify("CORE-UPGRADE-60").equal(
    isDone(await findJob(context, id)),
    false,
    "completion of a download that was resumed and suspended again",
  );
  const requests = server.requests.length;
  verify("CORE-UPGRADE-60").accepted(await resumed(context, id));
  return requests;
}

/** Long enough to suspend it in between. */
const withoutRanges = { sizeBytes: 512 * 1024, chunkPauseMs: 30, failures: 0, ignoresRange: true };

/**
 * Suspends and resumes a download from a server that sends the whole file again: a job that completes has received it from
 * its beginning to its end. Whether it completes is not stated.
 */
export async function restartsWithoutRange(context: CaseContext): Promise<void> {
  const { verify, waitFor } = context;
  const check = verify("CORE-UPGRADE-57");
  const what =
    "complete transfers of the file of a download that completed after resume, from a server without ranges";
  await using server = await serve(context, withoutRanges);
  const { id } = await download(context, server);
  await begun(context, server, id);
  const isThird = (): true | undefined => server.sentBytes > server.sizeBytes / 3 || undefined;
  await waitFor("transfer of a third of the file", isThird, { deadlineMs: settleMs });
  if (!(await operate(context, id, "suspend")).accepted)
    return check.notApplicable(what, "the download is not suspended");
  if (!(await resumed(context, id)).accepted) return check.notApplicable(what, "the download is not resumed");
  const isAtEnd = async (): Promise<true | undefined> => hasEnded(await findJob(context, id)) || undefined;
  await waitFor("the end of the download", isAtEnd, { deadlineMs: settleMs }).catch(() => undefined);
  const last = await findJob(context, id);
  verify("CORE-UPGRADE-58").that((downloadTask(last)?.totalSize ?? 0) <= server.sizeBytes, {
    what: "`totalSize` of the task of a download that was resumed from a server without ranges",
    expected: `at most ${server.sizeBytes}, the size of the file`,
    observed: downloadTask(last)?.totalSize,
  });
  if (!isDone(last)) return check.notApplicable(what, "the download does not complete");
  const isSent = (): true | undefined => server.completed > 0 || undefined;
  await waitFor("the end of the file", isSent, { deadlineMs: stillMs }).catch(() => undefined);
  check.that(server.completed > 0, { what, expected: "at least 1", observed: server.completed });
}
