import { expect, test } from "vitest";
import type { CheckRecord } from "../../record/index.ts";
import { verdictFor } from "./ending.ts";

const requirement = "CORE-POWER-01";

test.each([
  ["fail", "fail"],
  ["advice", "advice"],
  ["pass", "inconclusive"],
] as const)("%s before an early end is %s", (seen, decided) => {
  const checks: CheckRecord[] = [{ requirement, verdict: seen, what: "", expected: "", observed: "" }];
  expect(verdictFor(requirement, checks, { verdict: "inconclusive", reasonCode: "unmet" })).toBe(decided);
});
