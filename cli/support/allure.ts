// Allure's own program, where it is installed, makes a page of a run's allure-results, with the history of earlier runs.
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { reportFiles } from "../../reports/text/reporter.ts";
import { UsageError } from "../../record/index.ts";

const historyFile = "allure-history.jsonl";

/**
 * Writes `allure-report.html` into the run's folder and returns its path. The history of all runs beside it is stored
 * in `allure-history.jsonl` next to the folder. Throws a UsageError when Allure is not installed.
 */
export async function allurePage(runFolder: string): Promise<string> {
  const folder = resolve(runFolder);
  const program = findProgram();
  const temporary = await mkdtemp(join(tmpdir(), "rackproof-allure-"));
  try {
    const config = join(temporary, "allurerc.json");
    const output = join(temporary, "report");
    await writeFile(
      config,
      JSON.stringify({
        name: "rackproof",
        output,
        historyPath: join(dirname(folder), historyFile),
        plugins: { awesome: { options: { singleFile: true, reportLanguage: "en" } } },
      }),
    );
    await execa(
      process.execPath,
      [program, "generate", "--config", config, join(folder, reportFiles.allure)],
      // Usage statistics would disclose that a run exists.
      { env: { ALLURE_NO_ANALYTICS: "1" } },
    );
    await copyFile(join(output, "index.html"), join(folder, reportFiles.allurePage));
    return join(runFolder, reportFiles.allurePage);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function findProgram(): string {
  try {
    return fileURLToPath(new URL("../cli.js", import.meta.resolve("allure")));
  } catch {
    throw new UsageError(
      "ALLURE_MISSING",
      "report --allure: expected the package allure beside rackproof, found none",
    );
  }
}
