import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { appendToJobSummary } from "./jobSummary.ts";

test("the summary is appended to the file that the build server names, and to none where it names none", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "summary.md"), "## this run\n");
  const page = join(folder.path, "page.md");
  await writeFile(page, "what was there\n");
  expect(await appendToJobSummary(folder.path, {})).toEqual([]);
  expect(await appendToJobSummary(folder.path, { GITHUB_STEP_SUMMARY: page })).toEqual([]);
  expect(await readFile(page, "utf8")).toBe("what was there\n## this run\n");
});

test("a file that cannot be written is reported with its name", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "summary.md"), "## this run\n");
  const file = join(folder.path, "none", "page.md");
  expect(await appendToJobSummary(folder.path, { GITHUB_STEP_SUMMARY: file })).toEqual([
    expect.stringContaining(file),
  ]);
});
