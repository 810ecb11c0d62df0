// Members of upgrade jobs by state: instants that are set, and those that cannot be yet.
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";

/** Clock difference between gateway and harness that no check is about. */
const clockSlackMs = 5 * 60_000;
/** Instants before this are placeholders for unset ones. */
const earliestMs = Date.UTC(2000, 0, 1);

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

const runningRequirements = ["CORE-UPGRADE-36", "CORE-UPGRADE-43"] as const;
/** The requirements that `verifyInstants` and `verifyRunning` decide. */
export const memberRequirements: readonly string[] = [
  ...[...jobInstants, ...taskInstants].map(([, requirement]) => requirement),
  ...runningRequirements,
];

/** The instant in milliseconds since the epoch; undefined for null and for a placeholder. */
function instantOf(text: string | null | undefined): number | undefined {
  const ms = text === null || text === undefined ? Number.NaN : Date.parse(text);
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
  for (const [name, requirement] of jobInstants)
    check(requirement, `\`${name}\` of an upgrade job`, job[name]);
  for (const task of job.tasks) {
    for (const [name, requirement] of taskInstants)
      check(requirement, `\`${name}\` of a download task`, task[name]);
  }
}

/** Checks the members of a job read while its file was being sent; not applicable where no reading came in time. */
export function verifyRunning({ verify }: CaseContext, job: UpgradeJob | undefined): void {
  if (job === undefined) {
    for (const requirement of runningRequirements)
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
  for (const task of job.tasks.filter(({ type }) => type === "download")) {
    verify("CORE-UPGRADE-46").equal(
      instantOf(task.completedAt),
      undefined,
      `instant in \`completedAt\` of a task ${phase}`,
    );
    verify("CORE-UPGRADE-43").that(Number.isInteger(task.speed), {
      what: `\`speed\` of a download task ${phase}`,
      expected: "an integer",
      observed: task.speed ?? "absent",
    });
  }
}
