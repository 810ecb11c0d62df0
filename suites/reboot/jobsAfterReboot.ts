// Upgrade jobs across a reboot: one that is followed by others, a suspended one, and the progress of completed downloads.
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { laterReading } from "../support/createdThings.ts";
import { notDeclared } from "../support/persisted.ts";
import { createWaitingJob } from "../support/waitingJobs.ts";
import { byId } from "../users/accounts.ts";
import { operate } from "../upgrade/downloads.ts";
import { instantOf } from "../upgrade/jobMembers.ts";
import { isSuspended } from "../../interface/states.ts";

const requirements = ["CORE-UPGRADE-59", "CORE-UPGRADE-66"] as const;

/** A job that is not suspended by then is compared as it is. */
const suspendedWithinMs = 300;

const list = async ({ gateway }: CaseContext): Promise<readonly UpgradeJob[]> =>
  byId((await gateway.admin.call("listUpgradeJobs")).data());

/** What no reboot changes; whether it changes the state is not stated. */
const facts = ({ id, owner, createdAt, parameter: { download, install, snapshot } }: UpgradeJob): object => ({
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
  const before = await list(context);
  const expected = before.filter(({ id }) => ids.includes(id)).map(facts);
  const read = async (): Promise<object[]> =>
    (await list(context)).filter(({ id }) => ids.includes(id)).map(facts);
  return async () => {
    const states = before.filter(({ id }) => ids.includes(id)).map(({ state }) => state);
    verify("CORE-UPGRADE-66").equal(
      await laterReading(context, { kind: "upgrade job", what, expected, read }),
      expected,
      `owner, parameters and \`createdAt\` of jobs after the reboot that were in the states ${states.join(", ")}`,
    );
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

/** Starts and suspends the job, whose server does not answer; which actions a gateway takes is not stated. */
async function suspend(context: CaseContext, id: number): Promise<void> {
  if (!(await operate(context, id, "start", false)).accepted) return;
  if (!(await operate(context, id, "suspend", false)).accepted) return;
  const isAtRest = async (): Promise<true | undefined> =>
    (await list(context)).some((job) => job.id === id && isSuspended(job.state)) || undefined;
  await context
    .waitFor("the suspended state", isAtRest, { deadlineMs: suspendedWithinMs })
    .catch(() => undefined);
}
