import { expect, test } from "vitest";
import { caseRecord, record } from "../testing/hostileRecord.ts";
import { longestChain, timeText } from "./timeText.ts";

const ran = (id: string, fromMs: number, untilMs: number, after?: string): ReturnType<typeof caseRecord> => ({
  ...caseRecord(id, "pass", "CORE-AUTH-01"),
  ran: { gateway: 0, fromMs, untilMs, ...(after === undefined ? {} : { after }) },
});

const cases = [
  ran("auth/a", 500, 2500),
  ran("auth/b", 500, 4000),
  ran("log/c", 2500, 9000, "auth/a"),
  ran("log/d", 4000, 5000, "auth/b"),
  caseRecord("log/not-run", "inconclusive", "CORE-LOG-01"),
];

test("the chain leads from the last case back to one that could start at once", () => {
  expect(longestChain({ cases }).map(({ id }) => id)).toEqual(["auth/a", "log/c"]);
});

test("each case of the chain is listed with what it waited for", () => {
  const text = timeText({ ...record, cases }, (id, after) => `${after} before ${id}`, undefined);
  expect(text).toContain("2 of 4 cases, 8.5 s of");
  expect(text).toMatch(/0\.5 +2\.0 +1 +auth\/a +start and health check/);
  expect(text).toMatch(/2\.5 +6\.5 +1 +log\/c +auth\/a before log\/c/);
});

test("a run without a case says that none ran", () => {
  expect(timeText({ ...record, cases: [] }, () => "", undefined)).toBe("No case ran.\n");
});
