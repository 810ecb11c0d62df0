// Replays the stored run of a folder under the present suite.
import { UsageError, type CampaignRecord, type VerifiedLog, verifyLog } from "../../record/index.ts";
import { suite } from "../../suites/index.ts";
import { hasLog } from "../../workflows/replay/recordedBefore.ts";
import { ReplayFault } from "../../workflows/replay/replayFault.ts";
import { type Replayed, replayRun } from "../../workflows/replay/replayRun.ts";
import { readStoredRun } from "./storedRun.ts";
import { suiteVersion } from "./version.ts";

export interface StoredReplay {
  readonly stored: CampaignRecord;
  /** Undefined for a run of the first release, which wrote no log. */
  readonly judged?: { readonly log: VerifiedLog; readonly replayed: Replayed };
}

/** Throws a UsageError for a folder without a run, and for a log that was changed or that cannot be replayed. */
export async function replayStored(folder: string): Promise<StoredReplay> {
  const stored = await readStoredRun(folder);
  if (!(await hasLog(folder))) return { stored };
  const result = await verifyLog(folder);
  if ("breach" in result) {
    const { line, problem } = result.breach;
    throw new UsageError("RUN_CHANGED", `run ${folder}: evidence.log, line ${line ?? 1}: ${problem}`);
  }
  const { log } = result;
  const replayed = await replayRun(log, stored, suite, suiteVersion).catch((thrown: unknown) => {
    throw thrown instanceof ReplayFault
      ? new UsageError("RUN_UNREADABLE", `run ${folder}: ${thrown.message}`)
      : thrown;
  });
  return { stored, judged: { log, replayed } };
}
