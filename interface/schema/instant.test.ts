import { expect, test } from "vitest";
import { epochMsOf } from "./instant.ts";
import { isRfc3339 } from "./validate.ts";

const expected = Date.UTC(1999, 11, 31, 23, 59, 59, 50);

test.each([
  "1999-12-31T23:59:59.05Z",
  "1999-12-31T23:59:59.050000000Z",
  "1999-12-31T14:29:59.05000000000-09:30",
  "1999-12-31t23:59:59.0509999999999z",
  "1999-12-31 23:59:60.05Z",
])("%s is an instant to the millisecond", (text) => {
  expect(epochMsOf(text)).toBe(expected);
  expect(isRfc3339(text)).toBe(true);
});

test("an HTTP date is an instant, any other text is none", () => {
  expect(epochMsOf("Fri, 31 Dec 1999 23:59:59 GMT")).toBe(expected - 50);
  expect(epochMsOf("soon")).toBeNaN();
  expect(epochMsOf("")).toBeNaN();
  expect(epochMsOf("1999-13-31T23:59:59Z")).toBeNaN();
});
