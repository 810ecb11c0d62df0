import { join } from "node:path";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { judgeAgain } from "../harness/index.ts";
import { readExchanges, testsNothingStated, writeJudged } from "../record/index.ts";
import { readStoredRun } from "./support/storedRun.ts";
import { suiteVersion } from "./support/version.ts";

/** Judges the stored record of a run again and writes `judged.json`; returns the exit code that `run` would return. */
export async function judge(folder: string, options: { json?: boolean }): Promise<number> {
  const stored = await readStoredRun(folder);
  const { record, differences } = await judgeAgain(stored, (caseId) => readExchanges(folder, caseId));
  const judged = { ...record, suite: { ...record.suite, version: suiteVersion } };
  await writeJudged(folder, judged);
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ ...judged.summary, differences })}\n`);
  } else {
    for (const line of differences) process.stdout.write(`${oneLine(line)}\n`);
    const { verdict, pass, fail, inconclusive, error, notApplicable } = judged.summary;
    process.stdout.write(
      `${verdict}: ${pass} pass, ${fail} fail, ${inconclusive} inconclusive, ${error} error, ${notApplicable} not applicable; ` +
        `${differences.length === 0 ? "same verdicts as the run" : counted(differences.length, "difference")}\n` +
        `${join(folder, "judged.json")}\n`,
    );
  }
  if (!judged.complete) return 3;
  if (testsNothingStated(judged)) return 0;
  return { conformant: 0, "non-conformant": 1, inconclusive: 3 }[judged.summary.verdict];
}
