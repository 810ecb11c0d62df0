import { expect, test } from "vitest";
import { toTagValue } from "./dataTypes.ts";

test.each([
  ["uint8", 255, 255],
  ["int8", -128, -128],
  ["uint64", 18_446_744_073_709_551_615n, 18_446_744_073_709_551_615n],
  ["uint64", "18446744073709551615", 18_446_744_073_709_551_615n],
  ["int64", -9_223_372_036_854_775_808n, -9_223_372_036_854_775_808n],
  ["int64", 5n, 5],
  ["double", 0.1, 0.1],
  ["boolean", true, true],
  ["string", "é", "é"],
  ["raw", "AAEC/w==", "AAEC/w=="],
] as const)("%s takes %s", (type, value, kept) => {
  expect(toTagValue(type, 0, value)).toBe(kept);
});

test("a float is stored as the shortest decimal that single precision cannot tell from it", () => {
  expect(toTagValue("float", 0, 0.1)).toBe(0.1);
  expect(Math.fround(Number(toTagValue("float", 0, 3.402_823_466_385_288_6e38)))).toBe(
    Math.fround(3.402_823_466_385_288_6e38),
  );
  expect(toTagValue("float", 0, 3.402_823_5e38)).toBe(3.402_823_5e38);
  expect(toTagValue("float", 0, 0.100_000_001)).toBe(0.1);
});

test.each([
  ["uint8", 256],
  ["uint8", -1],
  ["uint8", 1.5],
  ["uint8", "1"],
  ["uint64", 18_446_744_073_709_551_616n],
  ["int64", 9_223_372_036_854_775_808n],
  ["float", 1e39],
  ["double", Number.NaN],
  ["boolean", 1],
  ["string", 5],
  ["raw", "not base64!"],
] as const)("%s refuses %s with 400", (type, value) => {
  expect(() => toTagValue(type, 0, value)).toThrow(/^dataValue: /);
});

test("strings and raw values are limited to the tag's size in bytes", () => {
  expect(toTagValue("string", 2, "é")).toBe("é");
  expect(() => toTagValue("string", 1, "é")).toThrow(/at most 1 bytes/);
  expect(() => toTagValue("raw", 2, "AAEC/w==")).toThrow(/at most 2 bytes/);
});
