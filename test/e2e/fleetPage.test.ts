// The page of a fleet as people meet it: 300 gateways, 60 nights and 600 requirements in a real browser, light and dark, with a
// keyboard only.
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fleetPage } from "../../reports/fleet/fleetPage.ts";
import { codeOf } from "../../record/index.ts";
import { databaseAddress } from "../../workflows/fleet/address.ts";
import { FleetDatabase } from "../../workflows/fleet/database.ts";
import { findingsOf, groupFindings } from "../../workflows/fleet/findings.ts";
import { migrate } from "../../workflows/fleet/schema.ts";
import {
  accessibilityViolations,
  chromiumProgram,
  openBrowser,
  type RealBrowser,
} from "../support/browser.ts";
import { rackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";
import { lacks } from "../support/equipment.ts";
import { lacksPostgres, startPostgres } from "../support/postgres.ts";
import { planted, storeFleet, syntheticFleet } from "../support/syntheticFleet.ts";

const withoutChromium = lacks(chromiumProgram);
const stack = new AsyncDisposableStack();
const large = syntheticFleet({ gateways: 300, nights: 60, requirements: 600 });
const small = syntheticFleet({ gateways: 12, nights: 14, requirements: 60 });
const markup = '<img src=x onerror="alert(1)">';
let browser: RealBrowser;
let largePage = "";
let smallPage = "";

beforeAll(async () => {
  const folder = stack.use(await temporaryFolder()).path;
  const write = async (name: string, history: typeof large): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, fleetPage({ history, groups: groupFindings(findingsOf(history)) }));
    return pathToFileURL(file).href;
  };
  largePage = await write("large.html", large);
  const accepted = "quarantined until 2028-03-31, by anna, ticket 12; suite/case-3: expected 200, found 500";
  // Text of a gateway that looks like markup must stay text.
  const units = small.units.map((unit, index) => {
    if (index === 0)
      return { ...unit, turns: unit.turns.map((turn) => turn && { ...turn, firmware: markup }) };
    if (index !== 1 || unit.last === undefined) return unit;
    const results = unit.results.map((codes) => codes?.with(3, codeOf("quarantined")));
    const reasons = new Map([...unit.last.reasons, [small.requirements[3] ?? "", accepted]]);
    return { ...unit, results, last: { ...unit.last, reasons } };
  });
  smallPage = await write("small.html", { ...small, units });
  if (!withoutChromium) browser = stack.use(await openBrowser());
}, 60_000);
afterAll(() => stack.disposeAsync());

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent");

test.skipIf(withoutChromium)(
  "a fleet of 300 gateways is drawn, what fails on most of them first",
  async () => {
    await using open = await browser.page();
    await open.page.goto(largePage);
    await open.page.locator("[role=treegrid]").waitFor();
    expect(await open.page.locator("h1").innerText()).toContain("100 of 300 gateways not conformant");
    // Red first: what fails on most gateways.
    const second = open.page.locator(".by-night tbody tr").nth(1);
    expect(await second.locator(".id").innerText()).toContain(large.requirements[planted.defect]);
    expect(open.complaints).toEqual([]);
  },
);

test.skipIf(withoutChromium).each(["light", "dark"] as const)(
  "the table unfolds to the physical gateway with the keyboard only, in %s",
  async (colorScheme) => {
    await using open = await browser.page({ colorScheme });
    const { page, complaints } = open;
    await page.goto(smallPage);
    await page.locator("[role=treegrid]").waitFor();
    await page.locator("select[name=fold]").selectOption("firmware");
    await page.locator("[role=treegrid] [tabindex='0']").focus();
    const defect = small.requirements[planted.defect] ?? "";
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toContain(defect);
    for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    expect(await focused(page)).toContain("Firmware 2.0");
    for (const key of ["Enter", "ArrowDown"]) await page.keyboard.press(key);
    const [unit] = /^austin\/g\d+/.exec(await focused(page)) ?? [];
    for (const key of ["ArrowRight", "Enter"]) await page.keyboard.press(key);
    expect(await focused(page)).toMatch(/^2027-12-31 02:00, level nightly: failed$/);
    const detail = page.locator("#detail");
    expect(await detail.locator("p").last().innerText()).toBe("✕ 1 gateway failed");
    expect(await detail.locator("li").innerText()).toContain(`${unit} X · austin · model=X, serial=SN-`);
    expect(await detail.locator("li").innerText()).toContain("firmware 2.0");
    expect(await detail.innerText()).toContain("expected 200, found 500");
    expect(await accessibilityViolations(page)).toEqual([]);
    // To the oldest night, back to the gateway, up to its firmware, and fold.
    for (const key of ["End", "Home", "ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
    expect(await focused(page)).toContain("Firmware 2.0");
    expect(await page.locator("[aria-level='3']").count()).toBe(0);
    expect(await page.locator("[role=treegrid] [tabindex='0']").count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(await detail.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(withoutChromium)("filters choose gateways and requirements, and texts stay texts", async () => {
  await using open = await browser.page();
  const { page, complaints } = open;
  await page.goto(smallPage);
  const counter = page.locator("#matrix output");
  await page.locator("select[name=type]").selectOption("Y");
  expect(await counter.innerText()).toContain("4 gateways");
  await page.locator("select[name=type]").selectOption("");
  await page.locator("select[name=firmware]").selectOption(markup);
  expect(await page.locator(".by-night tbody tr").count()).toBeGreaterThan(1);
  await page.locator("select[name=firmware]").selectOption("");
  await page.locator("input[name=text]").fill("SN-004");
  expect(await counter.innerText()).toContain("1 gateway");
  await page.locator("select[name=rows]").selectOption("all");
  expect(await counter.innerText()).toMatch(/^60 requirements, 1 gateway$/);
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.skipIf(withoutChromium)(
  "what fails, is stale or was not run can be read without JavaScript",
  async () => {
    await using open = await browser.page({ javaScriptEnabled: false });
    await open.page.goto(smallPage);
    const findings = open.page.locator("#findings tbody tr");
    expect(await findings.first().innerText()).toMatch(
      /failed[^]*20 requirements[^]*berlin\/g000[^]*2027-12-30[^]*last good 2027-12-29/,
    );
    expect(await open.page.locator("#findings").innerText()).toContain("firmware 1.0 → 2.0");
    const quarantined = open.page.locator("#findings h3 + table tbody tr");
    expect(await quarantined.innerText()).toMatch(
      /quarantined until 2028-03-31, by anna, ticket 12; suite\/case-3/,
    );
    expect(await open.page.locator("#not-run tbody tr").first().innerText()).toMatch(
      /quito[^]*quarantined[^]*no sign of life/,
    );
    expect(await open.page.locator(".verdict").innerText()).toContain("Stale: 2 gateways");
  },
);

test.skipIf(withoutChromium || lacksPostgres())(
  "the served page follows the database, and keeps what its reader has unfolded",
  async () => {
    await using postgres = await startPostgres();
    const url = await postgres.create("page");
    await using database = await FleetDatabase.open(databaseAddress(url));
    await migrate(database);
    const whole = syntheticFleet({ gateways: 6, nights: 12, requirements: 30, atMs: Date.now() });
    await storeFleet(database, whole);
    await using served = await startUntil(["fleet", "serve", "--port", "0"], /shown at/, {
      RACKPROOF_DATABASE: url,
    });
    const address = /http:\S+\//.exec(served.line)?.[0] ?? "";
    const answers = await Promise.all([
      fetch(address, { method: "POST" }),
      fetch(`${address}other`),
      fetch(address, { method: "HEAD" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([405, 404, 200]);
    await using open = await browser.page({ offline: false });
    const { page } = open;
    await page.goto(address, { waitUntil: "commit" });
    const rows = page.locator(".by-night tbody tr");
    await rows.nth(1).locator("th").click();
    await page.locator("[aria-level='2']").first().waitFor();
    const nights = page.locator(".by-night thead th");
    expect(await nights.count()).toBe(1 + 12);

    await database.run(
      `INSERT INTO rackproof.night
         (started_at, started_by, level, selection, seed, retries, limit_ms, suite_version, state, expires_at)
       VALUES (now(), 'a test', 'smoke', '', 1, 0, 1, '1', 'running', now())`,
    );
    await database.run(
      `INSERT INTO rackproof.turn (night, gateway, lab, expected, left_out, state, begun_at)
       SELECT 13, id, lab, '[]', '{}', 'running', now() FROM rackproof.gateway WHERE lab = 'berlin'`,
    );
    await page.locator("#not-run").getByText("▸ running").waitFor();
    const tail =
      "INSERT INTO rackproof.tail SELECT 13, id, 0, $1, now() FROM rackproof.gateway WHERE lab = 'berlin'";
    await database.run(tail, [JSON.stringify(["pass  users/listed (3 ms)", markup])]);
    await page.locator("#running li").first().getByText(markup).waitFor();
    await page.waitForFunction("document.querySelectorAll('.by-night thead th').length === 14");
    expect(await page.locator("[aria-level='2']").count()).toBeGreaterThan(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(open.complaints.filter((one) => !one.startsWith(`asked for ${address}`))).toEqual([]);

    // The same history decides who is notified: the broken gateway has failed in two nights.
    const denying = createServer((_, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => denying.listen(0, "127.0.0.1", () => resolve()));
    await using _denying = { [Symbol.asyncDispose]: async () => void denying.close() };
    const { port } = denying.address() as AddressInfo;
    await using folder = await temporaryFolder();
    const file = join(folder.path, "notify.yaml");
    await writeFile(
      file,
      `alertAfter: 2\ngithubIssue: [{ repository: me/it, tokenVariable: TOKEN, api: 'http://127.0.0.1:${port}' }]\n`,
    );
    const environment = { RACKPROOF_DATABASE: url, TOKEN: "token" };
    const failed = await rackproof(["notify", file, "--fleet", "--night", "12"], environment);
    expect(failed).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/expected 2xx, found 401.*\[NOTIFY_FAILED\]$/),
    });
    const quiet = await rackproof(["notify", file, "--fleet", "--night", "10"], environment);
    expect(quiet).toMatchObject({ exitCode: 0, stdout: "nobody notified: no alert and no end of one" });
  },
);
