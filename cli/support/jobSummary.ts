import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { jobSummaryFile } from "../../reports/jobSummary.ts";
import { messageOf } from "../../harness/index.ts";

/**
 * Puts the run's summary on the page of the build server's job, where the environment names its file
 * (GITHUB_STEP_SUMMARY). Answers a line when that could not be done.
 */
export async function appendToJobSummary(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const file = environment["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return [];
  try {
    await appendFile(file, await readFile(join(folder, jobSummaryFile)));
    return [];
  } catch (thrown) {
    return [
      `the summary could not be appended to ${file}, which GITHUB_STEP_SUMMARY names: ${messageOf(thrown)}`,
    ];
  }
}
