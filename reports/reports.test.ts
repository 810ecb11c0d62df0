import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CampaignRecord, CaseRecord } from "../record/campaign.ts";
import type { Exchange } from "../record/exchange.ts";
import { writeCampaign, writeExchanges } from "../record/store.ts";
import { writePage } from "./html/page.ts";
import { assertWellFormedHtml, assertWellFormedXml } from "./text/markupScanner.ts";
import { writeReports } from "./registry.ts";
import { summaryText } from "./text/terminal.ts";

const hostile = `</script><script>alert(1)</script> ]]> <!-- \`\`\` & "quoted" 'single' \u0000\u0007\u001b[31m \ud800 \uffff \u202egnp.exe é 漢 🙂`;

const spread = {
  name: `spread ${hostile}`,
  unit: "ms",
  count: 4,
  min: 0.4,
  max: 100,
  percentiles: [
    [50, 2],
    [99, 100],
  ] satisfies [number, number][],
  classes: [
    [0.5012, 1],
    [1.995, 2],
    [100, 1],
  ] satisfies [number, number][],
};

function caseRecord(id: string, verdict: CaseRecord["verdict"], requirement: string): CaseRecord {
  const passed = verdict === "pass";
  return {
    id,
    title: `Title of ${id} ${hostile}`,
    group: "reboot",
    requirements: [requirement],
    effect: "read-only",
    verdict,
    durationMs: 1234.5,
    seed: 7,
    ...(passed
      ? {}
      : { reason: `because ${hostile}`, reasonCode: "some-code", reproduce: `rackproof run '${hostile}'` }),
    ...(verdict === "fail" ? { curl: `curl '${hostile}'` } : {}),
    checks:
      verdict === "not-applicable"
        ? []
        : [
            {
              requirement,
              verdict,
              what: `what ${hostile}`,
              expected: `exp ${hostile}`,
              observed: `obs ${hostile}`,
              exchange: 1,
            },
          ],
    measurements: [
      {
        name: "delay",
        unit: "s",
        low: 7.8,
        high: 8.02,
        limitLow: 4.5,
        limitHigh: 5.5,
        observers: ["console line"],
        seenBy: [{ observer: `console ${hostile}`, low: 7.7, high: 8.02 }],
      },
    ],
    ...(verdict === "fail" ? figures : {}),
    notes: [hostile],
    decided: [{ requirement, verdict }],
  };
}

const figures: Partial<CaseRecord> = {
  timelines: [
    {
      title: `Restart ${hostile}`,
      entries: [
        { atMs: 0, who: hostile, what: hostile },
        { atMs: 900, who: "console", what: hostile, uncertainMs: 20 },
      ],
    },
  ],
  distributions: [spread],
  loadTrials: [
    { clients: 1, changesPerSec: 500, received: 1000, lost: 0, repeated: 0, disordered: 0 },
    { clients: 4, changesPerSec: 2000, received: 900, lost: 100, repeated: 0, disordered: 0 },
  ],
  cadences: [{ name: hostile, intervalMs: 100, gapsMs: [99, 101, 100] }],
};

const cases = [
  caseRecord("reboot/passes", "pass", "CORE-REBOOT-01"),
  caseRecord("reboot/fails", "fail", "CORE-REBOOT-02"),
  caseRecord("reboot/errs", "error", "CORE-REBOOT-03"),
  caseRecord("reboot/undecided", "inconclusive", "CORE-REBOOT-04"),
  caseRecord("reboot/absent", "not-applicable", "CORE-REBOOT-05"),
];

const record: CampaignRecord = {
  format: "rackproof/campaign@1",
  suite: { version: "0.1.0", interface: "Core 2.3.0" },
  gateway: { kind: "remote", name: `gw ${hostile}`, version: "1", baseUrl: "javascript:alert(1)" },
  profile: { name: "p", sha256: "00" },
  level: "nightly",
  seed: 7,
  selection: "",
  startedAt: "2026-03-01T02:00:00.000Z",
  endedAt: "2026-03-01T02:47:31.000Z",
  complete: true,
  machine: { cpu: "c", cores: 2, node: "v24", os: "Linux" },
  summary: { verdict: "non-conformant", pass: 1, fail: 1, inconclusive: 1, error: 1, notApplicable: 1 },
  requirements: cases.map((one) => ({
    id: one.requirements[0] ?? "",
    level: "stated" as const,
    group: "reboot",
    statement: `Statement of ${one.id} ${hostile}`,
    place: "Endpoints 5",
    verdict: one.verdict,
    cases: [one.id],
  })),
  cases,
  signIn: `TOKEN=$(curl '${hostile}')`,
  answerTimes: { all: spread, operations: [spread] },
  rig: {
    controls: ["power"],
    devices: [
      {
        name: hostile,
        kind: "modbus-tcp",
        simulated: true,
        address: hostile,
        points: 3,
        pollIntervalsMs: [20, 100],
      },
    ],
    missing: [hostile],
  },
  notes: [hostile],
};

const exchange: Exchange = {
  number: 1,
  operation: "setReboot",
  session: "admin",
  startedMs: 500,
  durationMs: 12,
  request: {
    method: "PUT",
    url: "http://127.0.0.1/a?b=<c>",
    headers: { "x-y": hostile },
    body: `{"id":12345678901234567890}`,
  },
  answer: { status: 400, headers: {}, body: hostile, bodyBytes: 99 },
};

const exchangesOf = (caseId: string): readonly Exchange[] => (caseId === "reboot/fails" ? [exchange] : []);

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

  it("says the verdict first, then each failure with what was expected and observed and how to see it again", async () => {
    const page = await written("report.html");
    const inOrder = [
      "Not conformant: 1 stated requirement failed",
      'id="failure:CORE-REBOOT-02"',
      "Expected",
      "Observed",
      "12345678901234567890",
      "Reproduce",
      "Copy by hand",
      'id="requirements"',
      'id="case:reboot/passes"',
    ].map((text) => page.indexOf(text));
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(page).toContain('href="exchanges/reboot.fails.json"');
    expect(page).not.toContain('href="exchanges/reboot.passes.json"');
  });

  it("writes a summary in Markdown that no value breaks out of", async () => {
    const summary = await written("summary.md");
    expect(summary).toMatch(/^## ❌ Not conformant: 1 stated requirement failed$/m);
    const [failure = ""] = /\*\*CORE-REBOOT-02\*\*[^]*?<\/details>/.exec(summary) ?? [];
    for (const text of ["expected: exp", "observed: obs", "rackproof run '", "curl '"]) {
      expect(failure).toContain(text);
    }
    const fenced = summary.replaceAll(/^(`{3,})sh\n[^]*?\n\1$/gm, "");
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

  it("goes on after a report that crashes and names it", async () => {
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

describe("the closing summary", () => {
  it("gives the verdict, the requirement in words and the command, and lets no control character through", () => {
    const text = summaryText(record, { reportFile: "runs/x/report.html", width: 80, colours: false });
    expect(text).toContain("✕ Not conformant: 1 stated requirement failed");
    expect(text).toContain("CORE-REBOOT-02");
    expect(text).toContain("Statement of reboot/fails");
    expect(text).toMatch(/again +rackproof run/);
    expect(text).toContain("Report  runs/x/report.html");
    // oxlint-disable-next-line no-control-regex -- control characters are what must be absent
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it("shows at most 20 failures", () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      caseRecord(`reboot/c${index}`, "fail", `CORE-REBOOT-${100 + index}`),
    );
    const text = summaryText({ ...record, cases: many }, { width: 80, colours: false });
    expect(text.match(/^✕ CORE-REBOOT/gm)).toHaveLength(20);
    expect(text).toContain("and 5 more requirements (5 findings) in the report");
  });
});
