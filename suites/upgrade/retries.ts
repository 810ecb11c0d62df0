// Failing downloads: the number of tries, and the time between two of them.
import { allEnded, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { runFacts } from "../support/runFacts.ts";
import { chunkBytes, type UpgradeServer } from "../support/upgradeServer.ts";
import { watchRecorded } from "../support/recordedEvents.ts";
import { mayTakeOthersOnly, serve } from "./contents.ts";
import { begun, cancelLater, download, findJob, operate, serveFile, sharedByJobs } from "./downloads.ts";
import { verifyViews, viewRequirements } from "./jobMembers.ts";
import { endedJob, followStates, isDone } from "./jobStates.ts";
import { isSuspended } from "../../interface/states.ts";

/** Tries of an unlimited number that are waited for, a second apart. */
const unlimitedByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 4, nightly: 6, certification: 20 };

/** Time that a gateway may need to begin a try after its interval. */
const retrySlackSec = 3;
/** The shortest interval whose double exceeds the interval with slack. */
const leastTellingSec = retrySlackSec + 1;

/** Time for a download that is tried again, until it is completed. */
const completedMs = 30_000;

/** Answers that are not the file, however much of it arrives. */
const notTheFile = [
  { answer: { breaksOff: true }, what: "a download that breaks off halfway" },
  { answer: { isMissing: true }, what: "a download that gets the status 404 and a page" },
] as const;

/** Whether a gateway tries such a download again is not stated. */
async function verifyNotTheFile(
  context: CaseContext,
  tries: number,
  { answer, what }: (typeof notTheFile)[number],
): Promise<void> {
  const { verify, waitFor, clock, signal } = context;
  const sizeBytes = 8 * chunkBytes;
  await using server = await serve(context, { sizeBytes, chunkPauseMs: 0, failures: 0, ...answer });
  const job = await download(context, server);
  await begun(context, server, job.id);
  await waitFor("one try too many", () => server.requests.length > tries || undefined, {
    deadlineMs: (tries + 0.5) * 1000,
  }).catch(() => undefined);
  await clock.delay(200, signal);
  verify("CORE-UPGRADE-63").that(server.requests.length <= tries, {
    what: `number of tries of ${what}, with retryCount ${tries - 1}`,
    expected: `at most ${tries}`,
    observed: server.requests.length,
  });
  const { completedTask, totalTask } = await findJob(context, job.id);
  verify("CORE-UPGRADE-57").that(completedTask < Math.max(1, totalTask), {
    what: `completed tasks of ${what}`,
    expected: `fewer than ${totalTask}`,
    observed: completedTask,
  });
}

/** Time in which a gateway has read a rejection of its request. */
const failedMs = 300;
/** Time in which a download with a `retryInterval` of a second would be tried again. */
const silentMs = 2200;
/** A file whose transfer takes longer than the checks before it is suspended. */
const slow = { sizeBytes: 64 * chunkBytes, chunkPauseMs: 40, failures: 0 };

/**
 * Suspends or cancels a download that waits for its second try, which would deliver the file. Whether the action is possible
 * then is not stated.
 */
async function verifyHalted(context: CaseContext, action: "suspend" | "cancel"): Promise<void> {
  const { verify, waitFor, clock, signal, profile } = context;
  const requirement = action === "cancel" ? "CORE-UPGRADE-55" : "CORE-UPGRADE-60";
  const what = `bytes sent to a download after ${action} between two tries`;
  await using server = await serveFile(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1 });
  const job = await download(context, server);
  await begun(context, server, job.id);
  await clock.delay(failedMs, signal);
  const answer = await operate(context, job.id, action);
  if (!answer.accepted) return verify(requirement).notApplicable(what, answer.summary());
  const isHalted = async (): Promise<true | undefined> => {
    const { state } = await findJob(context, job.id);
    return state === "canceled" || isSuspended(state) || undefined;
  };
  const found = await waitFor(`effect of ${action}`, isHalted, { deadlineMs: silentMs }).catch(() => false);
  // The file was on its way already, or the state has another name.
  if (!found || server.requests.length > 1)
    return verify(requirement).notApplicable(what, "no such state before the second try");
  await clock.delay(silentMs, signal);
  verify(requirement).equal(server.sentBytes, 0, what, answer);
  if (action === "cancel" || !(await operate(context, job.id, "resume")).accepted) return;
  const isSent = (): true | undefined => server.sentBytes > 0 || undefined;
  const isResumed = await waitFor("the file", isSent, { deadlineMs: profile.patience.settleMs }).catch(
    () => false,
  );
  verify(requirement).equal(
    isResumed,
    true,
    "transfer of the file after resume of a download that was suspended between two tries",
  );
}

/** Checks that a download which is suspended amid its transfer is not tried again, as after a broken connection. */
async function verifyStaysSuspended(context: CaseContext): Promise<void> {
  const { gateway, verify, waitFor, clock, signal, profile } = context;
  const check = verify("CORE-UPGRADE-60");
  const what = "further requests and completion of a suspended download, with retryInterval 1";
  await using server = await serveFile(context, slow);
  const json = { url: server.url, download: true, install: false };
  const created = await gateway.admin.call("createUpgradeJob", { json });
  // How many jobs may be unfinished is not stated.
  if (!created.accepted) return check.notApplicable(what, created.summary());
  const { id } = created.data();
  cancelLater(context, created.data());
  await begun(context, server, id);
  const isFifth = (): true | undefined => server.sentBytes > server.sizeBytes / 5 || undefined;
  await waitFor("transfer of a fifth of the file", isFifth, { deadlineMs: profile.patience.settleMs });
  const answer = await operate(context, id, "suspend");
  if (!answer.accepted) return check.notApplicable(what, answer.summary());
  const isHalted = async (): Promise<true | undefined> =>
    isSuspended((await findJob(context, id)).state) || undefined;
  const found = await waitFor("effect of suspend", isHalted, { deadlineMs: silentMs }).catch(() => false);
  if (!found) return check.notApplicable(what, "no state of a suspended job");
  // A request may have been on its way.
  await clock.delay(failedMs, signal);
  const before = server.requests.length;
  await clock.delay(silentMs - failedMs, signal);
  check.equal(
    { requests: server.requests.length - before, isCompleted: isDone(await findJob(context, id)) },
    { requests: 0, isCompleted: false },
    what,
    answer,
  );
}

/** Creates a download beside another one, where the gateway takes it; it may begin after the other's end. */
async function createsBeside(context: CaseContext, server: UpgradeServer): Promise<boolean> {
  const json = { url: server.url, download: true, install: false };
  const created = await context.gateway.admin.call("createUpgradeJob", { json });
  if (!created.accepted) return false;
  const job = created.data();
  cancelLater(context, job);
  if (runFacts(context).startsJobsByItself === false)
    await begun(context, server, job.id).catch(() => undefined);
  return true;
}

/** Checks that the second try of a download, which delivers the file, completes its job. */
async function verifyTriedAgain(context: CaseContext): Promise<void> {
  const { verify, waitFor } = context;
  const what = "complete transfer of the file by the second try, and completion of the job's tasks";
  if (await mayTakeOthersOnly(context))
    return verify("CORE-UPGRADE-57").notApplicable(what, "the gateway takes packages of its own only");
  await using server = await serve(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1 });
  const job = await download(context, server);
  await begun(context, server, job.id);
  const isCompleted = async (): Promise<true | undefined> =>
    isDone(await findJob(context, job.id)) || undefined;
  const areTasksCompleted = await waitFor("completion of the download", isCompleted, {
    deadlineMs: completedMs,
  }).catch(() => false);
  verify("CORE-UPGRADE-57").equal(
    { isFileSent: server.completed > 0, areTasksCompleted },
    { isFileSent: true, areTasksCompleted: true },
    what,
  );
}

export const retryCases: readonly TestCase[] = [
  testCase({
    ...sharedByJobs,
    id: "upgrade/retries",
    title: "A failed download is retried `retryCount` times, `retryInterval` seconds apart",
    requirements: [
      ...viewRequirements,
      "CORE-UPGRADE-55",
      "CORE-UPGRADE-57",
      "CORE-UPGRADE-60",
      "CORE-UPGRADE-63",
      "CORE-UPGRADE-64",
      "CORE-UPGRADE-70",
      "CORE-EVENT-68",
    ],
    tags: ["timing"],
    leastMs: 2 * leastTellingSec * 1000,
    async run(context) {
      const { gateway, verify, scratch, waitFor, clock, level, signal, profile } = context;
      const { settleMs } = profile.patience;
      const { admin } = gateway;
      const { retryCount, retryInterval } = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("retry settings", () =>
        admin.call("updateUpgradeConfiguration", { json: { retryCount, retryInterval } }),
      );
      const wanted = { retryCount: 2, retryInterval: level === "smoke" ? 1 : leastTellingSec };
      (await admin.call("updateUpgradeConfiguration", { json: wanted })).data();
      const failures = await watchRecorded(context, "ota download failed");
      await using server = await serve(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1000 });
      const job = await download(context, server);
      await begun(context, server, job.id);
      const follow = followStates(context, ["created"]);
      follow(await findJob(context, job.id));
      const tries = 1 + wanted.retryCount;
      await waitFor(`${tries} tries`, () => (server.requests.length >= tries ? true : undefined), {
        deadlineMs: wanted.retryInterval * tries * 1000 + settleMs,
      }).catch(() => undefined);
      const silentFromMs = clock.nowMs();
      await failures.verify("CORE-UPGRADE-70", "the last failed try");
      await endedJob(context, await findJob(context, job.id));
      // Each job has tries of its own. Meanwhile the first one could be tried once more.
      (await admin.call("updateUpgradeConfiguration", { json: { retryInterval: 1 } })).data();
      await using another = await serve(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1000 });
      const target = "?part=a%26b&key=1%2B1";
      const next = await download(context, another, `${another.url}${target}`);
      await begun(context, another, next.id);
      await using beside = await serve(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1000 });
      const isBeside = await createsBeside(context, beside);
      await waitFor(`${tries} tries of the next job`, () => another.requests.length >= tries || undefined, {
        deadlineMs: tries * 1000 + settleMs,
      }).catch(() => undefined);
      await endedJob(context, await findJob(context, next.id));
      if (isBeside)
        await waitFor(
          `${tries} tries of the job beside it`,
          () => beside.requests.length >= tries || undefined,
          {
            deadlineMs: tries * 1000 + settleMs,
          },
        ).catch(() => undefined);
      const nextSilentFromMs = clock.nowMs();
      await allEnded([
        ...notTheFile.map((one) => verifyNotTheFile(context, tries, one)),
        // How many jobs may be unfinished is not stated: no more of them than needed.
        verifyHalted(context, "cancel").then(() => verifyTriedAgain(context)),
        verifyHalted(context, "suspend"),
        verifyStaysSuspended(context),
      ]);
      const nowMs = clock.nowMs();
      const silentUntilMs = silentFromMs + wanted.retryInterval * 1000 + 700;
      await clock.delay(Math.max(0, silentUntilMs - nowMs, nextSilentFromMs + 1700 - nowMs), signal);
      verify("CORE-UPGRADE-63").equal(
        server.requests.length,
        tries,
        `number of tries of a failing download with retryCount ${wanted.retryCount}`,
      );
      follow(await findJob(context, job.id));
      await verifyViews(context, job.id, "after its last failed try");
      verify("CORE-UPGRADE-63").equal(
        another.requests.length,
        tries,
        `number of tries of the next failing download with retryCount ${wanted.retryCount}`,
      );
      const whatBeside = `number of tries of a download that fails beside another, with retryCount ${wanted.retryCount}`;
      if (beside.requests.length === 0)
        verify("CORE-UPGRADE-63").notApplicable(whatBeside, "the gateway begins no other job");
      else verify("CORE-UPGRADE-63").equal(beside.requests.length, tries, whatBeside);
      verify("CORE-UPGRADE-57").equal(
        another.requests
          .filter((request) => !request.target.endsWith(target))
          .map((request) => request.target),
        [],
        `requests for another file than that of a \`url\` with the query ${target}`,
      );
      for (const [index, request] of server.requests.entries()) {
        const before = server.requests[index - 1];
        if (before === undefined) continue;
        const gap = (request.atMs - before.atMs) / 1000;
        verify("CORE-UPGRADE-64").within({
          name: `time from try ${index} to try ${index + 1}`,
          unit: "s",
          interval: { low: gap, high: gap },
          limits: { low: wanted.retryInterval - 0.1, high: wanted.retryInterval + retrySlackSec },
          observers: ["request seen by the server"],
        });
      }
    },
  }),
  testCase({
    ...sharedByJobs,
    id: "upgrade/unlimited-retries",
    title: "With `retryCount` 0 a failing download is retried again and again",
    requirements: ["CORE-UPGRADE-65"],
    leastMs: (unlimitedByLevel.nightly - 1) * 1000,
    async run(context) {
      const { gateway, level, verify, scratch, waitFor, profile } = context;
      const { settleMs } = profile.patience;
      const unlimitedTries = unlimitedByLevel[level];
      const { admin } = gateway;
      const { retryCount, retryInterval } = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("retry settings", () =>
        admin.call("updateUpgradeConfiguration", { json: { retryCount, retryInterval } }),
      );
      const wanted = { retryCount: 0, retryInterval: 1 };
      (await admin.call("updateUpgradeConfiguration", { json: wanted })).data();
      await using server = await serve(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1000 });
      const job = await download(context, server);
      await begun(context, server, job.id);
      await waitFor(
        `${unlimitedTries} tries`,
        () => (server.requests.length >= unlimitedTries ? true : undefined),
        { deadlineMs: unlimitedTries * (wanted.retryInterval + retrySlackSec) * 1000 + settleMs },
      ).catch(() => undefined);
      verify("CORE-UPGRADE-65").that(server.requests.length >= unlimitedTries, {
        what: "number of tries of a failing download with retryCount 0",
        expected: `at least ${unlimitedTries}`,
        observed: server.requests.length,
      });
    },
  }),
];
