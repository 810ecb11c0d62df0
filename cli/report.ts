import { join } from "node:path";
import { writeReports } from "../reports/registry.ts";
import { reportFiles } from "../reports/text/reporter.ts";
import { type Exchange, readExchanges } from "../record/index.ts";
import { allurePage } from "./support/allure.ts";
import { readStoredRun } from "./support/storedRun.ts";

export interface ReportOptions {
  /** Also writes the page of Allure. */
  readonly allure?: boolean;
}

/** Writes the reports of a stored run again; returns the exit code. */
export async function report(folder: string, options: ReportOptions = {}): Promise<number> {
  const record = await readStoredRun(folder);
  const exchanges = new Map<string, readonly Exchange[]>();
  for (const { id } of record.cases) exchanges.set(id, await readExchanges(folder, id));
  const failures = await writeReports(record, (caseId) => exchanges.get(caseId) ?? [], folder);
  for (const failure of failures) process.stderr.write(`rackproof: ${failure}\n`);
  process.stdout.write(`${join(folder, reportFiles.page)}\n`);
  if (options.allure === true) process.stdout.write(`${await allurePage(folder)}\n`);
  return failures.length === 0 ? 0 : 3;
}
