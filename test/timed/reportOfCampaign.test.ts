// The report of a whole campaign: how big it is, how fast it opens, and whether everybody can use it.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { accessibilityViolations, chromiumProgram, fastestLoadMs, openBrowser } from "../support/browser.ts";
import { lacks } from "../support/equipment.ts";
import { nightlyRun } from "../support/sharedRuns.ts";

test.skipIf(lacks(chromiumProgram))(
  "the report of a whole campaign opens within a second, is small enough to mail, and shuts nobody out",
  async () => {
    const { folder } = await nightlyRun();
    const file = join(folder, "report.html");
    expect((await stat(file)).size).toBeLessThan(5_000_000);
    await using browser = await openBrowser();
    await using report = await browser.page();
    const { page, complaints } = report;
    await page.goto(pathToFileURL(file).href);
    expect(await fastestLoadMs(page)).toBeLessThan(1000);
    for (const section of ["requirements", "measured", "cases", "run"])
      expect(await page.locator(`section#${section} h2`).count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
