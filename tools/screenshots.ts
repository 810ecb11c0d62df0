// Makes the pictures of docs/images from real runs: `node tools/screenshots.ts [name...]`. Needs Chromium.
// A scene is something that runs and leaves a page; each of its shots is a file. To add one, add it to `scenes`.
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openBrowser, type RealBrowser } from "../test/support/browser.ts";
import { rackproof, startUntil, temporaryFolder } from "../test/support/commandLine.ts";
import { failingRun, lateRebootCase } from "../test/support/failingRun.ts";

interface Shot {
  /** Name of the file in docs/images, without its ending. */
  readonly name: string;
  readonly look: BrowserContextOptions;
  /** Moves the page to the part that the picture shows. */
  readonly show?: (page: Page) => Promise<void>;
}

interface Scene {
  /** Runs what is to be shown, in a folder that is gone afterwards, and answers the page. */
  readonly play: (folder: string, stack: AsyncDisposableStack) => Promise<URL>;
  readonly shots: readonly Shot[];
}

const imagesFolder = fileURLToPath(new URL("../docs/images/", import.meta.url));
/** A picture in the README is fetched each time that somebody looks. */
const mostBytes = 200_000;

const desktop: BrowserContextOptions = { viewport: { width: 1180, height: 820 }, colorScheme: "light" };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 800 }, colorScheme: "dark" };

const report: Scene = {
  async play(folder) {
    await failingRun(folder);
    return pathToFileURL(join(folder, "report.html"));
  },
  shots: [
    { name: "report", look: desktop },
    {
      name: "report-failure",
      look: desktop,
      show: (page) => scrollTo(page, `[id="failure:CORE-CONFIG-31"]`),
    },
    { name: "report-phone", look: phone },
  ],
};

/** A restart that the rig itself watched, and what was measured over the run. */
const measured: Scene = {
  async play(folder) {
    const select = `${lateRebootCase},throughput,streams/cadence`;
    await rackproof(["run", "process", "--select", select, "--seed", "7", "--out", folder, "--json"]);
    return pathToFileURL(join(folder, "report.html"));
  },
  shots: [
    {
      name: "report-restart",
      look: { ...desktop, viewport: { width: 1180, height: 560 } },
      async show(page) {
        await page.locator(`[id="case:${lateRebootCase}"] > summary`).click();
        await scrollTo(page, `[id="case:${lateRebootCase}"]`);
      },
    },
    { name: "report-measured", look: desktop, show: (page) => scrollTo(page, "#answer-times") },
  ],
};

/** Nights of a rack in which one gateway failed, was fixed, and another began to fail. */
const trend: Scene = {
  async play(folder) {
    const rack = "lab.yaml";
    const out = "nights";
    for (const faults of [
      {},
      { "line-2": "log-enable-is-not-kept" },
      {},
      { "line-3": "ssh-port-is-not-kept" },
    ]) {
      await writeFile(rack, rackOf(faults));
      const words = ["nightly", "--rack", rack, "--select", "services,log", "--level", "smoke", "--out", out];
      await rackproof([...words, "--retries", "0"]);
    }
    return pathToFileURL(join(folder, out, "trend.html"));
  },
  shots: [{ name: "trend", look: desktop }],
};

function rackOf(faults: Readonly<Record<string, string>>): string {
  const entries = ["line-1", "line-2", "line-3"].map((name) => {
    const fault = faults[name] === undefined ? "" : `, fault: ${faults[name]}`;
    return `  ${name}: { kind: process${fault} }`;
  });
  return `gateways:\n${entries.join("\n")}\n`;
}

/** A campaign while it runs, with its streams under load. */
const live: Scene = {
  async play(_folder, stack) {
    const words = ["run", "process", "--watch", "--select", "services,log,throughput"];
    const run = stack.use(await startUntil([...words, "--out", "run"], /live view: /));
    return new URL(/http:\S+/.exec(run.line)?.[0] ?? "");
  },
  shots: [
    {
      name: "live",
      // The one page that a server answers.
      look: { ...desktop, offline: false },
      // Late enough that something has passed and streams are under load.
      show: (page) => page.waitForTimeout(untilStreamsMs),
    },
  ],
};
const untilStreamsMs = 11_000;

const scenes: readonly Scene[] = [report, measured, trend, live];

async function scrollTo(page: Page, selector: string): Promise<void> {
  await page
    .locator(selector)
    .first()
    .evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
}

async function take(browser: RealBrowser, { name, look, show }: Shot, url: URL): Promise<void> {
  await using open = await browser.page(look);
  const { page } = open;
  await page.goto(url.href);
  await show?.(page);
  const path = join(imagesFolder, `${name}.png`);
  await page.screenshot({ path });
  const { size } = await stat(path);
  if (size > mostBytes)
    throw new Error(`${path} has ${size} bytes, expected at most ${mostBytes}: show less of the page`);
  console.log(`${path}: ${size} bytes`);
}

const wanted = process.argv.slice(2);
await mkdir(imagesFolder, { recursive: true });
await using browser = await openBrowser();
for (const { play, shots } of scenes) {
  const chosen = shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (chosen.length === 0) continue;
  await using folder = await temporaryFolder();
  await using stack = new AsyncDisposableStack();
  // Pictures show the folder of a run or a rack: relative to this one.
  process.chdir(folder.path);
  const url = await play(folder.path, stack);
  for (const shot of chosen) await take(browser, shot, url);
}
