// Every action in every state that an upgrade job reaches. The interface does not show which action is possible in which
// state: an accepted one returns the job, and a rejected one changes no job.
import { allEnded, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { type UpgradeAction, upgradeActions, type UpgradeJob } from "../../interface/resources/upgrade.ts";
import { isPassing, isSuspended, suspendedNames, upgradeActionsByState } from "../../interface/states.ts";
import { likeIds } from "../users/accounts.ts";
import { runFacts } from "../support/runFacts.ts";
import type { UpgradeServer } from "../support/upgradeServer.ts";
import { serve } from "./contents.ts";
import { begun, cancelLater, download, findJob, operate, outOf } from "./downloads.ts";
import { fixedMembers, listedParameter } from "./jobMembers.ts";
import { isOver } from "./jobStates.ts";

const settleMs = 5000;
/** Longer than the walk through the states of a running job. */
const slow = { sizeBytes: 8 * 1024 * 1024, chunkPauseMs: 40, failures: 0 };
const small = { sizeBytes: 2048, chunkPauseMs: 0, failures: 0 };
const failing = { ...small, failures: 1000 };
const mostSteps = 16;
/** Time in which a job shows another state after an accepted action, where it gets one. */
const shownMs = 2000;

/** The job as soon as its state fits, at the latest after some seconds. */
async function settled(
  context: CaseContext,
  id: number,
  fits: (state: string) => boolean = (state) => !isPassing(state),
): Promise<UpgradeJob> {
  let last = await findJob(context, id);
  if (fits(last.state)) return last;
  const isSettled = async (): Promise<true | undefined> => {
    last = await findJob(context, id);
    return fits(last.state) || undefined;
  };
  await context.waitFor("another state", isSettled, { deadlineMs: settleMs }).catch(() => undefined);
  return last;
}

/** Actions that move a job, in the order in which one job passes through most states. */
const moving: readonly UpgradeAction[] = ["suspend", "cancel", "resume", "start"];

/** Actions that the published state table lacks come first: they usually leave the job in its state. */
function nextAction(state: string, tried: ReadonlySet<string>): UpgradeAction | undefined {
  const usual = Object.entries(upgradeActionsByState).find(([name]) => name === state)?.[1] ?? [];
  const rank = (action: UpgradeAction): number => (usual.includes(action) ? 1 + moving.indexOf(action) : 0);
  return upgradeActions
    .filter((action) => !tried.has(`${state} ${action}`))
    .toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Tries the actions, from state to state, until none is left. */
async function walk(context: CaseContext, id: number, tried = new Set<string>()): Promise<void> {
  const { verify } = context;
  let job = await settled(context, id);
  const fixed = fixedMembers(job);
  for (let step = 0; step < mostSteps; step++) {
    const action = nextAction(job.state, tried);
    if (action === undefined) return;
    const { state, lastState } = job;
    const hadEnded = isOver(job);
    tried.add(`${state} ${action}`);
    const answer = await operate(context, id, action, step % 2 === 0);
    verify("CORE-ROBUST-01").that(answer.accepted || (answer.status >= 400 && answer.status < 500), {
      what: `answer to ${action} of a job in the state ${state}`,
      expected: "2xx or 4xx",
      observed: answer.summary(),
      evidence: answer,
    });
    if (answer.accepted) await outOf(context, id, [state], shownMs);
    job = await settled(context, id);
    verify("CORE-UPGRADE-74").equal(
      fixedMembers(job),
      fixed,
      `\`owner\` and parameters after ${action} of a job in the state ${state}`,
      answer,
    );
    if (answer.accepted) {
      verify("CORE-UPGRADE-50").equal(
        answer.data().id,
        id,
        `\`id\` in the answer to ${action} of a job in the state ${state}`,
        answer,
      );
      // What a cancel does to a job that has ended is not shown.
      if (action === "cancel" && !hadEnded) {
        job = await settled(context, id, (now) => now === "canceled");
        verify("CORE-UPGRADE-55").equal(
          job.state,
          "canceled",
          `\`state\` after cancel of a job in the state ${state}`,
          answer,
        );
      }
      if (job.state !== state)
        verify("CORE-UPGRADE-56").that(
          !["", job.state, ...leftBefore(action, state)].includes(job.lastState),
          {
            what: `\`lastState\` of a job in the state ${job.state} after ${action} in the state ${state}`,
            expected: `${state}, or an intermediate state after it`,
            observed: job.lastState,
            evidence: answer,
          },
        );
    } else if (!isMoving(context, state))
      verify("CORE-ROBUST-03").equal(
        { state: job.state, lastState: job.lastState },
        { state, lastState },
        `\`state\` and \`lastState\` after a rejected ${action} of a job in the state ${state}`,
        answer,
      );
  }
}

/** States that a job in this one has left and does not enter again by cancel or suspend. */
function leftBefore(action: UpgradeAction, state: string): readonly string[] {
  if (action !== "cancel" && action !== "suspend") return [];
  if (isSuspended(state)) return ["created", "running"];
  return state === "running" ? ["created", ...suspendedNames] : [];
}

/** A running job may end by itself between two readings, and a created one begin where jobs start by themselves. */
function isMoving(context: CaseContext, state: string): boolean {
  const mayBegin = state === "created" && runFacts(context).startsJobsByItself !== false;
  return state === "running" || isPassing(state) || mayBegin;
}

export const jobActionCases: readonly TestCase[] = [
  testCase({
    id: "upgrade/actions-in-every-state",
    title: "Each action in each state returns the job, or is rejected without effect",
    group: "upgrade",
    requirements: [
      "CORE-UPGRADE-50",
      "CORE-UPGRADE-55",
      "CORE-UPGRADE-56",
      "CORE-UPGRADE-62",
      "CORE-UPGRADE-73",
      "CORE-UPGRADE-74",
      "CORE-ROBUST-01",
      "CORE-ROBUST-03",
    ],
    effect: "reversible",
    touches: ["upgrade-jobs", "upgrade-configuration"],
    capabilities: ["upgrade", "upgrade-jobs"],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, scratch, verify } = context;
      const { admin } = gateway;
      const { retryCount, retryInterval } = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("retry settings", () =>
        admin.call("updateUpgradeConfiguration", { json: { retryCount, retryInterval } }),
      );
      (await admin.call("updateUpgradeConfiguration", { json: { retryCount: 1, retryInterval: 1 } })).body();
      await using slowServer = await serve(context, slow);
      await using smallServer = await serve(context, small);
      await using failingServer = await serve(context, failing);
      // One that no action is about.
      const bystander = await idle(context, smallServer);
      const before = bystander && lasting(await findJob(context, bystander.id));
      const tried = new Set<string>();
      const from = async (job: UpgradeJob, ready: (state: string) => boolean): Promise<void> => {
        await settled(context, job.id, ready);
        await walk(context, job.id);
      };
      const running = await download(context, slowServer);
      const completed = await download(context, smallServer);
      const failed = await download(context, failingServer);
      const isOver = (state: string): boolean => /^(?:succeed|failed|canceled)$/.test(state);
      await allEnded([
        begun(context, slowServer, running.id).then(() => from(running, (state) => state === "running")),
        begun(context, smallServer, completed.id).then(() => from(completed, isOver)),
        begun(context, failingServer, failed.id).then(() => from(failed, isOver)),
      ]);
      for (let more = 0; more < 2; more++) {
        const waiting = await idle(context, smallServer);
        if (waiting !== undefined) await walk(context, waiting.id, tried);
      }
      await verifyLikeIds(context, bystander);
      if (bystander === undefined)
        verify("CORE-ROBUST-03").notApplicable("a waiting job", "no job of the gateway waits for its start");
      else
        verify("CORE-ROBUST-03").equal(
          lasting(await findJob(context, bystander.id)),
          before,
          "state and parameters of a waiting job after actions on other jobs",
        );
    },
  }),
];

/** Ids that are no ids of jobs, and that a gateway could take for the one of a waiting job. */
async function verifyLikeIds(context: CaseContext, waiting: UpgradeJob | undefined): Promise<void> {
  const { gateway, verify } = context;
  if (waiting === undefined) {
    for (const requirement of ["CORE-UPGRADE-62", "CORE-UPGRADE-73"])
      verify(requirement).notApplicable("ids like that of a waiting job", "no job waits for its start");
    return;
  }
  const before = lasting(await findJob(context, waiting.id));
  const { admin } = gateway;
  for (const id of likeIds((await admin.call("listUpgradeJobs")).data(), waiting.id)) {
    verify("CORE-UPGRADE-62").refused(await admin.callInvalid("getUpgradeJob", { path: { id } }));
    const query = { deleteFileAfterInstallComplete: true };
    const canceled = await admin.callInvalid("operateUpgradeJob", { path: { id, action: "cancel" }, query });
    verify("CORE-UPGRADE-62").refused(canceled);
    verify("CORE-UPGRADE-73").equal(
      lasting(await findJob(context, waiting.id)),
      before,
      `state and parameters of job ${waiting.id} after cancel of job ${id}`,
      canceled,
    );
  }
}

const lasting = (job: UpgradeJob): object => ({
  state: job.state,
  lastState: job.lastState,
  isDeleted: job.isDeleted,
  parameter: listedParameter(job),
});

/** A job that waits for its start; undefined where the gateway has none. */
async function idle(context: CaseContext, server: UpgradeServer): Promise<UpgradeJob | undefined> {
  if (runFacts(context).startsJobsByItself === false) return download(context, server);
  const answer = await context.gateway.admin.call("createUpgradeJob", {
    json: { url: server.url, download: false, install: false },
  });
  if (!answer.accepted) return undefined;
  const job = answer.data();
  cancelLater(context, job);
  return job;
}
