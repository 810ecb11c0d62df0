import fc from "fast-check";
import { expect, test } from "vitest";
import { type Counted, distributionOf } from "./distribution.ts";

const once = (values: readonly number[]): Counted[] => values.map((value) => [value, 1]);

test("percentiles are values that so many do not exceed", () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect(distributionOf("d", "ms", once(values))).toMatchObject({
    count: 200,
    min: 1,
    max: 200,
    percentiles: [
      [50, 100],
      [90, 180],
      [99, 198],
      [99.9, 200],
      [100, 200],
    ],
  });
});

test("every value lies in exactly one class, below its end and not below that of the one before", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1 }), (values) => {
      const { classes, count } = distributionOf("d", "ms", once(values)) ?? { classes: [], count: 0 };
      expect(classes.reduce((sum, [, many]) => sum + many, 0)).toBe(count);
      const ratio = 10 ** 0.1;
      for (const [end, many] of classes) {
        const below = values.filter(
          (value) => value <= end * 1.001 && (end <= 0.1 || value > (end / ratio) * 0.999),
        );
        expect(below.length).toBeGreaterThanOrEqual(many);
      }
      expect(classes.map(([end]) => end)).toEqual(classes.map(([end]) => end).toSorted((a, b) => a - b));
    }),
  );
});

test("a value that came often counts as often", () => {
  const many = distributionOf("d", "ms", [
    [7, 98],
    [9, 1],
    [8, 1],
  ]);
  expect(many).toEqual(distributionOf("d", "ms", once([...Array<number>(98).fill(7), 8, 9])));
});

test("no values, no distribution; ends of classes belong below themselves", () => {
  expect(distributionOf("d", "ms", [])).toBeUndefined();
  expect(distributionOf("d", "ms", once([1, 10, 100, 0.02]))?.classes).toEqual([
    [0.1, 1],
    [1, 1],
    [10, 1],
    [100, 1],
  ]);
});
