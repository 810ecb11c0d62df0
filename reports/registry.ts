// The one table of reports: their files, their readers, and the commands that write them.
import { type CampaignRecord, readDisputes } from "../record/index.ts";
import { allureReporter } from "./allure.ts";
import { jobSummaryReporter } from "./jobSummary.ts";
import { junitReporter } from "./junit.ts";
import { type Reporter, type ReportInput, reportFiles } from "./text/reporter.ts";

/** Imported on demand: the library that draws loads more slowly than most commands run. */
const pageReporter: Reporter = {
  name: reportFiles.page,
  purpose: "People: verdict, findings with exchanges, requirements, measurements",
  write: async (input) => (await import("./html/page.ts")).writePage(input),
};

/** Written by every run. */
const reporters: readonly Reporter[] = [pageReporter, jobSummaryReporter, junitReporter, allureReporter];

/** A row of the table. */
export interface ReportEntry extends Pick<Reporter, "name" | "purpose"> {
  /** Commands that write it. */
  readonly commands: readonly string[];
}

/** Every report of a run, as `rackproof list reports` shows them. */
export const reportTable: readonly ReportEntry[] = [
  ...reporters.map(({ name, purpose }) => ({ name, purpose, commands: ["run", "report", "repro"] })),
  {
    name: reportFiles.allurePage,
    purpose: "People: page of Allure with the history of the runs beside it",
    commands: ["report --allure"],
  },
];

/**
 * Writes the reports into the run's folder. One that fails does not stop the others; returns one line for each failure,
 * and a run with any must not exit 0.
 */
export async function writeReports(
  record: CampaignRecord,
  exchangesOf: ReportInput["exchangesOf"],
  folder: string,
  chosen: readonly Pick<Reporter, "name" | "write">[] = reporters,
): Promise<string[]> {
  const failures: string[] = [];
  const disputes = await readDisputes();
  for (const reporter of chosen) {
    try {
      await reporter.write({ record, exchangesOf, folder, disputes });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      failures.push(`report ${reporter.name} cannot be written: ${message}`);
    }
  }
  return failures;
}
