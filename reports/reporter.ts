import type { CampaignRecord } from "../harness/record/campaign.ts";
import type { Exchange } from "../harness/record/exchange.ts";

/** What every report is made from. */
export interface ReportInput {
  readonly record: CampaignRecord;
  /** Exchanges of the cases that did not pass; none for the others. */
  readonly exchangesOf: (caseId: string) => readonly Exchange[];
  /** Folder of the run. */
  readonly folder: string;
}

/** One format. */
export interface Reporter {
  readonly name: string;
  write(input: ReportInput): Promise<void>;
}
