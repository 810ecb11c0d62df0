import { expect, test } from "vitest";
import { defaultPatience } from "../profile/profile.ts";
import { caseDeadlineMs } from "./caseDeadline.ts";

test.each([
  [10_000, undefined, 60_000],
  [42_000, undefined, 252_000],
  [42_000, 120_000, 504_000],
  [1000, 120_000, 120_000],
])("waits of %i ms for an effect and a deadline of %s give %i ms", (settleMs, deadlineMs, expected) => {
  const testCase = deadlineMs === undefined ? {} : { deadlineMs };
  expect(caseDeadlineMs(testCase, { patience: { ...defaultPatience, settleMs } })).toBe(expected);
});
