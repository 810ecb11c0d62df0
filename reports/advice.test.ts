import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CampaignRecord, RequirementRecord } from "../record/index.ts";
import { writeReports } from "./registry.ts";
import { caseRecord, record } from "./testing/hostileRecord.ts";
import { headline } from "./text/headline.ts";
import { assertWellFormedHtml, assertWellFormedXml } from "./text/markupScanner.ts";
import { summaryText } from "./text/terminal.ts";

const requirement = (id: string, change: Partial<RequirementRecord>): RequirementRecord => ({
  id,
  level: "stated",
  group: "reboot",
  statement: `Statement of ${id}`,
  place: "Endpoints 5",
  verdict: "pass",
  cases: [],
  ...change,
});

const advised = {
  ...caseRecord("auth/advised", "pass", "CORE-AUTH-90"),
  checks: [
    {
      requirement: "CORE-AUTH-90",
      verdict: "advice" as const,
      what: "status of the old token",
      expected: "401",
      observed: "200 <b>",
    },
  ],
  decided: [{ requirement: "CORE-AUTH-90", verdict: "advice" as const }],
  notes: [],
  title: "Advised",
};
const source = "RFC 9700, 4.14 <script>";
const withAdvice: CampaignRecord = {
  ...record,
  cases: [{ ...caseRecord("reboot/passes", "pass", "CORE-REBOOT-01"), notes: [] }, advised],
  requirements: [
    requirement("CORE-REBOOT-01", {}),
    requirement("CORE-AUTH-90", { level: "recommended", source, verdict: "advice", group: "auth" }),
  ],
  summary: { verdict: "conformant", pass: 2, fail: 0, inconclusive: 0, error: 0, notApplicable: 0 },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-advice-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("advice has a section of its own with its source, and is no failure in any report", async () => {
  expect(await writeReports(withAdvice, () => [], folder)).toEqual([]);
  const page = await readFile(join(folder, "report.html"), "utf8");
  assertWellFormedHtml(page);
  const section = /<section id="advice"[^]*?<\/section>/.exec(page)?.[0] ?? "";
  for (const text of ["Advice on 1 requirement", "CORE-AUTH-90", "RFC 9700, 4.14 &lt;script&gt;", "401"])
    expect(page).toContain(text);
  expect(section).toContain("no failure and changes no verdict");
  expect(page).not.toContain('id="failures"');
  const summary = await readFile(join(folder, "summary.md"), "utf8");
  expect(summary).toContain("### Advice on 1 requirement");
  expect(summary).toMatch(/\*\*CORE-AUTH-90\*\* .*Source: RFC 9700/);
  expect(summary).toMatch(/^## ✅ Conformant$/m);
  expect(summary).not.toContain("failed");
  const xml = await readFile(join(folder, "junit.xml"), "utf8");
  const elements = assertWellFormedXml(xml);
  expect(elements.find(({ name }) => name === "testsuites")?.attributes).toMatchObject({
    failures: "0",
    errors: "0",
    skipped: "0",
  });
  const [text] = elements
    .filter(({ name }) => name === "system-out")
    .map((element) => element.text)
    .slice(1);
  expect(text).toContain("CORE-AUTH-90: status of the old token: advice");
  expect(text).toContain("RFC 9700");
});

test("the terminal lists advice below the verdict", () => {
  const text = summaryText(withAdvice, { width: 100, colours: false });
  expect(text).toContain("✓ Conformant\n");
  expect(text).toContain("Advice on 1 requirement, which changes no verdict");
  expect(text).toMatch(/Advice\ni CORE-AUTH-90 RFC 9700[^]*observed +200 <b>/);
  expect(text).not.toContain("✕");
});

test("failed declarations of the gateway's own are in the headline and right below it", () => {
  const failed = (id: string) => ({ ...caseRecord(`x/${id}`, "fail", id), notes: [] });
  const declared = {
    ...withAdvice,
    cases: [...withAdvice.cases, failed("CORE-APP-90"), failed("CORE-APP-91"), failed("CORE-LOG-90")],
    requirements: [
      ...withAdvice.requirements,
      requirement("CORE-LOG-90", { level: "published", verdict: "fail" }),
      requirement("CORE-APP-90", { level: "declared", isDeclared: true, verdict: "fail" }),
      requirement("CORE-APP-91", { level: "declared", isDeclared: true, verdict: "fail" }),
    ],
  };
  const { title, reasons } = headline(declared);
  expect(title).toBe("Conformant; 2 of its own declarations failed");
  expect(reasons).toEqual([
    "1 of 1 stated requirement tested, all passed",
    "Own declaration failed: CORE-APP-90: Statement of CORE-APP-90",
    "Own declaration failed: CORE-APP-91: Statement of CORE-APP-91",
    "1 other requirement failed; these do not decide conformance",
    "Advice on 1 requirement, which changes no verdict",
  ]);
  const text = summaryText(declared, { width: 100, colours: false });
  const order = ["CORE-APP-90 (its own declaration", "CORE-APP-91 (its own", "CORE-LOG-90 (published"];
  const found = order.map((part) => text.indexOf(part));
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});
