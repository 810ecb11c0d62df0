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

test("integers with an exponent keep every digit", () => {
  const text =
    "[9.223372036854775809E18, -922337203685477580.8e1, 1.7976931348623157E308, 1234567890123456.75]";
  expect(parseJson(text)).toEqual([
    9_223_372_036_854_775_809n,
    -9_223_372_036_854_775_808n,
    Number.MAX_VALUE,
    1_234_567_890_123_456.75,
  ]);
});

test("digits inside strings and long fractions are left as they are", () => {
  expect(parseJson('["12345678901234567890", 0.12345678901234567890]')).toEqual([
    "12345678901234567890",
    0.123_456_789_012_345_68,
  ]);
});
