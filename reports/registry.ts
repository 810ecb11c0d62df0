import type { CampaignRecord } from "../harness/record/campaign.ts";
import type { Exchange } from "../harness/record/exchange.ts";
import { allureReporter } from "./allure.ts";
import { htmlReporter } from "./html/html.ts";
import { junitReporter } from "./junit.ts";
import type { Reporter } from "./reporter.ts";

const reporters: readonly Reporter[] = [htmlReporter, junitReporter, allureReporter];

/** Writes every report; one that crashes does not stop the others. Answers what went wrong, in words. */
export async function writeReports(
  record: CampaignRecord,
  exchangesOf: (caseId: string) => readonly Exchange[],
  folder: string,
): Promise<string[]> {
  const results = await Promise.allSettled(
    reporters.map((reporter) => reporter.write({ record, exchangesOf, folder })),
  );
  return results.flatMap((result, index) =>
    result.status === "fulfilled"
      ? []
      : [`the report ${reporters[index]?.name} could not be written: ${String(result.reason)}`],
  );
}
