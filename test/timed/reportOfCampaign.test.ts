// The report of a whole campaign: how big it is, and whether everybody can use it.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { accessibilityViolations, chromiumProgram, openBrowser } from "../support/browser.ts";
import { lacks } from "../support/equipment.ts";
import { nightlyRun } from "../support/sharedRuns.ts";

test.skipIf(lacks(chromiumProgram))(
  "the report of a whole campaign is small enough to mail, and shuts nobody out",
  async () => {
    const { folder } = await nightlyRun();
    const file = join(folder, "report.html");
    expect((await stat(file)).size).toBeLessThan(5_000_000);
    await using browser = await openBrowser();
    await using report = await browser.page();
    const { page, complaints } = report;
    await page.goto(pathToFileURL(file).href);
    for (const section of ["requirements", "measured", "cases", "run"])
      expect(await page.locator(`section#${section} h2`).count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
