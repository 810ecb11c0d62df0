// Pages and Markdown for people, made from content that wants to break out of them.
import { expect, test } from "vitest";
import type { Certificate } from "../record/certificate.ts";
import type { GateResult } from "../record/gate.ts";
import { certificatePage } from "./certificate/certificatePage.ts";
import { gateMarkdown } from "./gate/gateMarkdown.ts";
import { gatePage } from "./gate/gatePage.ts";
import { assertWellFormedHtml } from "./text/markupScanner.ts";
import type { Trend } from "../record/trend.ts";
import { formMarkdown, formPage } from "./certificate/profileForm.ts";
import { soakPage } from "./soak/soakPage.ts";
import { soakOf } from "./testing/soaks.ts";
import { trendPage } from "./trend/trendPage.ts";

const hostile = `</style><script>alert(1)</script> "q" 'q' & | * _x_ \`c\` [l](http://x) \u001b[31m \u202eevil`;
const zeros = "0".repeat(64);

const certificate: Certificate = {
  format: "rackproof/certificate@1",
  issuer: hostile,
  issuedAt: "2027-01-01T00:00:00.000Z",
  validFrom: "2027-01-01T00:00:00.000Z",
  validTo: "2028-01-01T00:00:00.000Z",
  gateway: {
    name: hostile,
    kind: "remote",
    firmware: hostile,
    tls: [
      {
        fingerprint: "ab12",
        subject: `CN=${hostile}`,
        issuer: "CN=lab",
        validTo: "Nov 22 10:00:00 2027 GMT",
      },
    ],
  },
  profile: { name: hostile, sha256: zeros, capabilities: [hostile] },
  suite: { version: "1.0.0", interface: "Core 2.3.0" },
  requirementSet: { name: "1.0", sha256: zeros },
  run: {
    level: "certification",
    seed: 1,
    startedAt: "2027-01-01T00:00:00.000Z",
    endedAt: "2027-01-01T00:05:00.000Z",
    campaignSha256: zeros,
    digestsSha256: zeros,
  },
  requirements: [
    { id: "CORE-REBOOT-01", verdict: "pass" },
    { id: "CORE-REBOOT-02", verdict: "fail" },
    { id: "CORE-LATER-01", verdict: "not-covered" },
  ],
  cases: [],
  measurements: [
    { case: hostile, name: hostile, unit: "s", low: 1, high: 2, limitLow: 1, limitHigh: 3, observers: [] },
  ],
  beside: [{ id: hostile, level: "declared", verdict: "fail" }],
  advice: [{ id: "CORE-AUTH-90", source: hostile }],
  waivers: [
    {
      check: hostile,
      requirement: "CORE-REBOOT-02",
      reason: hostile,
      who: hostile,
      expires: "2027-02-01",
      evidenceSha256: zeros,
    },
  ],
};

const gate: GateResult = {
  verdict: "hold",
  reasons: [{ kind: "new-failure", subject: hostile, text: hostile }],
  open: [{ kind: "undecided", subject: hostile, text: hostile }],
  notes: [hostile],
  comparisons: [
    {
      case: hostile,
      name: hostile,
      unit: hostile,
      worse: "higher",
      baselineCount: 10,
      count: 10,
      baselineMedian: 0,
      median: 5,
      worseBy: 5,
      uncertainty: 0,
      worseByPercent: Infinity,
      thresholdPercent: 10,
      pValue: 0.00001,
      effect: 1,
      result: "worse",
    },
  ],
  subject: hostile,
  baseline: hostile,
};
const form = { title: hostile, tables: [{ title: hostile, columns: [hostile], rows: [[hostile]] }] };

const cell = { outcome: "fail", reason: hostile } as const;
const trend: Trend = {
  rack: hostile,
  nights: [
    {
      id: 1,
      startedAt: "2027-01-01T00:00:00.000Z",
      level: hostile,
      selection: hostile,
      suiteVersion: hostile,
      state: "killed",
    },
  ],
  gateways: [
    {
      name: hostile,
      turns: [
        { outcome: "set-aside", reason: hostile, firmware: hostile, withoutParts: [hostile], attempts: 1 },
      ],
      cases: new Map([[hostile, [cell]]]),
      requirements: new Map([[hostile, [cell]]]),
      leftOut: new Map([[hostile, hostile]]),
      slower: gate.comparisons,
    },
  ],
  changes: [{ kind: "newly-failing", gateway: hostile, subjects: [hostile], text: hostile }],
};

test.each([
  ["certificate", certificatePage(certificate, { fileSha256: zeros, keyId: "key", fileName: hostile })],
  ["gate", gatePage(gate)],
  ["form", formPage(form)],
  ["trend", trendPage(trend).replaceAll(/ href="#[^"]*"/g, "")],
  ["soak", soakPage(soakOf(hostile)).replaceAll(/ href="#[^"]*"/g, "")],
])("the page of the %s is well-formed, has no script, and asks for nothing from a network", (_name, page) => {
  const elements = assertWellFormedHtml(page);
  expect(elements.filter((one) => one.name === "script")).toEqual([]);
  const links = elements.flatMap(({ attributes }) => [attributes["src"], attributes["href"]]);
  expect(links.filter((link) => link !== undefined && link !== "data:,")).toEqual([]);
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  expect(page).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/);
});

test("a waived requirement is counted as waived, and one that was never seen as such", () => {
  const page = certificatePage(certificate, { fileSha256: zeros, keyId: "key", fileName: "c.json" });
  expect(page).toContain("SHA-256 ab12, CN=");
  expect(page).toContain("issued by CN=lab, valid to 2027-11-22 10:00:00 UTC");
  expect(page).toMatch(/<h2>Advice<\/h2>[^]*CORE-AUTH-90/);
  const [, totals = ""] = /<tfoot>([\s\S]*)<\/tfoot>/.exec(page) ?? [];
  expect([...totals.matchAll(/<td>(\d+)<\/td>/g)].map(([, count]) => count)).toEqual(["1", "1", "0", "1"]);
});

test("Markdown keeps every value on its line, in its cell, and as it is", () => {
  for (const markdown of [gateMarkdown(gate), formMarkdown(form)]) {
    const values = markdown.split("\n").filter((line) => line.includes("alert"));
    expect(values.length).toBeGreaterThan(2);
    for (const line of values) {
      expect(line).not.toMatch(/(?<!\\)<script/);
      expect(line).not.toMatch(/(?<!\\)\[l\]/);
    }
  }
});
