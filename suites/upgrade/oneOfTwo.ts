// Actions on one of two downloads that run at the same time.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { UpgradeAction } from "../../interface/resources/upgrade.ts";
import { serve } from "./contents.ts";
import { begun, download, findJob, operate, outOf, sharedByJobs } from "./downloads.ts";
import { isSuspended } from "../../interface/states.ts";

const slow = { sizeBytes: 2 * 1024 * 1024, chunkPauseMs: 60, failures: 0 };
const actions: readonly UpgradeAction[] = ["suspend", "resume", "cancel"];
/** States into which only an action on the job itself leads. */
const acted = /^(?:supp|resum|cancel)/;

export const oneOfTwoCases: readonly TestCase[] = [
  testCase({
    ...sharedByJobs,
    id: "upgrade/actions-on-one-of-two",
    title: "Actions on one running download leave another one running",
    requirements: ["CORE-UPGRADE-73"],
    async run(context) {
      for (const order of ["started second", "started first"] as const) await actsOnOne(context, order);
    },
  }),
];

/** Starts two downloads, and acts on one of them: the other continues. */
async function actsOnOne(context: CaseContext, which: "started first" | "started second"): Promise<void> {
  const { profile, verify, notApplicable } = context;
  await using ofFirst = await serve(context, slow);
  await using ofSecond = await serve(context, slow);
  const first = await download(context, ofFirst);
  await begun(context, ofFirst, first.id);
  const second = await download(context, ofSecond);
  const isBegun = await begun(context, ofSecond, second.id).then(
    () => true,
    () => false,
  );
  // How many downloads run at a time is not stated.
  if (
    !isBegun ||
    (await outOf(context, first.id, [first.state], profile.patience.settleMs)).state !== "running"
  )
    notApplicable("the gateway does not run two downloads at the same time");
  const [acting, other, server] =
    which === "started second" ? [second, first, ofFirst] : [first, second, ofSecond];
  if (!(await resumesOne(context, acting.id, other.id)))
    return verify("CORE-UPGRADE-73").notApplicable(
      `two downloads that were suspended, with the one acted on ${which}`,
      "they do not run again both after they were resumed",
    );
  for (const action of actions) {
    const answer = await operate(context, acting.id, action);
    const { state } = await findJob(context, other.id);
    const after = `after the action ${action} on another, which was ${which}`;
    verify("CORE-UPGRADE-73").that(!acted.test(state), {
      what: `\`state\` of a running job ${after}`,
      expected: "running, or ended by itself",
      observed: state,
      evidence: answer,
    });
    if (state !== "running") continue;
    const fromBytes = server.sentBytes;
    const continues = (): true | undefined =>
      server.completed > 0 || server.sentBytes >= fromBytes + 4 * server.chunkBytes ? true : undefined;
    const wait = { deadlineMs: profile.patience.settleMs };
    const isContinued = await context
      .waitFor("more of the file to be read", continues, wait)
      .catch(() => false);
    verify("CORE-UPGRADE-73").that(isContinued === true, {
      what: `download of a running job ${after}`,
      expected: "it continues",
      observed: isContinued === true ? "it continues" : `it stands still after ${server.sentBytes} bytes`,
      evidence: answer,
    });
  }
}

/** Suspends both and resumes one of them, then the other; answers whether both run again. */
async function resumesOne(context: CaseContext, acting: number, other: number): Promise<boolean> {
  const { profile, verify, waitFor } = context;
  const reaches = (id: number, what: string, isReached: (state: string) => boolean): Promise<boolean> =>
    waitFor(
      `job ${id} to be ${what}`,
      async () => isReached((await findJob(context, id)).state) || undefined,
      { deadlineMs: profile.patience.settleMs },
    ).catch(() => false);
  const runs = (id: number): Promise<boolean> => reaches(id, "running", (state) => state === "running");
  for (const id of [acting, other])
    if (!(await operate(context, id, "suspend")).accepted || !(await reaches(id, "suspended", isSuspended)))
      return true;
  const { state: expected } = await findJob(context, other);
  const answer = await operate(context, acting, "resume");
  if (!answer.accepted || !(await runs(acting))) return false;
  const { state } = await findJob(context, other);
  verify("CORE-UPGRADE-73").equal(
    state,
    expected,
    "`state` of a suspended job after another was resumed",
    answer,
  );
  return (await operate(context, other, "resume")).accepted && (await runs(other));
}
