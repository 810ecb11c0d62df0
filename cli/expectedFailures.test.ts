import { expect, test } from "vitest";
import type { CampaignRecord } from "../record/campaign.ts";
import { compareWithExpected } from "./expectedFailures.ts";

type Cases = CampaignRecord["cases"];
const aCase = (id: string, verdict: "pass" | "fail", requirement: string): Cases[number] => ({
  id,
  title: id,
  group: "general",
  requirements: [requirement],
  effect: "read-only",
  verdict,
  durationMs: 1,
  seed: 1,
  checks: [],
  measurements: [],
  notes: [],
  decided: [{ requirement, verdict }],
});
const requirement = (id: string, level: "stated" | "published"): CampaignRecord["requirements"][number] => ({
  id,
  level,
  group: "general",
  statement: id,
  place: "",
  verdict: "fail",
  cases: [],
});
const record = {
  requirements: [requirement("R-1", "stated"), requirement("R-2", "stated"), requirement("R-3", "published")],
  cases: [
    aCase("a/known", "fail", "R-1"),
    aCase("a/new", "fail", "R-2"),
    aCase("a/beside", "fail", "R-3"),
    aCase("a/mended", "pass", "R-1"),
  ],
} as unknown as CampaignRecord;

test("a failure on the list is expected, another stated one is not, a published one never counts", () => {
  const expected = [{ case: "a/known", reason: "ticket 12" }];
  expect(compareWithExpected(record, expected)).toEqual({
    unexpected: ["R-2"],
    isUndecided: false,
    stale: [],
  });
});

test("a case on the list that passes is stale", () => {
  expect(compareWithExpected(record, [{ case: "a/mended", reason: "was broken" }]).stale).toEqual([
    "a/mended",
  ]);
});
