// The package that the profile names is installed by a job, whatever its format is.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { isInteger } from "../../record/index.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { watchRecorded } from "../support/recordedEvents.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { begun, cancelLater, findJob, operate, selfStartMs, serveFile } from "./downloads.ts";
import { countRequirements, instantOf, verifyCounts, verifyViews, viewRequirements } from "./jobMembers.ts";
import { hasEnded, isDone } from "./jobStates.ts";
import { endOf, restartedLate, systemsOf } from "./systems.ts";
import { suspendedNames } from "../../interface/states.ts";

/** Bytes of a package that is sent as a file. */
const largestInRecord = 8 * 1024 * 1024;
/** So many apps are read one by one after an installation. */
const mostApps = 20;

/** Version of each app by its name. */
async function versionsOf({ gateway, declares }: CaseContext): Promise<Record<string, string>> {
  if (!declares("apps")) return {};
  const apps = (await gateway.admin.call("listApps")).data();
  return Object.fromEntries(apps.map(({ name, version }) => [name, version]));
}

/** Every app as one, too: what an installation leaves has the stated shape in both. */
async function readApps({ gateway, declares }: CaseContext): Promise<void> {
  if (!declares("apps")) return;
  const apps = (await gateway.admin.call("listApps")).data();
  for (const { name } of apps.slice(0, mostApps))
    await gateway.admin.call("getApp", { path: { appname: name } });
}

interface Package {
  readonly fileName: string;
  readonly load: () => Promise<Buffer>;
}

/** The package file of the profile, or the one of the running system where it declares the packages of two. */
async function packageOf(context: CaseContext): Promise<Package> {
  const { packageFile: file, packages } = context.profile.upgrade;
  if (file !== undefined) return { fileName: basename(file), load: () => readFile(file) };
  if (packages === undefined) return context.notApplicable("the profile declares no upgrade.packageFile");
  const { load } = (await systemsOf(context)).present;
  return { fileName: "rackproof-system.bin", load };
}

/** The job of the package, to its end: loaded from a server, and installed where wished. */
async function run(context: CaseContext, wanted: Package, install: boolean): Promise<UpgradeJob | undefined> {
  await using server = await serveFile(context, { ...wanted, sizeBytes: 0, chunkPauseMs: 0, failures: 0 });
  const json = { url: server.url, download: true, install };
  const job = (await context.gateway.admin.call("createUpgradeJob", { json })).data();
  cancelLater(context, job);
  await begun(context, server, job.id);
  return await endOf(context, job.id, withSpeed(context));
}

/** A speed is measured from a first part of the task on. */
const firstSpeedMs = 1000;

/** Whether the job has ended; checks the tasks that were started a while ago and have not ended yet. */
function withSpeed({ clock, verify }: CaseContext): typeof hasEnded {
  const lackingSince = new Map<number, number>();
  return (job) => {
    for (const { id, type, startedAt, completedAt, speed, state } of job.tasks) {
      if (instantOf(startedAt) === undefined || instantOf(completedAt) !== undefined || hasEnded(job))
        continue;
      const sinceMs = lackingSince.get(id) ?? clock.nowMs();
      lackingSince.set(id, sinceMs);
      if (isInteger(speed) || clock.nowMs() - sinceMs >= firstSpeedMs)
        verify("CORE-UPGRADE-43").that(isInteger(speed), {
          what: `\`speed\` of a started task of the type ${type} in the state ${state}`,
          expected: "an integer",
          observed: speed ?? "absent",
        });
    }
    return hasEnded(job);
  };
}

/** A job of the package sent as a file. */
interface UploadedJob {
  readonly id: number;
  /** False where the job waits for its start. */
  readonly hasBegun: boolean;
}

/** Creates the job of the package sent as a file; undefined where the gateway takes no such file. */
async function upload(context: CaseContext, { fileName, load }: Package): Promise<UploadedJob | undefined> {
  const { gateway, waitFor, note, outside, verify } = context;
  // It stays in the record, which a replay sends again.
  const text = await outside.ask("package", async () => {
    const content = await load();
    return content.length > largestInRecord ? undefined : content.toString("base64");
  });
  if (text === undefined) {
    note(`the package has more than ${largestInRecord} bytes and is not sent as a file`);
    return undefined;
  }
  const form = { file: { fileName, content: Buffer.from(text, "base64") }, install: true };
  const created = await gateway.admin.call("createUpgradeJob", { form });
  if (!created.accepted) {
    note(`the package as an uploaded file is rejected: ${created.summary()}`);
    return undefined;
  }
  const { id, parameter } = created.data();
  cancelLater(context, created.data());
  verify("CORE-UPGRADE-52").equal(
    parameter.deleteFileAfterInstallComplete,
    true,
    "`parameter.deleteFileAfterInstallComplete` of a job created from a file without it",
    created,
  );
  const begins = async (): Promise<true | undefined> => {
    const answer = await gateway.admin.call("getUpgradeJob", { path: { id } });
    return answer.accepted && answer.data().state === "created" ? undefined : true;
  };
  const hasBegun = await waitFor("start of the job", begins, { deadlineMs: selfStartMs }).catch(() => false);
  return { id, hasBegun };
}

/** What continues a job that a restart of the gateway has interrupted, by the state that it shows then. */
const continuing: Readonly<Record<string, "start" | "resume">> = {
  created: "start",
  ...Object.fromEntries(suspendedNames.map((name) => [name, "resume"] as const)),
};

/** The end of a job that follows an installation, which may have ordered a restart of the gateway. */
async function endAfterInstallation(
  context: CaseContext,
  id: number,
): Promise<{ job: UpgradeJob | undefined; wasCut: boolean }> {
  const ended = withSpeed(context);
  let wasCut = false;
  const stopped = (job: UpgradeJob): boolean => ended(job) || (wasCut && job.state in continuing);
  const job = await endOf(context, id, stopped, () => {
    wasCut = true;
  });
  const action = wasCut ? continuing[job?.state ?? ""] : undefined;
  if (action === undefined) return { job, wasCut };
  await operate(context, id, action, false);
  return { job: await endOf(context, id, ended), wasCut };
}

export const packageCases: readonly TestCase[] = [
  testCase({
    id: "upgrade/package-is-installed",
    title: "A job with `install` installs the package of the profile, one without it does not",
    group: "upgrade",
    requirements: [
      "CORE-UPGRADE-43",
      "CORE-UPGRADE-51",
      "CORE-UPGRADE-52",
      "CORE-UPGRADE-57",
      "CORE-UPGRADE-68",
      "CORE-UPGRADE-86",
      "CORE-EVENT-68",
      "CORE-UPGRADE-87",
      ...countRequirements,
      ...viewRequirements,
    ],
    effect: "changes-firmware",
    touches: ["everything"],
    capabilities: ["upgrade", "upgrade-jobs"],
    tags: ["firmware"],
    deadlineMs: 600_000,
    async run(context) {
      notOnSmoke(context);
      const { gateway, verify, note } = context;
      const wanted = await packageOf(context);
      verify("CORE-UPGRADE-43").notApplicable("`speed` of a started task", "no task was read while it ran");
      const before = await versionsOf(context);
      verify("CORE-UPGRADE-52").notApplicable("a default of a job with a file", "no file was sent");
      const loaded = await run(context, wanted, false);
      verify("CORE-UPGRADE-57").equal(isDone(loaded), true, "completion of a job that downloads the package");
      verify("CORE-UPGRADE-68").equal(
        await versionsOf(context),
        before,
        "versions of the apps after a job with `install` false",
      );
      // Before the other installation, which may remove its own file of the same name only.
      const uploaded = await upload(context, wanted);
      const whatOfUploaded = "completion of a job with the package as a file";
      if (uploaded?.hasBegun === true)
        verify("CORE-UPGRADE-68").equal(
          isDone(await endOf(context, uploaded.id, withSpeed(context))),
          true,
          whatOfUploaded,
        );
      const installations = await watchRecorded(context, "software installation completed");
      await using watch = await gateway.watchForRestart();
      const installed = await run(context, wanted, true);
      verify("CORE-UPGRADE-68").equal(
        isDone(installed),
        true,
        "completion of a job that installs the package",
      );
      if (installed === undefined) return;
      await restartedLate(context, watch);
      verify("CORE-UPGRADE-51").equal(installed.parameter.install, true, "`parameter.install` of that job");
      verifyCounts(context, installed, "a job that installed a package");
      await verifyViews(context, installed.id, "after the installation");
      await installations.verify("CORE-UPGRADE-86", "the installation of the package");
      await readApps(context);
      const what = "`isDeleted` of a job that was started with `deleteFileAfterInstallComplete` false";
      if (uploaded?.hasBegun === false) {
        await operate(context, uploaded.id, "start", false);
        const { job, wasCut } = await endAfterInstallation(context, uploaded.id);
        if (wasCut && !isDone(job))
          verify("CORE-UPGRADE-68").notApplicable(whatOfUploaded, "the gateway restarted during it");
        else verify("CORE-UPGRADE-68").equal(isDone(job), true, whatOfUploaded);
        const isDeleted = async (id: number): Promise<boolean> => (await findJob(context, id)).isDeleted;
        // Only where a job of the default shows its file as deleted does the member tell.
        if (isDone(job) && (await isDeleted(installed.id)))
          verify("CORE-UPGRADE-87").equal(await isDeleted(uploaded.id), false, what);
        else
          verify("CORE-UPGRADE-87").notApplicable(what, "jobs do not show whether their files are deleted");
      } else
        verify("CORE-UPGRADE-87").notApplicable(
          what,
          "no job with the package as a file waits for its start",
        );
      note(`the package ${wanted.fileName} stays installed`);
    },
  }),
];
