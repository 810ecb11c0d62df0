// `rackproof judge`: runs the cases of a stored run again against its record.
import { join } from "node:path";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { type CampaignRecord, testsNothingStated, writeJudged } from "../record/index.ts";
import { replayStored } from "./support/storedReplay.ts";

/** Judges the stored record of a run again and writes `judged.json`; returns the exit code that `run` would return. */
export async function judge(folder: string, options: { json?: boolean }): Promise<number> {
  const { stored, judged } = await replayStored(folder);
  if (judged === undefined) {
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ ...stored.summary, recordedBeforeReplay: true, differences: [] })}\n`
        : `recorded before replay: ${stored.summary.verdict} as the run judged\n`,
    );
    return exitCode(stored);
  }
  const { changedFiles } = judged.log;
  const { record, differences, notReplayable, replayed } = judged.replayed;
  await writeJudged(folder, record);
  if (options.json === true) {
    const { summary } = record;
    process.stdout.write(
      `${JSON.stringify({ ...summary, replayed, notReplayable, changedFiles, differences })}\n`,
    );
    return exitCode(record);
  }
  const lines = [
    ...changedFiles,
    ...differences,
    ...notReplayable.map((one) => `not replayable: ${one.case}: the record does not hold ${one.lacks}`),
  ];
  const { verdict, pass, fail, inconclusive, error, notApplicable } = record.summary;
  process.stdout.write(
    `${lines.map((line) => `${oneLine(line)}\n`).join("")}` +
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
