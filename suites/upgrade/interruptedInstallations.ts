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

/** The job's state at its end and the version then. */
async function outcome(
  context: CaseContext,
  { job }: Installation,
  [present, target]: readonly [System, System],
): Promise<object> {
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
      const swapAfter = (ended: object): void => {
        if ("state" in ended && ended.state === "succeed") [present, other] = [other, present];
      };
      for (const step of steps) {
        await using canceled = await install(context, other);
        await reach(context, canceled, step);
        const answer = await operate(context, canceled.job.id, "cancel").catch(() => undefined);
        const isTaken = answer?.accepted === true;
        if (isTaken) await clock.delay(watchMs, signal);
        const afterCancel = await outcome(context, canceled, [present, other]);
        verify("CORE-UPGRADE-79").equal(
          afterCancel,
          isTaken || answer === undefined || answer.status === 0
            ? { state: "canceled", version: present.version }
            : { state: "succeed", version: other.version },
          `\`state\` of the job, and version, after ${isTaken ? "an accepted" : "a rejected"} cancel during the ${step}`,
        );
        swapAfter(afterCancel);
        await using suspended = await install(context, other);
        await reach(context, suspended, step);
        const suspension = await operate(context, suspended.job.id, "suspend").catch(() => undefined);
        if (suspension?.accepted === true) {
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
