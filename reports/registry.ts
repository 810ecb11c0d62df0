import type { CampaignRecord } from "../record/index.ts";
import { allureReporter } from "./allure.ts";
import { jobSummaryReporter } from "./jobSummary.ts";
import { junitReporter } from "./junit.ts";
import type { Reporter, ReportInput } from "./text/reporter.ts";

/** Loaded when it is needed: the library that draws takes longer to load than most commands take. */
const htmlReporter: Reporter = {
  name: "report.html",
  write: async (input) => (await import("./html/page.ts")).writePage(input),
};

const reporters: readonly Reporter[] = [htmlReporter, jobSummaryReporter, junitReporter, allureReporter];

/**
 * Writes the reports into the run's folder. One that fails does not stop the others; the answer has a line for each
 * failure, and a run with any must not exit 0.
 */
export async function writeReports(
  record: CampaignRecord,
  exchangesOf: ReportInput["exchangesOf"],
  folder: string,
  chosen: readonly Reporter[] = reporters,
): Promise<string[]> {
  const failures: string[] = [];
  for (const reporter of chosen) {
    try {
      await reporter.write({ record, exchangesOf, folder });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      failures.push(`the report ${reporter.name} could not be written: ${message}`);
    }
  }
  return failures;
}
