// The report as people meet it: in a real browser, from a file, without a network.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  accessibilityViolations,
  chromiumProgram,
  openBrowser,
  type OpenPage,
  type RealBrowser,
} from "../support/browser.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { lacks } from "../support/equipment.ts";
import { failingRun, lateRebootCase, wrongPortCase } from "../support/failingRun.ts";

const withoutChromium = lacks(chromiumProgram);
const stack = new AsyncDisposableStack();
let folder = "";
let browser: RealBrowser;
let exitCode: number | undefined;

beforeAll(async () => {
  folder = join(stack.use(await temporaryFolder()).path, "runs", "one");
  if (!withoutChromium) browser = stack.use(await openBrowser());
  exitCode = await failingRun(folder, { GITHUB_STEP_SUMMARY: join(folder, "..", "job-page.md") });
}, 180_000);
afterAll(() => stack.disposeAsync());

async function openReport(fragment = "", options: BrowserContextOptions = {}): Promise<OpenPage> {
  const open = await browser.page(options);
  await open.page.goto(pathToFileURL(join(folder, "report.html")).href + fragment);
  return open;
}

test("a failing run leaves its summary in Markdown, and on the page of the build server's job", async () => {
  expect(exitCode).toBe(1);
  const summary = await readFile(join(folder, "summary.md"), "utf8");
  expect(summary).toMatch(/^## ❌ Not conformant: \d stated requirements failed$/m);
  for (const id of ["CORE-CONFIG-31", lateRebootCase, wrongPortCase]) expect(summary).toContain(id);
  expect(await readFile(join(folder, "..", "job-page.md"), "utf8")).toBe(summary);
});

test.skipIf(withoutChromium)(
  "the report opens without a complaint, the verdict first, and is small enough to mail",
  async () => {
    await using report = await openReport();
    const { page, complaints } = report;
    expect(await page.locator("h1").innerText()).toMatch(
      /^✕\s+Not conformant: \d stated requirements failed$/,
    );
    expect((await stat(join(folder, "report.html"))).size).toBeLessThan(5_000_000);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(withoutChromium)(
  "from the failure in the banner one click leads to what was expected and observed, another copies the curl line",
  async () => {
    await using report = await openReport("", { permissions: ["clipboard-read", "clipboard-write"] });
    const { page, complaints } = report;
    await page.locator(".broken a", { hasText: "CORE-SERVICE-27" }).click();
    const failure = page.locator(`[id="failure:CORE-SERVICE-27"]`);
    await failure.getByText("Expected", { exact: true }).first().waitFor();
    const [expected, observed] = await Promise.all([
      failure.locator("del").first().innerText(),
      failure.locator("ins").first().innerText(),
    ]);
    expect(Number(observed)).toBe(Number(expected) + 1);
    await failure.getByRole("button", { name: "Copy curl" }).first().click();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toMatch(
      /^curl -i -X GET 'http:\/\/127\.0\.0\.1:\d+\/.*sshserver' .*"authorization: Bearer \$TOKEN"/i,
    );
    expect(complaints).toEqual([]);
  },
);

test.skipIf(withoutChromium)(
  "filters narrow both lists, stand in the address, and hold when the address is opened again",
  async () => {
    await using report = await openReport();
    const { page } = report;
    const cases = page.locator("#cases");
    await cases.getByLabel("Verdict").selectOption("fail");
    await cases.getByLabel("Text", { exact: true }).fill("ssh-configuration");
    expect(await cases.locator(".case:visible").count()).toBe(1);
    expect(await cases.locator("output").innerText()).toMatch(/^1 of \d+ shown$/);
    const { hash } = new URL(page.url());
    expect(hash).toBe("#cases?text=ssh-configuration&verdict=fail");

    await using again = await openReport(hash);
    const shown = again.page.locator("#cases .case:visible");
    expect(await shown.evaluateAll((elements) => elements.map(({ id }: { id: string }) => id))).toEqual([
      `case:${wrongPortCase}`,
    ]);
    const requirements = again.page.locator("#requirements");
    await requirements.getByLabel("Group").selectOption("reboot");
    expect(await requirements.locator("tr[data-group]:visible").count()).toBeGreaterThan(10);
    expect(await requirements.locator('tr[data-group="users"]:visible').count()).toBe(0);
    // A link to something that the filter hides shows it all the same.
    await again.page.goto(
      `${again.page.url().split("#")[0]}#${encodeURIComponent("requirement:CORE-USER-01")}`,
    );
    await requirements.locator(`[id="requirement:CORE-USER-01"]`).waitFor({ state: "visible" });
  },
);

test.skipIf(withoutChromium)("everything can be reached and opened with the keyboard alone", async () => {
  await using report = await openReport();
  const { page } = report;
  await page.keyboard.press("Tab");
  expect(await page.evaluate<string>("document.activeElement.className")).toBe("skip");
  const summary = page.locator(`[id="case:${lateRebootCase}"] > summary`);
  await summary.focus();
  await page.keyboard.press("Enter");
  const pictures = page.locator(`[id="case:${lateRebootCase}"] svg[role=img]:visible`);
  await pictures.first().waitFor();
  // The delay with its band, the recovery with its observers, and the restart with its observations.
  expect(await pictures.count()).toBeGreaterThanOrEqual(2);
  const names = await page
    .getByRole("img")
    .evaluateAll((all) => all.map((one: { textContent: string }) => one.textContent));
  expect(names.filter((name) => name.trim() === "")).toEqual([]);
});

const looks: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["at the width of a phone", { colorScheme: "light", viewport: { width: 360, height: 740 } }],
];

test.skipIf(withoutChromium).each(looks)(
  "no violation of accessibility, %s, with all failures unfolded",
  async (_name, options) => {
    await using report = await openReport("#cases?verdict=fail", options);
    const { page } = report;
    // Equal rows need not all be examined: another test examines the page of a whole campaign.
    await page.locator("#requirements").getByLabel("Group").selectOption("services");
    await page.evaluate(
      "for (const one of document.querySelectorAll('details')) one.open = one.checkVisibility()",
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    const overflowPx = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(overflowPx).toBeLessThanOrEqual(0);
  },
);

test.skipIf(withoutChromium)("without its script the page still shows everything", async () => {
  await using report = await openReport("", { javaScriptEnabled: false });
  const { page, complaints } = report;
  const finding = page.locator(`[id="failure:CORE-CONFIG-31"]`);
  expect(await finding.innerText()).toMatch(/Limits\s*4\.5 to 5\.5 s/i);
  await page.locator(`[id="case:${lateRebootCase}"] > summary`).click();
  expect(await page.locator(`[id="case:${lateRebootCase}"] svg[role=img]:visible`).count()).toBeGreaterThan(
    0,
  );
  expect(await page.locator("form.filters:visible").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.skipIf(withoutChromium)("on paper nothing of a failure stays folded", async () => {
  await using report = await openReport();
  const { page } = report;
  // Runs after the page's own listener, when the page is as it will be on paper.
  await page.evaluate(
    "addEventListener('beforeprint', () => { window.folded = document.querySelectorAll('#failures details:not([open])').length; })",
  );
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect(await page.evaluate("folded")).toBe(0);
  expect(await page.locator("#failures details:not([open])").count()).toBeGreaterThan(0);
});

test("Allure's own page is made from the run, with a history that stands beside the run's folder", async () => {
  const { exitCode: code, stdout } = await rackproof(["report", folder, "--allure"]);
  expect([code, stdout.trim().split("\n").at(-1)]).toEqual([0, join(folder, "allure-report.html")]);
  expect(await readFile(join(folder, "allure-report.html"), "utf8")).toMatch(/^<!DOCTYPE html>/i);
  const history = await readFile(join(folder, "..", "allure-history.jsonl"), "utf8");
  expect(history.trim().split("\n")).toHaveLength(1);
});
