// A record as a lab with a lasting key would hand it in, made from a shared run: a run of level certification takes
// many minutes, therefore the cases of this one are replayed at the level at which they ran.
import { createHash } from "node:crypto";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CampaignRecord,
  type VerifiedLog,
  logFile,
  logKey,
  readCampaign,
  verifyLog,
  writeCampaign,
} from "../../record/index.ts";
import { type LoggedLine, rewriteLog } from "../../record/testing/rewriteLog.ts";
import { suite } from "../../suites/index.ts";
import { differencesOf } from "../../workflows/replay/differences.ts";
import { type Replayed, replayRun } from "../../workflows/replay/replayRun.ts";

const known = new Map<string, Promise<Replayed>>();

/** Replays the log at the level at which the shared run ran; the same observations only once. */
export async function replayAsRun(log: VerifiedLog, record: CampaignRecord): Promise<Replayed> {
  const observed = createHash("sha256");
  for (const { contents } of log.lines) for (const text of Object.values(contents)) observed.update(text);
  const key = observed.digest("hex");
  const asRun = { ...log, header: { ...log.header, level: "nightly" as const } };
  const replaying = known.get(key) ?? replayRun(asRun, record, suite, record.suite.version);
  known.set(key, replaying);
  const replayed = await replaying;
  return { ...replayed, differences: differencesOf(record, replayed.record) };
}

export interface LabRecord {
  readonly key: string;
  /** Changes what the lab's run observed; the verdicts follow. */
  readonly observed?: (line: LoggedLine) => LoggedLine;
  /** Changes the record after its verdicts were made. */
  readonly change?: (record: CampaignRecord) => void;
}

/** Copies the run to the folder and signs it with the key, as a run of level certification. */
export async function writeLabRecord(
  run: string,
  folder: string,
  { key, observed, change }: LabRecord,
): Promise<string> {
  await cp(run, folder, { recursive: true });
  const signer = logKey(await readFile(key, "utf8"));
  const relabelled = (line: LoggedLine): LoggedLine => {
    if (line.entry.kind === "header") return { ...line, entry: { ...line.entry, level: "certification" } };
    return observed?.(line) ?? line;
  };
  let record = await readCampaign(folder);
  if (observed !== undefined) {
    await rewriteLog(folder, signer, relabelled);
    const result = await verifyLog(folder);
    if ("breach" in result) throw new Error(result.breach.problem);
    ({ record } = await replayAsRun(result.log, record));
  }
  record.level = "certification";
  change?.(record);
  await writeCampaign(folder, record);
  // The end of the log has the digests of the files as they are now.
  await rewriteLog(folder, signer, observed === undefined ? relabelled : (line) => line);
  return folder;
}

/** The path of a log in a run's folder. */
export const logOf = (folder: string): string => join(folder, logFile);
