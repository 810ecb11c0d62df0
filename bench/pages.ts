// What the reader of a page waits for: a whole campaign, its report and the page of a fleet, opened in Chromium.
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { execa } from "execa";
import type { Page } from "playwright-core";
import { fleetPage } from "../reports/fleet/fleetPage.ts";
import { chromiumProgram, openBrowser } from "../test/support/browser.ts";
import { isProgram } from "../rigs/host/boundChild.ts";
import { syntheticFleet } from "../test/support/syntheticFleet.ts";
import { findingsOf, groupFindings } from "../workflows/fleet/findings.ts";
import { type BenchRow, median, notMeasured, outcomeOf } from "./table.ts";

const program = fileURLToPath(new URL("../bin/rackproof.mjs", import.meta.url));
const loads = 5;
const limits = { campaignMs: 75_000, reportMs: 1000, fleetMs: 2000 };

const titles = {
  campaign: "whole campaign over the reference gateway, level nightly",
  report: "its report, opened",
  fleet: "page of 300 gateways x 60 nights x 600 requirements, drawn",
};

export async function benchPages(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-bench-"));
  try {
    const run = join(folder, "run");
    const beganMs = performance.now();
    await execa(process.execPath, [program, "run", "process", "--seed", "42", "--out", run], {
      reject: false,
    });
    const campaignMs = performance.now() - beganMs;
    const report = join(run, "report.html");
    const fleet = join(folder, "fleet.html");
    const history = syntheticFleet({ gateways: 300, nights: 60, requirements: 600 });
    await writeFile(fleet, fleetPage({ history, groups: groupFindings(findingsOf(history)) }));
    const row = (what: string, ms: number, limitMs: number, more = ""): BenchRow => ({
      what,
      measured: `${ms.toFixed(0)} ms${more}`,
      peer: "-",
      ratio: (ms / limitMs).toFixed(2),
      limit: `at most ${limitMs} ms`,
      outcome: outcomeOf(ms <= limitMs),
    });
    const campaign = row(titles.campaign, campaignMs, limits.campaignMs);
    if (!isProgram(chromiumProgram))
      return [campaign, ...[titles.report, titles.fleet].map((what) => notMeasured(what, chromiumProgram))];
    await using browser = await openBrowser();
    const open = async (file: string, endsWhen: (page: Page) => Promise<number>): Promise<number> => {
      await using opened = await browser.page();
      const timesMs: number[] = [];
      for (let load = 0; load < loads; load++) {
        await opened.page.goto(pathToFileURL(file).href);
        timesMs.push(await endsWhen(opened.page));
      }
      return median(timesMs);
    };
    const loaded = (page: Page): Promise<number> =>
      page.evaluate<number>("performance.getEntriesByType('navigation')[0].loadEventEnd");
    const drawn = async (page: Page): Promise<number> => {
      await page.locator("[role=treegrid]").waitFor();
      return page.evaluate<number>("performance.getEntriesByName('drawn')[0].startTime");
    };
    const megabytes = async (file: string): Promise<string> =>
      `, ${((await stat(file)).size / 1e6).toFixed(1)} MB`;
    return [
      campaign,
      row(titles.report, await open(report, loaded), limits.reportMs, await megabytes(report)),
      row(titles.fleet, await open(fleet, drawn), limits.fleetMs, await megabytes(fleet)),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
