import { expect, test } from "vitest";
import { clockRemark } from "./health.ts";

const nowMs = Date.parse("2027-01-01T00:00:00Z");

test.each([
  ["Fri, 01 Jan 2027 00:00:04 GMT", undefined],
  ["no date", undefined],
  [undefined, undefined],
  [
    "Fri, 01 Jan 2027 00:01:00 GMT",
    "the gateway's clock is 60 s ahead of the clock of this machine (Date Fri, 01 Jan 2027 00:01:00 GMT)",
  ],
  [
    "Thu, 31 Dec 2026 23:59:50 GMT",
    "the gateway's clock is 10 s behind the clock of this machine (Date Thu, 31 Dec 2026 23:59:50 GMT)",
  ],
])("the gateway's clock is noted when it differs by more than 5 s: %s", (date, remark) => {
  expect(clockRemark({ headers: date === undefined ? {} : { date } }, nowMs)).toBe(remark);
});
