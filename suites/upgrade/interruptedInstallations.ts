// Cancel, suspend and resume in each step of an upgrade. Until which step they are possible is open: an accepted one has
// its effect, and after a rejected one the upgrade continues.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { onlyForCertification } from "../support/smoke.ts";
import { findJob, operate, settleMs } from "./downloads.ts";
import {
  endOf,
  install,
  type Installation,
  sharedByInstallations,
  type System,
  systemsOf,
  versionAfter,
} from "./systems.ts";

type Step = "download" | "write" | "switch";
const steps: readonly Step[] = ["download", "write", "switch"];
/** After the download, where the written part is not shown. */
const writeMs = 60;
const switchMs = 420;
const watchMs = 2500;

/** Waits until the installation is in the step. */
async function reach(context: CaseContext, { server }: Installation, step: Step): Promise<void> {
  const { waitFor, clock, signal, random } = context;
  const isReached = (): true | undefined =>
    (step === "download" ? server.sentBytes > 100_000 : server.completed > 0) || undefined;
  await waitFor(`the ${step}`, isReached, { deadlineMs: settleMs, everyMs: 5 });
  if (step !== "download")
    await clock.delay(random.integer(0, 80) + (step === "write" ? writeMs : switchMs), signal);
}

/** What the answer to a cancel or suspend says; a switch to the other version may leave it unanswered. */
async function reactionTo(
  context: CaseContext,
  { job }: Installation,
  action: "cancel" | "suspend",
): Promise<"an accepted" | "a rejected" | "an unanswered"> {
  const answer = await operate(context, job.id, action).catch(() => undefined);
  if (answer === undefined || answer.status === 0) return "an unanswered";
  return answer.accepted ? "an accepted" : "a rejected";
}

/** The job's state at its end and the version then. */
async function outcome(
  context: CaseContext,
  { job }: Installation,
  [present, target]: readonly [System, System],
): Promise<{ readonly state: string | undefined; readonly version: string | undefined }> {
  const ended = await endOf(context, job.id);
  const expected = ended?.state === "succeed" ? target : present;
  return { state: ended?.state, version: await versionAfter(context, expected.version) };
}

export const interruptedInstallationCases: readonly TestCase[] = [
  testCase({
    ...sharedByInstallations,
    id: "upgrade/interrupted-installations",
    title: "Installations can be canceled without effect, and suspended and resumed to the end",
    requirements: ["CORE-UPGRADE-79", "CORE-UPGRADE-80"],
    async run(context) {
      onlyForCertification(context);
      const { verify, clock, signal } = context;
      let { present, other } = await systemsOf(context);
      const swapAfter = ({ state }: { readonly state: string | undefined }): void => {
        if (state === "succeed") [present, other] = [other, present];
      };
      for (const step of steps) {
        await using canceled = await install(context, other);
        await reach(context, canceled, step);
        const reaction = await reactionTo(context, canceled, "cancel");
        if (reaction === "an accepted") await clock.delay(watchMs, signal);
        const afterCancel = await outcome(context, canceled, [present, other]);
        // Without an answer both ends are open; the version must be that of the end.
        const isCanceled =
          reaction === "an unanswered" ? afterCancel.state !== "succeed" : reaction === "an accepted";
        verify("CORE-UPGRADE-79").equal(
          afterCancel,
          isCanceled
            ? { state: "canceled", version: present.version }
            : { state: "succeed", version: other.version },
          `\`state\` of the job, and version, after ${reaction} cancel during the ${step}`,
        );
        swapAfter(afterCancel);
        await using suspended = await install(context, other);
        await reach(context, suspended, step);
        if ((await reactionTo(context, suspended, "suspend")) === "an accepted") {
          await clock.delay(300, signal);
          const { state } = await findJob(context, suspended.job.id);
          verify("CORE-UPGRADE-80").equal(state === "succeed", false, "end of a suspended installation");
          verify("CORE-UPGRADE-80").accepted(await operate(context, suspended.job.id, "resume"));
        }
        const afterResume = await outcome(context, suspended, [present, other]);
        verify("CORE-UPGRADE-80").equal(
          afterResume,
          { state: "succeed", version: other.version },
          `\`state\` of the job, and version, after suspend and resume during the ${step}`,
        );
        swapAfter(afterResume);
      }
    },
  }),
];
