// States of one upgrade job as they pass, with its `lastState` after each, and its end.
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { isPassing } from "../../interface/states.ts";
import { instantOf, unfinished } from "./jobMembers.ts";

/** Whether all tasks of the job are completed. */
export const isDone = (job: UpgradeJob | undefined): boolean =>
  job !== undefined && job.totalTask > 0 && job.completedTask === job.totalTask;

/** A job that ends without its tasks shows that in its state; the interface does not list these words. */
export const hasEnded = (job: UpgradeJob): boolean =>
  isDone(job) || /fail|cancel|error|abort/i.test(job.state);

/** A state that only an end can have, in the words of the interface and its published documents, and in usual ones. */
const ending = /fail|cancel|error|abort|succe|complete|done|finish/i;

/**
 * Whether the job has come to its end. The interface does not list the states: one of another name may pass, and its instant
 * of completion or its tasks show the end.
 */
export const isOver = (job: UpgradeJob): boolean =>
  !unfinished.has(job.state) &&
  (ending.test(job.state) || isDone(job) || instantOf(job.completedAt) !== undefined);

/** Whether it ended without its tasks, and its state does not show a success; the words for a failure are not stated. */
export const hasFailed = (job: UpgradeJob): boolean =>
  isOver(job) && !isDone(job) && !/succe|complete|done|finish/i.test(job.state);

/** Whether it ended with success, by what its state says. */
export const hasSucceeded = (job: UpgradeJob): boolean =>
  isOver(job) && !/fail|cancel|error|abort/i.test(job.state);

/** A job ends within this time after its last task, where its state shows its end. */
const endMs = 2000;

/**
 * Compares `lastState` at each change of state between readings of one job. A state between two readings may be too short
 * to observe; one that the job had left before the last reading is not its previous state. Whether one that passes by
 * itself counts is not stated: `lastState` may skip it. For readings between which a job passes no state twice; `left`:
 * states that it had left before the first of them.
 */
export function followStates(
  { verify }: Pick<CaseContext, "verify">,
  left: readonly string[] = [],
): (job: UpgradeJob) => void {
  const passed = [...left];
  let before: string | undefined;
  return ({ state, lastState }) => {
    if (before !== undefined && state !== before) {
      const stayed = isPassing(before) ? passed.findLast((one) => !isPassing(one)) : before;
      const others = passed.filter((one) => one !== before && one !== stayed);
      verify("CORE-UPGRADE-56").that(!["", state, ...others].includes(lastState), {
        what: `\`lastState\` of a job in the state ${state}, observed in the state ${before} before`,
        expected: `${stayed === before ? before : `${before}, ${stayed}`}, or an intermediate state after it`,
        observed: lastState,
      });
    }
    if (state !== before) passed.push(state);
    before = state;
  };
}

/** The job after its tasks are completed, in the state of its end where it shows one. */
export async function endedJob({ gateway, waitFor }: CaseContext, job: UpgradeJob): Promise<UpgradeJob> {
  let last = job;
  const isEnded = async (): Promise<true | undefined> => {
    last = (await gateway.admin.call("getUpgradeJob", { path: { id: job.id } })).data();
    return isOver(last) || undefined;
  };
  if (!isOver(job))
    await waitFor("the end of the job", isEnded, { deadlineMs: endMs }).catch(() => undefined);
  return last;
}
