import { expect, test } from "vitest";
import { firstNumber } from "./sequenceLoad.ts";

const endOfUint64 = 2 ** 64 - 1;

test.each([
  [[], 1],
  [[7, 3], 8],
  [[-5], 1],
  [[endOfUint64, 12], 13],
  [[2 ** 31 - 1, 2 ** 31 - 10], 1],
  [[endOfUint64, 20_000_000, 5], 20_000_001],
])("a load over points at %j begins with %d", (held, first) => {
  expect(firstNumber(held)).toBe(first);
});
