// Upgrade jobs across a reboot: one that is followed by others, a suspended one, and the progress of completed downloads.
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { laterReading } from "../support/createdThings.ts";
import { notDeclared } from "../support/persisted.ts";
import { canceledJob, createWaitingJob } from "../support/waitingJobs.ts";
import { byId } from "../users/accounts.ts";
import type { UpgradeServer } from "../support/upgradeServer.ts";
import { serve } from "../upgrade/contents.ts";
import { begun, download, operate, resumed } from "../upgrade/downloads.ts";
import { instantOf } from "../upgrade/jobMembers.ts";
import { hasEnded } from "../upgrade/jobStates.ts";
import { isSuspended } from "../../interface/states.ts";

const requirements = ["CORE-UPGRADE-59", "CORE-UPGRADE-60", "CORE-UPGRADE-66"] as const;

/** Long enough to suspend it in between. */
const slow = { sizeBytes: 512 * 1024, chunkPauseMs: 30, failures: 0 };
/** Time in which a download that a boot starts has asked for its file. */
const silentMs = 2000;

/** How many more jobs are created at most, so that their number is no round one. */
const mostFurtherJobs = 3;

/** A job that is not suspended by then is compared as it is. */
const suspendedWithinMs = 300;

const list = async ({ gateway }: CaseContext): Promise<readonly UpgradeJob[]> =>
  byId((await gateway.admin.call("listUpgradeJobs")).data());

/** What no reboot changes; whether it changes the state is not stated. */
const facts = ({ id, owner, createdAt, parameter: { download, install, snapshot } }: UpgradeJob) => ({
  id,
  owner,
  createdAt: instantOf(createdAt),
  parameter: { download, install, snapshot },
});

/** `progress` of the tasks of succeeded downloads, by the id of their job. */
const progressOf = (jobs: readonly UpgradeJob[]): ReadonlyMap<number, readonly number[]> =>
  new Map(
    jobs
      .filter(({ state, tasks }) => state === "succeed" && tasks.every(({ type }) => type === "download"))
      .map(({ id, tasks }) => [id, tasks.map(({ progress }) => progress)]),
  );

/** Creates jobs before others that follow; answers how to check them after a reboot. */
export async function watchJobs(context: CaseContext): Promise<() => Promise<void>> {
  const { declares, verify } = context;
  const what = "upgrade jobs after the reboot";
  if (!declares("upgrade-jobs"))
    return async () => {
      for (const requirement of requirements) verify(requirement).notApplicable(what, notDeclared);
    };
  const created = [await createWaitingJob(context), await createWaitingJob(context)];
  const ids = created.flatMap((answer) => (answer.accepted ? [answer.data().id] : []));
  if (ids[1] !== undefined) await suspend(context, ids[1]);
  const verifySuspended = await watchSuspended(context);
  const before = await listWithRoom(context);
  const expected = before.filter(({ id }) => ids.includes(id)).map(facts);
  const read = async (): Promise<object[]> =>
    (await list(context)).filter(({ id }) => ids.includes(id)).map(facts);
  return async () => {
    await verifySuspended();
    const states = before.filter(({ id }) => ids.includes(id)).map(({ state }) => state);
    verify("CORE-UPGRADE-66").equal(
      await laterReading(context, { kind: "upgrade job", what, expected, read }),
      expected,
      `owner, parameters and \`createdAt\` of jobs after the reboot that were in the states ${states.join(", ")}`,
    );
    if (!isRound(before.length)) await verifyCounted(context, before.length, expected);
    // How long ended jobs are stored is not stated.
    const ended = progressOf(await list(context));
    const found = [...progressOf(before)].filter(([id]) => ended.has(id));
    const shown = "`progress` of the tasks of succeeded downloads after the reboot, compared with before";
    if (found.length === 0) verify("CORE-UPGRADE-59").notApplicable(shown, "no such job is listed");
    else
      verify("CORE-UPGRADE-59").equal(
        found.map(([id]) => ended.get(id)),
        found.map(([, progress]) => progress),
        shown,
      );
  };
}

/**
 * The list, after further jobs where their number is a round one: a gateway whose list is full may give an ended job's id to
 * the next one, and such limits are round.
 */
async function listWithRoom(context: CaseContext): Promise<readonly UpgradeJob[]> {
  let listed = await list(context);
  for (let further = 0; further < mostFurtherJobs && isRound(listed.length); further += 1) {
    // Canceled: how many jobs there can be that have not ended is not stated.
    await canceledJob(context);
    listed = await list(context);
  }
  return listed;
}

const isRound = (count: number): boolean => count % 5 === 0 || count % 8 === 0;

/** Checks that a job that is created after the reboot has an id of its own, and replaces none of the earlier jobs. */
async function verifyCounted(
  context: CaseContext,
  count: number,
  expected: readonly ReturnType<typeof facts>[],
): Promise<void> {
  const listed = (await list(context)).map(({ id }) => id);
  if (listed.length !== count) return;
  const created = await createWaitingJob(context);
  if (!created.accepted) return;
  const decided = context.verify("CORE-UPGRADE-66");
  decided.that(!listed.includes(created.data().id), {
    what: "`id` of a job that is created after the reboot",
    expected: `none of ${listed.join(", ")}`,
    observed: created.data().id,
    evidence: created,
  });
  const now = (await list(context)).filter(({ id }) => expected.some((one) => one.id === id));
  // How many jobs a gateway stores is not stated.
  const stored = expected.filter((one) => now.some(({ id }) => id === one.id));
  decided.equal(now.map(facts), stored, "earlier jobs after one was created after the reboot", created);
}

/** Starts and suspends the job, whose server does not answer; which actions a gateway takes is not stated. */
async function suspend(context: CaseContext, id: number): Promise<void> {
  if (!(await operate(context, id, "start", false)).accepted) return;
  if (!(await operate(context, id, "suspend", false)).accepted) return;
  await atRest(context, id);
}

async function atRest(context: CaseContext, id: number): Promise<void> {
  const isAtRest = async (): Promise<true | undefined> =>
    (await list(context)).some((job) => job.id === id && isSuspended(job.state)) || undefined;
  await context
    .waitFor("the suspended state", isAtRest, { deadlineMs: suspendedWithinMs })
    .catch(() => undefined);
}

/** Suspends a download; answers how to check after a reboot that it still is, and continues when it is resumed. */
async function watchSuspended(context: CaseContext): Promise<() => Promise<void>> {
  const { clock, scratch, signal, verify, waitFor, profile } = context;
  const { settleMs } = profile.patience;
  const check = verify("CORE-UPGRADE-60");
  const what = "requests for the file of a suspended download";
  const server = await serve(context, slow);
  scratch.undo("upgrade server", async () => server[Symbol.asyncDispose]());
  const id = await suspendedDownload(context, server);
  const stateOf = async (): Promise<UpgradeJob | undefined> =>
    (await list(context)).find((job) => job.id === id);
  const { length } = server.requests;
  const wasSuspended = isSuspended((await stateOf())?.state ?? "");
  return async () => {
    const { state } = (await stateOf()) ?? {};
    const isStill = isSuspended(state ?? "");
    // Whether a reboot changes the state is not stated: in another one, too, nobody has resumed the download.
    if (!isStill && (state === undefined || !wasSuspended))
      return check.notApplicable(`${what} after the reboot`, "no such job is listed");
    await clock.delay(silentMs, signal);
    check.equal(
      server.requests.length,
      length,
      `${what} in ${silentMs / 1000} s after the reboot, and before`,
    );
    if (!isStill) return;
    const afterBoot = server.requests.length;
    if (id === undefined || !(await resumed(context, id)).accepted) return;
    const isResumed = async (): Promise<true | undefined> => {
      const job = await stateOf();
      return server.requests.length > afterBoot || job === undefined || hasEnded(job) || undefined;
    };
    const goesOn = await waitFor("the resumed download", isResumed, { deadlineMs: settleMs }).catch(
      () => false,
    );
    check.equal(goesOn, true, "request for the file, or an end of the job, after resume after the reboot");
  };
}

/** The id of a download that is suspended; undefined where the gateway does not suspend it. */
async function suspendedDownload(context: CaseContext, server: UpgradeServer): Promise<number | undefined> {
  const hasBegun = download(context, server).then(async ({ id }) => {
    await begun(context, server, id);
    const isFifth = (): true | undefined => server.sentBytes > server.sizeBytes / 5 || undefined;
    await context.waitFor("transfer of a fifth of the file", isFifth, { deadlineMs: silentMs });
    return id;
  });
  const id = await hasBegun.catch(() => undefined);
  if (id === undefined || !(await operate(context, id, "suspend", false)).accepted) return undefined;
  await atRest(context, id);
  return id;
}
