// Members of upgrade jobs by state: instants that are set, and those that cannot be yet.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import type { UpgradeJob, UpgradeTask } from "../../interface/resources/upgrade.ts";
import { byId } from "../users/accounts.ts";
import { isInteger } from "../../record/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { suspendedNames } from "../../interface/states.ts";

/** Clock difference between gateway and harness that no check is about. */
const clockSlackMs = 5 * 60_000;
/** Instants before this are placeholders for unset ones. */
const earliestMs = Date.UTC(2000, 0, 1);

/** Difference that may come from instants shown in whole seconds. */
const roundingMs = 1000;
/** States in which a task is not completed, whatever else a gateway may show. */
export const unfinished: ReadonlySet<string> = new Set([
  "created",
  "pending",
  "running",
  "suppending",
  "suspending",
  "resuming",
  ...suspendedNames,
]);

const jobInstants = [
  ["createdAt", "CORE-UPGRADE-30"],
  ["pendingAt", "CORE-UPGRADE-31"],
  ["startedAt", "CORE-UPGRADE-32"],
  ["completedAt", "CORE-UPGRADE-33"],
  ["triggerdAt", "CORE-UPGRADE-34"],
] as const;
const taskInstants = [
  ["startedAt", "CORE-UPGRADE-45"],
  ["completedAt", "CORE-UPGRADE-46"],
] as const;

/** The requirements that `verifyViews` decides. */
export const viewRequirements = ["CORE-UPGRADE-49", "CORE-UPGRADE-56"] as const;
/** The requirements that `verifyCounts` decides. */
export const countRequirements = ["CORE-UPGRADE-35", "CORE-UPGRADE-36"] as const;
/** The requirements that `verifyNew` decides. */
export const newJobRequirements = [
  "CORE-UPGRADE-32",
  "CORE-UPGRADE-33",
  "CORE-UPGRADE-45",
  "CORE-UPGRADE-46",
] as const;
const runningRequirements = ["CORE-UPGRADE-36", "CORE-UPGRADE-43"] as const;
/** The requirements that `verifyInstants` and `verifyRunning` decide. */
export const memberRequirements: readonly string[] = [
  ...[...jobInstants, ...taskInstants].map(([, requirement]) => requirement),
  ...runningRequirements,
];

/** The instant in milliseconds since the epoch; undefined for null and for a placeholder. */
export function instantOf(text: string | null | undefined): number | undefined {
  const ms = text === null || text === undefined ? Number.NaN : epochMsOf(text);
  return ms > earliestMs ? ms : undefined;
}

/** Checks that every instant that is set lies between the creation of the job in this case and now. */
export function verifyInstants(
  { verify }: CaseContext,
  job: UpgradeJob,
  { fromMs, nowMs, phase }: { fromMs: number; nowMs: number; phase: string },
): void {
  const check = (requirement: string, what: string, text: string | null): void => {
    const ms = instantOf(text);
    verify(requirement).that(ms === undefined || (ms > fromMs - clockSlackMs && ms < nowMs + clockSlackMs), {
      what: `${what} ${phase}`,
      expected: `null, or within ${clockSlackMs / 60_000} minutes of ${new Date(nowMs).toISOString()}`,
      observed: text,
    });
  };
  const inOrder = (
    requirement: string,
    { startedAt, completedAt }: Pick<UpgradeTask, "startedAt" | "completedAt">,
    what: string,
  ): void => {
    const endMs = instantOf(completedAt) ?? Number.POSITIVE_INFINITY;
    // An end in whole seconds may stand before a start with a fraction.
    const stepMs = endMs % 1000 === 0 ? 1000 : 1;
    verify(requirement).that(endMs > (instantOf(startedAt) ?? 0) - stepMs, {
      what: `\`completedAt\` ${what}`,
      expected: `not before startedAt, ${startedAt}`,
      observed: completedAt,
    });
  };
  const createdMs = instantOf(job.createdAt);
  for (const [name, requirement] of jobInstants) {
    check(requirement, `\`${name}\` of an upgrade job`, job[name]);
    const ms = instantOf(job[name]);
    if (createdMs === undefined || ms === undefined) continue;
    verify(requirement).that(ms >= createdMs - roundingMs, {
      what: `\`${name}\` of an upgrade job ${phase}`,
      expected: `not before createdAt, ${job.createdAt}`,
      observed: job[name],
    });
  }
  inOrder("CORE-UPGRADE-33", job, `of an upgrade job ${phase}`);
  for (const task of job.tasks) {
    for (const [name, requirement] of taskInstants)
      check(requirement, `\`${name}\` of a download task`, task[name]);
    inOrder("CORE-UPGRADE-46", task, `of a download task ${phase}`);
  }
}

/** Checks that a job that was created and not started shows no instant of its start or its end. */
export function verifyNew(
  { verify }: Pick<CaseContext, "verify">,
  job: UpgradeJob | undefined,
  view: string,
): void {
  if (job === undefined || job.state !== "created" || job.lastState !== "") return;
  const check = (requirement: string, what: string, text: string | null): void =>
    void verify(requirement).equal(instantOf(text), undefined, `instant in ${what} of a new job in ${view}`);
  check("CORE-UPGRADE-32", "`startedAt`", job.startedAt);
  check("CORE-UPGRADE-33", "`completedAt`", job.completedAt);
  for (const task of job.tasks.filter(({ state }) => state === "created")) {
    check("CORE-UPGRADE-45", "`startedAt` of a task", task.startedAt);
    check("CORE-UPGRADE-46", "`completedAt` of a task", task.completedAt);
  }
}

/** Checks the counts of tasks against the tasks shown; tasks that a gateway adds later may be counted already. */
export function verifyCounts(
  { verify }: Pick<CaseContext, "verify">,
  job: UpgradeJob | undefined,
  view: string,
): void {
  if (job === undefined) return;
  const { tasks, totalTask, completedTask } = job;
  verify("CORE-UPGRADE-35").that(totalTask >= tasks.length, {
    what: `\`totalTask\` in ${view}`,
    expected: `at least ${tasks.length}, the number of tasks shown`,
    observed: totalTask,
  });
  const most = totalTask - tasks.filter(({ state }) => unfinished.has(state)).length;
  verify("CORE-UPGRADE-36").that(completedTask >= 0 && completedTask <= most, {
    what: `\`completedTask\` in ${view}, with tasks in the states ${tasks.map(({ state }) => state).join()}`,
    expected: `at most ${most}`,
    observed: completedTask,
  });
}

/** The members of a job that no action changes. */
export function fixedMembers({
  id,
  owner,
  parameter: { at, download, id: source, install, snapshot },
}: UpgradeJob): object {
  return { id, owner, parameter: { at, download, id: source, install, snapshot } };
}

/** The download among the tasks of a job: how many it has, and in which order, is not stated. */
export const downloadTask = ({ tasks }: UpgradeJob): UpgradeTask | undefined =>
  tasks.find(({ type }) => type === "download") ?? tasks[0];

/** Whether a task is shown as started: a job may show that later than its transfer begins. */
export const hasStarted = (job: UpgradeJob | undefined): boolean =>
  job?.tasks.some(({ state }) => state !== "created") ?? false;

/** Checks the members of a job read while its file was being sent; not applicable where no reading came in time. */
export function verifyRunning({ verify }: CaseContext, job: UpgradeJob | undefined): void {
  if (job === undefined) {
    for (const requirement of [...runningRequirements, "CORE-UPGRADE-33", "CORE-UPGRADE-46"])
      verify(requirement).notApplicable(
        "members of a job during the transfer of its file",
        "the transfer ended before the job was read",
      );
    return;
  }
  const phase = "while its file is being transferred";
  verify("CORE-UPGRADE-33").equal(
    instantOf(job.completedAt),
    undefined,
    `instant in \`completedAt\` of a job ${phase}`,
  );
  verify("CORE-UPGRADE-36").that(job.completedTask < job.totalTask, {
    what: `\`completedTask\` of a job ${phase}`,
    expected: `less than totalTask (${job.totalTask})`,
    observed: job.completedTask,
  });
  const downloads = job.tasks.filter(({ type }) => type === "download");
  if (!downloads.some(({ state }) => state !== "created"))
    verify("CORE-UPGRADE-43").notApplicable(
      `\`speed\` of a task ${phase}`,
      "no task of the type download is shown as started",
    );
  for (const { completedAt, speed, state } of downloads) {
    verify("CORE-UPGRADE-46").equal(
      instantOf(completedAt),
      undefined,
      `instant in \`completedAt\` of a task ${phase}`,
    );
    if (state === "created") continue;
    // Whether `speed` remains on a task that has ended is not stated.
    verify("CORE-UPGRADE-43").that(isInteger(speed), {
      what: `\`speed\` of a task ${phase}`,
      expected: "an integer",
      observed: speed ?? "absent",
    });
  }
}

/** The parameter without members that the interface does not list. */
export function listedParameter({ parameter }: UpgradeJob): object {
  const { at, deleteFileAfterInstallComplete, download, id, install, snapshot } = parameter;
  return { at, deleteFileAfterInstallComplete, download, id, install, snapshot };
}

function taskFacts(task: UpgradeTask): object {
  const { id, name, type, state, progress, speed, totalSize } = task;
  const instants = taskInstants.map(([member]) => [member, instantOf(task[member])]);
  return { id, name, type, state, progress, speed, totalSize, ...Object.fromEntries(instants) };
}

/** The members of a job, with its tasks; instants in milliseconds. */
function lastingFacts(job: UpgradeJob | undefined): object {
  if (job === undefined) return { id: "absent" };
  const { id, owner, state, isDeleted, totalTask, completedTask } = job;
  return {
    id,
    owner,
    state,
    isDeleted,
    totalTask,
    completedTask,
    parameter: listedParameter(job),
    ...Object.fromEntries(jobInstants.map(([name]) => [name, instantOf(job[name])])),
    // Their order is not stated.
    tasks: byId(job.tasks).map(taskFacts),
  };
}

/**
 * Checks that List upgrade jobs shows a job as Find upgrade job by ID does, while the job stands still; how soon a list
 * follows is not stated.
 */
export async function verifyViews(
  { gateway: { admin }, profile, verify, waitFor }: CaseContext,
  id: number,
  phase: string,
): Promise<void> {
  const find = async (): Promise<UpgradeJob> => (await admin.call("getUpgradeJob", { path: { id } })).data();
  const readAll = async () => {
    const before = await find();
    const list = await admin.call("listUpgradeJobs");
    const after = await find();
    const isMoving =
      before.lastState !== after.lastState || !sameValue(lastingFacts(before), lastingFacts(after));
    return { list, listed: list.data().find((job) => job.id === id), after, isMoving };
  };
  let seen = await readAll();
  const hasFollowed = ({ listed, after }: typeof seen): boolean =>
    listed?.lastState === after.lastState && sameValue(lastingFacts(listed), lastingFacts(after));
  const isDecided = async (): Promise<true | undefined> => {
    if (seen.isMoving || hasFollowed(seen)) return true;
    seen = await readAll();
    return undefined;
  };
  await waitFor(`job ${id} in List upgrade jobs as it is found`, isDecided, {
    deadlineMs: profile.patience.settleMs,
  }).catch(() => undefined);
  const { list, listed, after, isMoving } = seen;
  if (isMoving) {
    for (const requirement of viewRequirements)
      verify(requirement).notApplicable(`views of a job ${phase}`, "the job changed between two readings");
    return;
  }
  verify("CORE-UPGRADE-49").equal(
    lastingFacts(listed),
    lastingFacts(after),
    `job ${phase} in List upgrade jobs, compared with Find upgrade job by ID`,
    list,
  );
  verify("CORE-UPGRADE-56").equal(
    { lastState: listed?.lastState },
    { lastState: after.lastState },
    `\`lastState\` of a job ${phase} in List upgrade jobs, compared with Find upgrade job by ID`,
    list,
  );
}
