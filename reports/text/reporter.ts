import type { CampaignRecord, Dispute, Exchange } from "../../record/index.ts";

/** Names of the reports in a run's folder. */
export const reportFiles = {
  page: "report.html",
  summary: "summary.md",
  junit: "junit.xml",
  allure: "allure-results",
  allurePage: "allure-report.html",
} as const;

/** The input of every report. */
export interface ReportInput {
  readonly record: CampaignRecord;
  /** A case's exchanges with masked secrets; empty when none were stored or loaded. */
  readonly exchangesOf: (caseId: string) => readonly Exchange[];
  /** The run's folder. */
  readonly folder: string;
  /** Disputes about checks; none when absent. */
  readonly disputes?: readonly Dispute[];
}

/** One format of report. */
export interface Reporter {
  /** File or folder that it writes into the run's folder. */
  readonly name: string;
  /** Who reads it, for the table of reports. */
  readonly purpose: string;
  readonly write: (input: ReportInput) => Promise<void>;
}
