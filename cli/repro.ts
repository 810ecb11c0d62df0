import { run } from "./run.ts";
import { readStoredRun } from "./support/storedRun.ts";
import { UsageError } from "../record/index.ts";

/** Runs one case of an earlier run again with the same seed on the same gateway; returns the exit code. */
export async function repro(folder: string, caseId: string, options: { profile?: string }): Promise<number> {
  const record = await readStoredRun(folder);
  if (!record.cases.some((one) => one.id === caseId)) {
    throw new UsageError("CASE_UNKNOWN", `case ${caseId}: expected a case of the run in ${folder}`);
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
