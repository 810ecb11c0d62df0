import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CampaignRecord } from "../record/index.ts";
import { caseRecord, record } from "./testing/hostileRecord.ts";
import { writeReports } from "./registry.ts";
import { headline } from "./text/headline.ts";
import { summaryText } from "./text/terminal.ts";

const unrun = (number: number) => ({
  ...caseRecord(`reboot/unrun-${number}`, "inconclusive", `CORE-REBOOT-5${number}`),
  reason: "not run: the gateway was lost",
  reasonCode: "not-run",
  notes: [],
});
const requirement = (id: string, verdict: "pass" | "inconclusive") => ({
  id,
  level: "stated" as const,
  group: "reboot",
  statement: "s",
  place: "p",
  verdict,
  cases: [],
});
const lost: CampaignRecord = {
  ...record,
  complete: false,
  summary: { verdict: "inconclusive", pass: 1, fail: 0, inconclusive: 3, error: 0, notApplicable: 0 },
  cases: [caseRecord("reboot/passes", "pass", "CORE-REBOOT-01"), unrun(1), unrun(2), unrun(3)],
  requirements: [
    requirement("CORE-REBOOT-01", "pass"),
    ...[1, 2, 3].map((number) => requirement(`CORE-REBOOT-5${number}`, "inconclusive")),
  ],
  trouble: {
    kind: "gateway-lost",
    part: "reachable",
    expected: "the gateway answers after reboot/x",
    found: "no answer within 2000 ms",
    remedy: "check the gateway's power",
    since: "2026-03-01T02:10:00.000Z",
  },
};

test("a failure of the lab is one message on top, and the cases that it left out are folded", () => {
  const text = summaryText(lost, { width: 120, colours: false });
  expect(text).toContain(
    [
      "? No verdict: the gateway was lost",
      "  Expected: the gateway answers after reboot/x",
      "  Found: no answer within 2000 ms, since 2026-03-01T02:10:00.000Z",
      "  Fix: check the gateway's power",
      "  1 of 4 stated requirements tested, all passed; 3 not run",
      "  4 cases: 1 passed, 3 not run",
    ].join("\n"),
  );
  expect(text).not.toContain("reboot/unrun");
});

test("a health check that failed leaves only its message", () => {
  const { trouble } = lost;
  if (trouble === undefined) throw new Error("no trouble");
  const failed: CampaignRecord = {
    ...lost,
    trouble: { ...trouble, kind: "health-check", part: "sign-in", found: "401" },
  };
  expect(headline(failed)).toEqual({
    title: "No verdict: sign-in failed",
    reasons: [
      "Expected: the gateway answers after reboot/x",
      "Found: 401, since 2026-03-01T02:10:00.000Z",
      "Fix: check the gateway's power",
    ],
  });
});

test("what failed before the gateway was lost stays a failure", () => {
  const { title, reasons } = headline({
    ...lost,
    cases: [...lost.cases, caseRecord("reboot/fails", "fail", "CORE-REBOOT-02")],
    requirements: [...lost.requirements, { ...requirement("CORE-REBOOT-02", "pass"), verdict: "fail" }],
    summary: { ...lost.summary, verdict: "non-conformant", fail: 1 },
  });
  expect(title).toBe("Not conformant: 1 stated requirement failed");
  expect(reasons[0]).toBe("The run ended early: the gateway was lost");
});

test("operations of the interface that the profile leaves out stand in the verdict's lines", () => {
  const { trouble: _none, ...whole } = lost;
  const notServed = [
    "createRole",
    "updateRole",
    "addUser",
    "updateUser",
    "createEvent",
    "setReboot",
    "readTag",
  ];
  expect(headline({ ...whole, profile: { ...whole.profile, notServed } }).reasons).toContain(
    "Declared as not served: 7 operations of the interface: createRole, updateRole, addUser, updateUser, createEvent, 2 more",
  );
  expect(headline(whole).reasons.join()).not.toContain("not served");
});

test("what the run could not restore is in the verdict's lines and in the summary of a build server", async () => {
  const change = (number: number) => ({
    what: `http-server member${number}`,
    from: "80",
    to: "8080",
    case: "httpserver/moves",
  });
  const { trouble: _none, ...whole } = lost;
  const left: CampaignRecord = {
    ...whole,
    gateway: { ...whole.gateway, kind: "remote" },
    complete: true,
    left: [1, 2, 3, 4, 5, 6, 7].map(change),
  };
  expect(headline(left).reasons.slice(1)).toEqual([
    ...[1, 2, 3, 4, 5].map(
      (number) => `Left changed: http-server member${number}: before 80, now 8080 (httpserver/moves)`,
    ),
    "Left changed: 2 more parts of the gateway's state (campaign.json)",
  ]);
  const ended = { ...left, gateway: { ...left.gateway, kind: "process" } };
  expect(headline(ended).reasons.slice(1)).toEqual([
    "Nothing is left changed: the gateway ended with the run; 7 parts of its state differed then (campaign.json)",
  ]);
  const twice = [change(1), { ...change(1), to: "8081", case: "httpserver/moves-again" }];
  expect(headline({ ...left, left: twice }).reasons.slice(1)).toEqual([
    "Left changed: http-server member1: before 80, now 8081 (httpserver/moves, httpserver/moves-again)",
  ]);
  const folder = await mkdtemp(join(tmpdir(), "rackproof-left-"));
  try {
    expect(await writeReports(left, () => [], folder)).toEqual([]);
    for (const name of ["summary.md", "report.html"])
      expect(await readFile(join(folder, name), "utf8")).toContain("Left changed: http-server member1");
  } finally {
    await rm(folder, { recursive: true });
  }
});
