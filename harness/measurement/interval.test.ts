import { expect, test } from "vitest";
import { decide, difference } from "./interval.ts";

const limits = { low: 4.5, high: 5.5 };

test("an interval inside the limits passes, also when it touches them", () => {
  expect(decide({ low: 4.5, high: 5.5 }, limits)).toBe("pass");
  expect(decide({ low: 5, high: 5.01 }, limits)).toBe("pass");
});

test("an interval wholly outside fails on either side", () => {
  expect(decide({ low: 4.3, high: 4.49 }, limits)).toBe("fail");
  expect(decide({ low: 5.51, high: 9 }, limits)).toBe("fail");
});

test("an interval that straddles a limit is inconclusive", () => {
  expect(decide({ low: 4.4, high: 4.6 }, limits)).toBe("inconclusive");
  expect(decide({ low: 4, high: 6 }, limits)).toBe("inconclusive");
});

test("an open side is never exceeded", () => {
  expect(decide({ low: 3, high: 1000 }, { low: 2 })).toBe("pass");
  expect(decide({ low: -5, high: 1 }, { high: 2 })).toBe("pass");
});

test("the difference of two instants is as wide as both together", () => {
  expect(difference({ low: 1, high: 2 }, { low: 10, high: 13 })).toEqual({ low: 8, high: 12 });
});
