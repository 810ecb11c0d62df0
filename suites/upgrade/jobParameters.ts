// Every parameter of Create upgrade job with each of its values, as every view of the job shows it.
import type { Answer, CaseContext, Inputs, TestCase, Verify } from "../../harness/index.ts";
import { testCase } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { farMonth } from "../support/rebootSchedule.ts";
import { cancelLater, findJob, operate, settleMs } from "./downloads.ts";
import {
  countRequirements,
  newJobRequirements,
  verifyCounts,
  verifyNew,
  verifyViews,
  viewRequirements,
} from "./jobMembers.ts";
import { isOver } from "./jobStates.ts";
import { snapshotDefault } from "./snapshotDefault.ts";

type Body = NonNullable<Inputs<"createUpgradeJob">["json"]>;
interface Created {
  readonly job: UpgradeJob;
  readonly sent: Body;
  readonly expected: Body;
}
type Member = "download" | "install" | "deleteFileAfterInstallComplete" | "snapshot";

const requirementOf: Readonly<Record<Member, string>> = {
  download: "CORE-UPGRADE-51",
  install: "CORE-UPGRADE-51",
  deleteFileAfterInstallComplete: "CORE-UPGRADE-52",
  snapshot: "CORE-UPGRADE-53",
};
const members = Object.keys(requirementOf) as Member[];

/** Bodies beside `url`; the interface does not state that a job without a download is accepted. */
const bodies: readonly (Body & { readonly download?: boolean })[] = [
  { download: true, install: false, deleteFileAfterInstallComplete: false },
  { download: true, install: false, deleteFileAfterInstallComplete: true, snapshot: false },
  { download: true, install: true, deleteFileAfterInstallComplete: false, snapshot: false },
  { download: true, install: false, snapshot: true },
  { download: true },
  { download: false, install: false },
  { install: false },
];

export const jobParameterCases: readonly TestCase[] = [
  testCase({
    id: "upgrade/job-parameters-are-stored",
    title: "An upgrade job shows its parameters as sent in every view",
    group: "upgrade",
    requirements: [
      ...viewRequirements,
      "CORE-UPGRADE-29",
      "CORE-UPGRADE-51",
      "CORE-UPGRADE-52",
      "CORE-UPGRADE-53",
      "CORE-UPGRADE-58",
      ...countRequirements,
      ...newJobRequirements,
    ],
    effect: "reversible",
    touches: ["upgrade-jobs", "upgrade-configuration"],
    capabilities: ["upgrade", "upgrade-jobs"],
    async run(context) {
      const { clock, gateway, verify, random, note } = context;
      const { admin } = gateway;
      verify("CORE-UPGRADE-58").notApplicable("names of tasks", "a job may show its tasks later");
      for (const requirement of newJobRequirements)
        verify(requirement).notApplicable(
          "instants of new jobs",
          "a job may be past the state created at once",
        );
      const snapshots = await snapshotDefault(context);
      let lastDefault = snapshots.present;
      const created: Created[] = [];
      let hasRoom = true;
      const makeRoom = async (): Promise<void> => {
        const jobs = created.splice(0);
        await verifyStored(context, jobs);
        for (const { job } of jobs) await cancelled(context, job.id);
      };
      const sentWithRoom = async (
        inputs: Inputs<"createUpgradeJob">,
        isOptional: boolean,
      ): Promise<Answer<"createUpgradeJob">> => {
        if (!hasRoom) await makeRoom();
        const answer = await admin.call("createUpgradeJob", inputs);
        if (!answer.rejected || isOptional || created.length === 0) return answer;
        // How many jobs a gateway holds that have not ended is not stated.
        hasRoom = false;
        await makeRoom();
        return admin.call("createUpgradeJob", inputs);
      };
      let firstId: number | undefined;
      const create = async (body: Body, isOptional: boolean): Promise<void> => {
        if (body.snapshot === true && !snapshots.isSupported) return;
        // The default is never what is sent, and each value in turn where nothing is.
        const byDefault = await snapshots.set(!(body.snapshot ?? lastDefault));
        // Port 9 (discard) sends no data: the download never completes, and no installation begins.
        const query = body.download === true && body.snapshot !== undefined ? "?part=1&of=/2" : "";
        const sent = { ...body, url: `http://${gateway.host.address}:9/rp-${random.word(10)}.bin${query}` };
        const answer = await sentWithRoom({ json: sent }, isOptional);
        if (!answer.accepted && answer.status < 500 && isOptional)
          return note(`a job with ${JSON.stringify(body)} is rejected: ${answer.summary()}`);
        if (!verify("CORE-UPGRADE-51").accepted(answer)) return;
        const job = answer.data();
        firstId ??= job.id;
        cancelLater(context, job);
        if (body.snapshot === undefined) lastDefault = byDefault;
        const expected = { ...sent, snapshot: body.snapshot ?? byDefault };
        created.push({ job, sent, expected });
        compare(verify, job, expected, "the answer of Create upgrade job");
      };
      for (const body of random.shuffle(bodies)) await create(body, body.download !== true);
      verify("CORE-UPGRADE-29").notApplicable("`parameter.id`", "a job with `id` is rejected");
      // Which ids and which fields of a schedule a gateway accepts is not stated.
      const month = String(farMonth(clock.epochMs()));
      for (const more of [
        { id: firstId ?? 4711 },
        { at: { minute: "17", hour: "3", day: "11", month, dayOfWeek: "*" } },
      ])
        await create({ download: true, install: false, ...more }, true);
      // Whether a form may have a URL in place of a file is not stated, nor which files are no packages.
      const formDefault = await snapshots.set(true);
      const url = `http://${gateway.host.address}:9/rp-${random.word(10)}.bin`;
      const file = { fileName: "rp-package.zip", content: Buffer.from("PK\u0003\u0004 not a package") };
      const sent = { install: false, deleteFileAfterInstallComplete: false };
      for (const { what, form, stored } of [
        { what: "a package", form: { file, ...sent }, stored: sent },
        ...[{ install: false, snapshot: false }].map((stored) => ({
          what: "a package and `snapshot` false",
          form: { file, ...stored },
          stored,
        })),
        { what: "a URL", form: { url, install: false }, stored: {} },
      ]) {
        const uploaded = await sentWithRoom({ form }, true);
        if (!uploaded.accepted) {
          note(`a form with ${what} is rejected: ${uploaded.summary()}`);
          continue;
        }
        const job = uploaded.data();
        cancelLater(context, job);
        const expected = { snapshot: formDefault, ...stored };
        created.push({ job, sent: stored, expected });
        compare(verify, job, expected, `the answer to a form with ${what}`);
      }
      await verifyStored(context, created);
    },
  }),
];

async function verifyStored(context: CaseContext, created: readonly Created[]): Promise<void> {
  const { gateway, verify } = context;
  const { admin } = gateway;
  const listed = new Map((await admin.call("listUpgradeJobs")).data().map((job) => [job.id, job]));
  for (const { job, sent, expected } of created) {
    const found = await admin.call("getUpgradeJob", { path: { id: job.id } });
    verify("CORE-UPGRADE-49").equal(found.data().id, job.id, "`id` of the job found by id", found);
    compare(verify, found.data(), expected, "Find upgrade job by ID");
    compare(verify, listed.get(job.id), expected, "List upgrade jobs");
    const { url: _url, ...others } = sent;
    await verifyViews(context, job.id, `created with ${JSON.stringify(others)}`);
  }
}

async function cancelled(context: CaseContext, id: number): Promise<void> {
  await operate(context, id, "cancel");
  const hasEnded = async (): Promise<true | undefined> => isOver(await findJob(context, id)) || undefined;
  await context.waitFor(`the end of job ${id}`, hasEnded, { deadlineMs: settleMs }).catch(() => undefined);
}

function compare(
  verify: (requirement: string) => Verify,
  job: UpgradeJob | undefined,
  expected: Body,
  view: string,
): void {
  verifyCounts({ verify }, job, view);
  verifyNew({ verify }, job, view);
  // A job may have further tasks, and show them or their names when it is started.
  for (const { type, name } of job?.tasks ?? [])
    if (expected.url !== undefined && type === "download" && name !== "")
      verify("CORE-UPGRADE-58").equal(
        name,
        new URL(expected.url).pathname.split("/").at(-1),
        `\`name\` of the download task in ${view}`,
      );
    else if (name !== "")
      verify("CORE-UPGRADE-58").that(name !== type, {
        what: `\`name\` of the ${type} task in ${view}`,
        expected: "a file name, other than the type of the task",
        observed: name,
      });
  if (expected.id !== undefined)
    verify("CORE-UPGRADE-29").equal(job?.parameter.id, expected.id, `\`parameter.id\` in ${view}`);
  for (const name of members) {
    const value = expected[name];
    if (value !== undefined)
      verify(requirementOf[name]).equal(
        { [name]: job?.parameter[name] },
        { [name]: value },
        `\`parameter.${name}\` in ${view}`,
      );
  }
}
