// `rackproof judge`: runs the cases of a stored run again against its record.
import { join } from "node:path";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { UsageError } from "../harness/index.ts";
import { type CampaignRecord, testsNothingStated, verifyLog, writeJudged } from "../record/index.ts";
import { suite } from "../suites/index.ts";
import { ReplayFault, replayRun } from "../workflows/replay/replayRun.ts";
import { hasLog } from "../workflows/replay/recordedBefore.ts";
import { readStoredRun } from "./support/storedRun.ts";
import { suiteVersion } from "./support/version.ts";

/** Judges the stored record of a run again and writes `judged.json`; returns the exit code that `run` would return. */
export async function judge(folder: string, options: { json?: boolean }): Promise<number> {
  const stored = await readStoredRun(folder);
  if (!(await hasLog(folder))) {
    const text = `recorded before replay: ${stored.summary.verdict} as the run judged`;
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ ...stored.summary, recordedBeforeReplay: true, differences: [] })}\n`
        : `${text}\n`,
    );
    return exitCode(stored);
  }
  const result = await verifyLog(folder);
  if ("breach" in result) {
    const { line, problem } = result.breach;
    throw new UsageError("RUN_CHANGED", `run ${folder}: evidence.log, line ${line ?? 1}: ${problem}`);
  }
  const { log } = result;
  const { record, differences, notReplayable, replayed } = await replayRun(
    log,
    stored,
    suite,
    suiteVersion,
  ).catch((thrown: unknown) => {
    throw thrown instanceof ReplayFault
      ? new UsageError("RUN_UNREADABLE", `run ${folder}: ${thrown.message}`)
      : thrown;
  });
  await writeJudged(folder, record);
  if (options.json === true) {
    process.stdout.write(
      `${JSON.stringify({ ...record.summary, replayed, notReplayable, changedFiles: log.changedFiles, differences })}\n`,
    );
    return exitCode(record);
  }
  for (const line of [...log.changedFiles, ...differences]) process.stdout.write(`${oneLine(line)}\n`);
  for (const one of notReplayable)
    process.stdout.write(
      oneLine(`not replayable: ${one.case}: the record does not hold ${one.lacks}`) + "\n",
    );
  const { verdict, pass, fail, inconclusive, error, notApplicable } = record.summary;
  process.stdout.write(
    `${verdict}: ${pass} pass, ${fail} fail, ${inconclusive} inconclusive, ${error} error, ${notApplicable} not applicable; ` +
      `${counted(replayed, "case")} replayed, ${notReplayable.length} not replayable; ` +
      `${differences.length === 0 ? "same verdicts as the run" : counted(differences.length, "difference")}\n` +
      `${join(folder, "judged.json")}\n`,
  );
  return exitCode(record);
}

function exitCode(record: CampaignRecord): number {
  const { complete, summary } = record;
  if (!complete) return 3;
  if (testsNothingStated(record)) return 0;
  return { conformant: 0, "non-conformant": 1, inconclusive: 3 }[summary.verdict];
}
