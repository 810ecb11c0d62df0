import { expect, test } from "vitest";
import { parseJson, stringifyJson } from "./json.ts";

test("integers beyond a double keep every digit, both ways", () => {
  const text = '{"a":18446744073709551615,"b":-9223372036854775808,"c":1.5,"d":[9007199254740991]}';
  expect(parseJson(text)).toEqual({
    a: 18_446_744_073_709_551_615n,
    b: -9_223_372_036_854_775_808n,
    c: 1.5,
    d: [9_007_199_254_740_991],
  });
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test("digits inside strings and long fractions are left as they are", () => {
  expect(parseJson('["12345678901234567890", 0.12345678901234567890]')).toEqual([
    "12345678901234567890",
    0.123_456_789_012_345_68,
  ]);
});
