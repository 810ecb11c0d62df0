import { type TestCase, testCase } from "../../harness/index.ts";
import { removeLater } from "../users/accounts.ts";
import { startUpgradeServer } from "../support/upgradeServer.ts";
import { efforts } from "./effort.ts";

const settleMs = 15_000;

export const oneJobCases: readonly TestCase[] = [
  testCase({
    id: "concurrency/one-job",
    title: "Jobs created together are all listed; simultaneous cancels end only their job",
    group: "upgrade",
    requirements: ["CORE-CONC-03", "CORE-CONC-04", "CORE-UPGRADE-47", "CORE-UPGRADE-73"],
    effect: "reversible",
    touches: ["upgrade-jobs", "upgrade-configuration"],
    capabilities: ["upgrade", "upgrade-jobs"],
    load: true,
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, clock, level, scratch, verify, waitFor, unmet } = context;
      const { admin } = gateway;
      const { clients } = efforts[level];
      await using server = await startUpgradeServer({
        clock,
        outside: context.outside,
        host: gateway.host,
        sizeBytes: 4 * 1024 * 1024,
        chunkPauseMs: 100,
        failures: 0,
      });
      const cancel = (id: number) =>
        admin.call("operateUpgradeJob", {
          path: { id, action: "cancel" },
          query: { deleteFileAfterInstallComplete: true },
        });
      const made = await Promise.all(
        Array.from({ length: clients }, () =>
          admin.call("createUpgradeJob", { json: { url: server.url, download: true, install: false } }),
        ),
      );
      const ids = made.filter(({ accepted }) => accepted).map((answer) => answer.data().id);
      for (const answer of made) removeLater(context, answer, "deleteUpgradeJob", "upgrade job");
      // A gateway may limit the number of jobs; accepted ones must be listed.
      // The job in the middle has neighbours on both sides.
      const canceled = ids[Math.floor(ids.length / 2)];
      const others = ids.filter((id) => id !== canceled);
      for (const id of others)
        scratch.undo(`the download of upgrade job ${id}`, async () => void (await cancel(id)));
      if (canceled === undefined)
        return unmet(`creation of ${clients} upgrade jobs failed: ${made[0]?.summary() ?? ""}`);
      const listed = await admin.call("listUpgradeJobs");
      for (const requirement of ["CORE-CONC-03", "CORE-UPGRADE-47"])
        verify(requirement).equal(
          ids.map((id) => listed.data().filter((job) => job.id === id).length),
          ids.map(() => 1),
          "number of list entries of each job created at the same time",
          listed,
        );
      const before = await statesOf(others);
      const answers = await Promise.all(Array.from({ length: clients }, () => cancel(canceled)));
      verify("CORE-CONC-04").that(
        answers.some(({ accepted }) => accepted) &&
          answers.every(({ status }) => status >= 200 && status < 500),
        {
          what: `statuses of ${clients} simultaneous cancels of one job`,
          expected: "at least one 2xx, otherwise 4xx",
          observed: answers.map(({ status }) => status).join(", "),
        },
      );
      const end = await waitFor(
        "end of the canceled job",
        async () => {
          const { state } = (await admin.call("getUpgradeJob", { path: { id: canceled } })).data();
          return /^cancel?l?ing$/.test(state) ? undefined : state;
        },
        { deadlineMs: settleMs },
      );
      verify("CORE-CONC-04").equal(end, "canceled", "`state` of the job after simultaneous cancels");
      const after = await statesOf(others);
      const gone = others.filter((id, index) => after[index] === "canceled" && before[index] !== "canceled");
      for (const requirement of ["CORE-CONC-04", "CORE-UPGRADE-73"])
        verify(requirement).equal(gone, [], "other jobs canceled at the same time");

      async function statesOf(jobs: readonly number[]): Promise<string[]> {
        return Promise.all(
          jobs.map(async (id) => (await admin.call("getUpgradeJob", { path: { id } })).data().state),
        );
      }
    },
  }),
];
