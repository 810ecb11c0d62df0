import { expect, test } from "vitest";
import type { CampaignRecord, RequirementRecord } from "./campaign.ts";
import { testsNothingStated } from "./statedScope.ts";

const requirement = (level: RequirementRecord["level"], verdict: RequirementRecord["verdict"]) => ({
  id: "CORE-AUTH-90",
  level,
  group: "auth",
  statement: "s",
  place: "p",
  verdict,
  cases: [],
});
const stated = requirement("stated", "not-covered");
const advised = requirement("recommended", "advice");
const record = (change: Partial<Parameters<typeof testsNothingStated>[0]>): boolean =>
  testsNothingStated({
    complete: true,
    requirements: [stated, advised],
    summary: { verdict: "inconclusive", pass: 2, fail: 0, inconclusive: 0, error: 0, notApplicable: 1 },
    ...change,
  } as CampaignRecord);

test("a run without a stated requirement whose cases all passed leaves conformance open for this reason only", () => {
  expect(record({})).toBe(true);
  expect(record({ requirements: [requirement("stated", "not-applicable"), advised] })).toBe(true);
  expect(record({ requirements: [requirement("stated", "pass")] })).toBe(false);
  expect(record({ complete: false })).toBe(false);
  const summary = { verdict: "inconclusive" as const, notApplicable: 0 };
  expect(record({ summary: { ...summary, pass: 1, fail: 1, inconclusive: 0, error: 0 } })).toBe(false);
  expect(record({ summary: { ...summary, pass: 1, fail: 0, inconclusive: 1, error: 0 } })).toBe(false);
  // Nothing ran that passed: every case was not applicable.
  expect(record({ summary: { ...summary, pass: 0, fail: 0, inconclusive: 0, error: 0 } })).toBe(false);
});
