import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CampaignRecord } from "../record/campaign.ts";
import { writeCampaign, writeExchanges } from "../record/store.ts";
import { writePage } from "./html/page.ts";
import { assertWellFormedHtml, assertWellFormedXml } from "./text/markupScanner.ts";
import { writeReports } from "./registry.ts";
import { cases, caseRecord, exchange, exchangesOf, record } from "./testing/hostileRecord.ts";

describe("reports", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "rackproof-reports-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const written = async (name: string): Promise<string> => {
    await writeCampaign(folder, record);
    await writeExchanges(folder, "reboot/fails", [exchange]);
    expect(await writeReports(record, exchangesOf, folder)).toEqual([]);
    return readFile(join(folder, name), "utf8");
  };

  it("writes well-formed JUnit XML whatever a gateway said", async () => {
    const xml = await written("junit.xml");
    const elements = assertWellFormedXml(xml);
    const named = (name: string) => elements.filter((element) => element.name === name);
    expect(named("testsuites")[0]?.attributes).toMatchObject({
      tests: "5",
      failures: "1",
      errors: "1",
      skipped: "2",
    });
    expect(named("testcase").map((element) => element.attributes["name"])).toEqual(
      cases.map((one) => one.id),
    );
    expect(named("failure")).toHaveLength(1);
    expect(named("error")).toHaveLength(1);
    expect(named("skipped").map((element) => element.attributes["message"]?.split(":")[0])).toEqual([
      "inconclusive",
      "not applicable",
    ]);
    const properties = named("property").map((element) => element.attributes["name"]);
    expect(properties).toEqual(expect.arrayContaining(["seed", "gateway", "profile"]));
    expect(named("failure")[0]?.text).toContain("expected: exp </script><script>alert(1)</script> ]]>");
  });

  it("writes a page that nothing in the record can break out of", async () => {
    const page = await written("report.html");
    const elements = assertWellFormedHtml(page);
    const scripts = elements.filter((element) => element.name === "script");
    expect(scripts).toHaveLength(2);
    expect(page).not.toContain("<script>alert");
    expect(page).not.toMatch(/href="javascript:/);
    // oxlint-disable-next-line no-control-regex -- control characters are what must be absent
    expect(page).not.toMatch(/[\u0000-\u0008\u001b\ud800\u202e]/u);
    const ids = elements.flatMap((element) => element.attributes["id"] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = elements
      .flatMap((element) => element.attributes["href"] ?? [])
      .filter((href) => href[0] === "#");
    expect(anchors.filter((href) => !ids.includes(decodeURIComponent(href.slice(1))))).toEqual([]);
    expect(
      elements.filter((element) => element.name === "th" && element.attributes["scope"] === undefined),
    ).toEqual([]);
  });

  it("runs only the style and the script that the page's policy names", async () => {
    const page = await written("report.html");
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? "";
    const script = /<script>([^]*?)<\/script>/.exec(page)?.[1] ?? "";
    for (const text of [style, script]) {
      expect(page).toContain(`&#39;sha256-${createHash("sha256").update(text).digest("base64")}&#39;`);
    }
    expect(page).not.toMatch(/<(?:link|img|script|iframe)[^>]*(?:src|href)="(?:https?:)?\/\//);
    // Neither would the policy let them apply.
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page).not.toMatch(/<[^>]* style="/);
  });

  it("has for every picture a name, a description, and its figures in a table", async () => {
    const page = await written("report.html");
    const pictures = [
      ...page.matchAll(/<svg role="img" aria-labelledby="([\w-]+)" aria-describedby="([\w-]+)"/g),
    ];
    // In two widths each: the delay, the same over all cases, the restart, all answers, a spread, the load, a rhythm.
    expect(pictures.length).toBeGreaterThanOrEqual(2 * 7);
    for (const [, title, description] of pictures) {
      expect(page).toMatch(new RegExp(`<title id="${title}">[^<]+</title>`));
      expect(page).toMatch(new RegExp(`<desc id="${description}">[^<]+</desc>`));
    }
    for (const figures of ["100 (10 %)", ">50 %<", "20 to 100 ms", "7.8 to 8.02 s"])
      expect(page).toContain(figures);
    expect(page.replace(/<script>[^]*<\/script>/, "")).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("shows the verdict first, then each failure with statement, place, expected, observed and how to reproduce it", async () => {
    const page = await written("report.html");
    const inOrder = [
      "Not conformant: 1 stated requirement failed",
      'id="failure:CORE-REBOOT-02"',
      '<p class="statement">',
      "Interface document: Endpoints 5",
      "Expected",
      "Observed",
      "12345678901234567890",
      "Reproduce",
      "Copy curl",
      'id="requirements"',
      'id="case:reboot/passes"',
    ].map((text) => page.indexOf(text));
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(page).toContain('href="exchanges/reboot.fails.json"');
    expect(page).not.toContain('href="exchanges/reboot.passes.json"');
    expect(page).toMatch(/<dt>TLS certificate<\/dt>\s*<dd>SHA-256 ab12, /);
  });

  it("writes a summary in Markdown that no value breaks out of", async () => {
    const summary = await written("summary.md");
    expect(summary).toMatch(/^## ❌ Not conformant: 1 stated requirement failed$/m);
    const [failure = ""] = /\*\*CORE-REBOOT-02\*\*[^]*?<\/details>/.exec(summary) ?? [];
    for (const text of ["expected: exp", "observed: obs", "rackproof run '", "curl '"]) {
      expect(failure).toContain(text);
    }
    const fenced = summary.replaceAll(/^(`{3,})(?:sh|text)\n[^]*?\n\1$/gm, "");
    expect(fenced).not.toMatch(/(?<!\\)<(?!\/?(?:details|summary)>)/);
    expect(fenced).not.toContain("```");
  });

  it("writes one Allure result a case and no leftovers of an earlier writing", async () => {
    await written("junit.xml");
    await written("junit.xml");
    const files = await readdir(join(folder, "allure-results"));
    const results = await Promise.all(
      files
        .filter((name) => name.endsWith("-result.json"))
        .map(async (name) => {
          const result: unknown = JSON.parse(await readFile(join(folder, "allure-results", name), "utf8"));
          return result;
        }),
    );
    expect(results).toHaveLength(cases.length);
    expect(results).toContainEqual(
      expect.objectContaining({
        fullName: "reboot/fails",
        status: "failed",
        labels: expect.arrayContaining([{ name: "requirement", value: "CORE-REBOOT-02" }]),
        steps: [expect.objectContaining({ status: "failed" })],
        attachments: [expect.objectContaining({ name: "exchanges", type: "application/json" })],
      }),
    );
    const statuses = results.map((result) => (result as { status: string }).status);
    expect(statuses.toSorted()).toEqual(["broken", "failed", "passed", "skipped", "skipped"]);
  });

  it("keeps the page small enough to mail for a large gateway on a bad night", async () => {
    const many = Array.from({ length: 400 }, (_, index) => ({
      ...caseRecord(`reboot/case-${index}`, index % 4 === 0 ? "fail" : "pass", `CORE-REBOOT-${index}`),
      checks: Array.from({ length: 40 }, () => ({
        requirement: `CORE-REBOOT-${index}`,
        verdict: index % 4 === 0 ? ("fail" as const) : ("pass" as const),
        what: "what",
        expected: "e".repeat(300),
        observed: "o".repeat(300),
        exchange: 1,
      })),
    }));
    const big: CampaignRecord = {
      ...record,
      cases: many,
      requirements: Array.from({ length: 600 }, (_, index) => ({
        id: `CORE-REBOOT-${index}`,
        level: "stated" as const,
        group: "reboot",
        statement: "s".repeat(150),
        place: "Endpoints 5",
        verdict: index < 400 && index % 4 === 0 ? ("fail" as const) : ("pass" as const),
        cases: index < 400 ? [`reboot/case-${index}`] : [],
      })),
    };
    const long = {
      ...exchange,
      answer: { status: 200, headers: {}, body: "b".repeat(100_000), bodyBytes: 100_000 },
    };
    expect(
      await writeReports(
        big,
        () => Array.from({ length: 30 }, (_, index) => ({ ...long, number: index + 1 })),
        folder,
        [{ name: "report.html", write: writePage }],
      ),
    ).toEqual([]);
    expect((await readFile(join(folder, "report.html"))).length).toBeLessThan(5_000_000);
  });

  it("writes the other reports after one fails, and names the failed one", async () => {
    const done: string[] = [];
    const failures = await writeReports(record, exchangesOf, folder, [
      {
        name: "broken",
        write: () => {
          throw new Error("no space");
        },
      },
      { name: "whole", write: async () => void done.push("whole") },
    ]);
    expect(failures).toEqual(["report broken cannot be written: no space"]);
    expect(done).toEqual(["whole"]);
  });
});
