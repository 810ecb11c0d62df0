// `rackproof dispute new`: drafts a dispute about a check of a run.
import { stat } from "node:fs/promises";
import { monotonicClock } from "../harness/index.ts";
import { UsageError, readExchanges, writeWhole } from "../record/index.ts";
import { disputeDraft, disputeFileName } from "../workflows/release/disputeDraft.ts";
import { evidenceOf } from "../workflows/release/waivers.ts";
import { readStoredRun } from "./support/storedRun.ts";

export interface DisputeNewOptions {
  /** The disputed requirement; without it the first that failed in the case. */
  readonly requirement?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function disputeNew(
  folder: string,
  caseId: string,
  options: DisputeNewOptions,
): Promise<number> {
  const record = await readStoredRun(folder);
  const disputed = record.cases.find(({ id }) => id === caseId);
  if (disputed === undefined)
    throw new UsageError("CASE_UNKNOWN", `case ${caseId}: expected a case of the run in ${folder}`);
  const failed = disputed.decided.find(({ verdict }) => verdict === "fail") ?? disputed.decided[0];
  const requirement = options.requirement ?? failed?.requirement ?? disputed.requirements[0] ?? "";
  if (!disputed.requirements.includes(requirement))
    throw new UsageError(
      "DISPUTE_REQUIREMENT",
      `--requirement ${requirement}: expected one of ${disputed.requirements.join(", ")}`,
    );
  const file = options.out ?? disputeFileName({ disputed, requirement });
  if (
    await stat(file)
      .then(() => true)
      .catch(() => false)
  )
    throw new UsageError("DISPUTE_NOT_WRITTEN", `dispute ${file}: the file exists already`);
  const text = disputeDraft({
    record,
    disputed,
    requirement,
    exchanges: await readExchanges(folder, caseId),
    evidenceSha256: await evidenceOf(folder, disputed),
    day: new Date(monotonicClock.epochMs()).toISOString().slice(0, 10),
  });
  await writeWhole(file, text);
  process.stdout.write(
    options.json === true ? `${JSON.stringify({ file, case: caseId, requirement })}\n` : `${file}\n`,
  );
  return 0;
}
