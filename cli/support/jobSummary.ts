import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { reportFiles } from "../../reports/text/reporter.ts";
import { messageOf } from "../../record/index.ts";

/**
 * Appends the run's summary to the page of the build server's job, when GITHUB_STEP_SUMMARY names its file. Returns a
 * line for each failure.
 */
export async function appendToJobSummary(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const file = environment["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return [];
  try {
    await appendFile(file, await readFile(join(folder, reportFiles.summary)));
    return [];
  } catch (thrown) {
    return [`job summary: cannot append to ${file} (GITHUB_STEP_SUMMARY): ${messageOf(thrown)}`];
  }
}
