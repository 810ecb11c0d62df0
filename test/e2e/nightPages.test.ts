// The trend of the nights and the live view as people meet them: in a real browser, light and dark, also without eyes.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWatchServer } from "../../cli/support/watchServer.ts";
import { monotonicClock } from "../../harness/clock.ts";
import { LiveLog, liveProgress } from "../../workflows/live/liveLog.ts";
import type { Cell, Outcome, Trend } from "../../record/trend.ts";
import { soakPage } from "../../reports/soak/soakPage.ts";
import { soakOf } from "../../reports/testing/soaks.ts";
import { trendPage } from "../../reports/trend/trendPage.ts";
import { chromiumProgram, openBrowser, type RealBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/commandLine.ts";
import { lacks } from "../support/equipment.ts";

const withoutChromium = lacks(chromiumProgram);
const schemes = ["light", "dark"] as const;
const stack = new AsyncDisposableStack();
let folder = "";
let browser: RealBrowser;

beforeAll(async () => {
  folder = stack.use(await temporaryFolder()).path;
  if (!withoutChromium) browser = stack.use(await openBrowser());
}, 60_000);
afterAll(() => stack.disposeAsync());

/** What breaks WCAG 2.2 AA, by rule and place. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)";
  const found = await page.evaluate<{ id: string; nodes: { target: string[] }[] }[]>(run);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
}

const outcomes: readonly Outcome[] = ["pass", "flaky", "fail", "error", "inconclusive", "not-concluded"];
const cell = (outcome: Outcome): Cell =>
  outcome === "pass" ? { outcome } : { outcome, reason: "expected 1" };

/** One night of each outcome, and a gateway of each kind. */
function trend(): Trend {
  const row = outcomes.map(cell);
  return {
    rack: "lab.yaml",
    nights: outcomes.map((_, index) => ({
      id: index + 1,
      startedAt: `2027-01-0${index + 1}T02:00:00.000Z`,
      level: "smoke",
      selection: "",
      suiteVersion: "1",
      state: "finished",
      exitCode: 1,
    })),
    gateways: (["conformant", "non-conformant", "inconclusive", "incomplete", "set-aside"] as const).map(
      (outcome) => ({
        name: `gateway ${outcome}`,
        turns: outcomes.map(() => ({
          outcome,
          reason: "why",
          withoutParts: ["console: not found"],
          attempts: 2,
          folder: "one/attempt-1",
        })),
        cases: new Map(),
        requirements: new Map([
          ["CORE-REBOOT-01", row],
          ["CORE-REBOOT-02", row.toReversed()],
        ]),
        leftOut: new Map([["x/y", "not selected"]]),
        slower: [],
      }),
    ),
    changes: [
      {
        kind: "newly-failing",
        gateway: "gateway conformant",
        subjects: ["a/b", "a/c", "a/d", "a/e"],
        text: "why",
      },
      { kind: "fixed", gateway: "gateway conformant", subjects: ["a/f"], text: "passes" },
      { kind: "surroundings", gateway: "gateway conformant", subjects: [], text: "firmware: 2, was 1" },
    ],
  };
}

test.skipIf(withoutChromium).each(schemes)(
  "the trend of the nights can be read by everybody, in %s",
  async (colorScheme) => {
    const file = join(folder, "trend.html");
    await writeFile(file, trendPage(trend()));
    await using open = await browser.page({ colorScheme });
    await open.page.goto(pathToFileURL(file).href);
    expect(await open.page.locator("h2").first().innerText()).toBe("Changes since the previous night");
    expect(await open.page.locator("#changes li").first().innerText()).toContain("newly failing");
    expect(await violations(open.page)).toEqual([]);
    expect(open.complaints).toEqual([]);
  },
);

test.skipIf(withoutChromium).each(schemes)(
  "the page of a soak can be read by everybody, on a screen and on a phone, in %s",
  async (colorScheme) => {
    const file = join(folder, "soak.html");
    await writeFile(file, soakPage(soakOf("a text")));
    for (const width of [1280, 390]) {
      await using open = await browser.page({ colorScheme, viewport: { width, height: 900 } });
      await open.page.goto(pathToFileURL(file).href);
      await open.page.keyboard.press("Tab");
      await open.page.keyboard.press("Enter");
      await open.page.waitForURL(/#main$/);
      await open.page.locator("#curves summary").focus();
      await open.page.keyboard.press("Enter");
      expect(await open.page.locator("#curve-operation-getLog").isVisible()).toBe(true);
      expect(await open.page.locator("#findings tbody tr").count()).toBe(4);
      expect(await violations(open.page)).toEqual([]);
      expect(open.complaints).toEqual([]);
    }
  },
);

test.skipIf(withoutChromium).each(schemes)(
  "the live view moves while a campaign runs, in %s",
  async (colorScheme) => {
    const run = join(folder, `run-${colorScheme}`);
    using log = new LiveLog(run, monotonicClock);
    const progress = liveProgress(log);
    log.tell({ kind: "campaign", gateway: "left", level: "smoke", selection: "" });
    progress.gatewayReady("left", "http://192.0.2.1");
    progress.planned(2);
    progress.started("a/b");
    await using server = await startWatchServer(run, "127.0.0.1:0");
    await using open = await browser.page({ colorScheme, offline: false });
    const { page } = open;
    await page.goto(server.url, { waitUntil: "commit" });
    await page.getByText("0 of 2 cases finished").waitFor();
    await page.locator(".run li .id", { hasText: "a/b" }).waitFor();

    log.tell({ kind: "console", lines: ["<img src=x onerror=alert(1)>"] });
    for (const valuesPerSec of [100, 900])
      progress.streamed({ valuesPerSec, latencyMs: { median: 5, highest: 9 } });
    log.tell({
      kind: "finished",
      case: "a/b",
      verdict: "fail",
      durationMs: 9,
      reason: "expected <b>1</b>",
      decided: [],
    });
    await page.getByText("1 of 2 cases finished").waitFor();
    await page.getByText("Rate: rate 900 values/s").waitFor();
    expect(await page.locator(".tail").innerText()).toBe("<img src=x onerror=alert(1)>");
    expect(await page.getByText("expected <b>1</b>").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    expect(open.complaints.filter((one) => !one.startsWith(`asked for ${server.url}`))).toEqual([]);
  },
);
