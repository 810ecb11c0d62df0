import { UsageError, messageOf, type CampaignRecord, readCampaign } from "../../record/index.ts";

/** Reads the record of a run; throws a UsageError for a folder without a readable record. */
export async function readStoredRun(folder: string): Promise<CampaignRecord> {
  return readCampaign(folder).catch((thrown: unknown) => {
    throw new UsageError("RUN_UNREADABLE", `run ${folder}: ${messageOf(thrown)}`);
  });
}
