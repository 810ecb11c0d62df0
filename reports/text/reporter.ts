import type { CampaignRecord, Exchange } from "../../record/index.ts";

/** What every report is made from. */
export interface ReportInput {
  readonly record: CampaignRecord;
  /** A case's exchanges, secrets masked; empty when none were kept or loaded. */
  readonly exchangesOf: (caseId: string) => readonly Exchange[];
  /** The run's folder. */
  readonly folder: string;
}

/** One format of report. */
export interface Reporter {
  /** What it writes, as it is called in messages. */
  readonly name: string;
  readonly write: (input: ReportInput) => Promise<void>;
}
