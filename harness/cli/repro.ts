import { readCampaign } from "../record/store.ts";
import { messageOf, UsageError } from "../errors.ts";
import { run } from "./run.ts";

/** Runs one case of an earlier run again with the same seed on the same gateway; answers the exit code. */
export async function repro(folder: string, caseId: string, options: { profile?: string }): Promise<number> {
  const record = await readCampaign(folder).catch((thrown: unknown) => {
    throw new UsageError(
      "RUN_UNREADABLE",
      `run ${folder}: ${messageOf(thrown)}; give the folder of a run, which holds campaign.json`,
    );
  });
  if (!record.cases.some((one) => one.id === caseId)) {
    throw new UsageError("CASE_UNKNOWN", `case ${caseId}: the run in ${folder} has no such case`);
  }
  return run(record.gateway.kind === "remote" ? record.gateway.baseUrl : record.gateway.kind, {
    select: caseId,
    level: record.level,
    seed: record.seed,
    verbose: true,
    parallel: 1,
    ...(options.profile === undefined ? {} : { profile: options.profile }),
  });
}
