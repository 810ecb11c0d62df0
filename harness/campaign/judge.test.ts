import { expect, test } from "vitest";
import { requirements } from "../../interface/requirements/index.ts";
import type { CampaignRecord, CaseRecord } from "../../record/campaign.ts";
import type { Exchange } from "../../record/exchange.ts";
import { campaignWith, caseWith } from "../../record/testing/campaigns.ts";
import { endOf } from "./ending.ts";
import { judgeAgain } from "./judge.ts";
import { rollUpRequirements, summarise } from "./rollUp.ts";

const requirement = requirements.find((one) => one.level === "stated")?.id ?? "";

function caseRecord(change: Partial<CaseRecord>): CaseRecord {
  return caseWith({
    id: "some/case",
    title: "Something holds",
    requirements: [requirement],
    checks: [{ requirement, verdict: "pass", what: "delay", expected: "", observed: "" }],
    decided: [{ requirement, verdict: "pass" }],
    ...change,
  });
}

function record(...cases: CaseRecord[]): CampaignRecord {
  const rolledUp = rollUpRequirements(cases, () => true);
  return campaignWith({
    level: "nightly",
    summary: summarise(cases, rolledUp, true),
    requirements: rolledUp,
    cases,
  });
}

const nothing = (): Promise<readonly Exchange[]> => Promise.resolve([]);

test("a case without a value to check names what is missing, also when judged again", async () => {
  const checks: CaseRecord["checks"] = [
    { requirement, verdict: "not-applicable", what: "the rate", expected: "", observed: "none is declared" },
  ];
  const stored = record(caseRecord({ ...endOf([requirement], checks), checks }));
  const { record: judged } = await judgeAgain(stored, nothing);
  for (const { cases } of [stored, judged])
    expect(cases[0]).toMatchObject({ verdict: "not-applicable", reason: "the rate: none is declared" });
});

test("a measurement is compared with its limits again", async () => {
  const measured = (low: number, high: number): CampaignRecord =>
    record(
      caseRecord({
        measurements: [{ name: "delay", unit: "s", low, high, limitLow: 4.5, limitHigh: 5.5, observers: [] }],
      }),
    );
  expect((await judgeAgain(measured(4.9, 5.1), nothing)).differences).toEqual([]);
  const outside = await judgeAgain(measured(5.6, 5.7), nothing);
  expect(outside.record.summary.verdict).toBe("non-conformant");
  expect(outside.differences).toContain("case some/case: was pass, is fail");
  const across = await judgeAgain(measured(5.4, 5.7), nothing);
  expect(across.record.cases[0]).toMatchObject({ verdict: "inconclusive", reasonCode: "undecided-check" });
});

test("what ended early stays as it ended, unless a breach was seen", async () => {
  const early = { verdict: "inconclusive", reasonCode: "no-answer", reason: "nothing came" } as const;
  const decided = [{ requirement, verdict: "inconclusive" as const }];
  expect((await judgeAgain(record(caseRecord({ ...early, decided })), nothing)).differences).toEqual([]);
  const checks = [{ requirement, verdict: "fail" as const, what: "w", expected: "e", observed: "o" }];
  const { record: judged } = await judgeAgain(record(caseRecord({ ...early, decided, checks })), nothing);
  expect(judged.cases[0]).toMatchObject({ verdict: "fail", reasonCode: "check-failed" });
});

test("a pass without a check of its requirement does not stay a pass", async () => {
  const { record: judged } = await judgeAgain(record(caseRecord({ checks: [] })), nothing);
  expect(judged.cases[0]).toMatchObject({ verdict: "error", reasonCode: "not-verified" });
});

test("stored answers are compared with their stated shape again", async () => {
  const answered = (body: string, bodyBytes = body.length): Exchange => ({
    number: 1,
    operation: "listPermissions",
    session: "admin",
    startedMs: 0,
    durationMs: 1,
    request: { method: "GET", url: "http://g/permissions", headers: {} },
    answer: { status: 200, headers: { "content-type": "application/json" }, body, bodyBytes },
  });
  const judge = (exchange: Exchange): ReturnType<typeof judgeAgain> =>
    judgeAgain(record(caseRecord({})), () => Promise.resolve([exchange]));
  const shapeOf = async (exchange: Exchange): Promise<string | undefined> =>
    (await judge(exchange)).record.cases.find((one) => one.id === "shape/listPermissions")?.verdict;
  expect(await shapeOf(answered('{"count":1,"data":[{"id":"A","name":"n","description":"d"}]}'))).toBe(
    "pass",
  );
  expect(await shapeOf(answered('{"count":1,"data":[{"id":7,"name":"n","description":"d"}]}'))).toBe("fail");
  expect(await shapeOf(answered('{"count":1,"data":[{"id":', 1_000_000))).toBeUndefined();
});
