import { expect, test } from "vitest";
import { seededRandom } from "../../harness/suite/random.ts";
import { median } from "../../record/statistics.ts";
import { compareSamples, smallestPValue } from "./statistics.ts";

/** Share of all ways to choose the later sample from both whose values outrank at least as many of the others. */
function bruteForce(earlier: readonly number[], later: readonly number[]): number {
  const all = [...earlier, ...later];
  const score = (chosen: ReadonlySet<number>): number => {
    let wins = 0;
    for (const [i, a] of all.entries()) {
      for (const [j, b] of all.entries()) {
        if (chosen.has(i) && !chosen.has(j)) wins += a > b ? 2 : a === b ? 1 : 0;
      }
    }
    return wins;
  };
  const seen = score(new Set(later.map((_, index) => earlier.length + index)));
  let ways = 0;
  let atLeast = 0;
  for (let mask = 0; mask < 2 ** all.length; mask++) {
    const chosen = new Set(all.keys().filter((index) => (mask & (1 << index)) !== 0));
    if (chosen.size !== later.length) continue;
    ways += 1;
    if (score(chosen) >= seen) atLeast += 1;
  }
  return atLeast / ways;
}

test("the p value is the share of all arrangements, with equal values as well", () => {
  const random = seededRandom(11);
  for (let round = 0; round < 20; round++) {
    const sample = (size: number): number[] => Array.from({ length: size }, () => random.integer(0, 6));
    const [earlier, later] = [sample(random.integer(2, 5)), sample(random.integer(2, 5))];
    expect(compareSamples(earlier, later).pValue).toBeCloseTo(bruteForce(earlier, later), 12);
  }
});

test("wholly apart samples have the smallest p value that there is", () => {
  expect(compareSamples([1, 2, 3], [4, 5, 6])).toEqual({ pValue: 1 / 20, shift: 3, effect: 1 });
  expect(compareSamples([4, 5, 6], [1, 2, 3])).toEqual({ pValue: 1, shift: -3, effect: -1 });
  expect(smallestPValue(3, 3)).toBe(1 / 20);
  expect(smallestPValue(10, 10)).toBeCloseTo(1 / 184_756, 15);
});

test("large samples by the normal curve agree with the exact figure of slightly smaller ones", () => {
  const random = seededRandom(5);
  const sample = (size: number, shift: number): number[] =>
    Array.from({ length: size }, () => random.integer(0, 1000) + shift);
  const [earlier, later] = [sample(30, 0), sample(30, 150)];
  const exact = compareSamples(earlier, later).pValue;
  // One value more on each side, in the middle of the other, takes it over the limit for exact counting.
  const approximate = compareSamples([...earlier, median(later)], [...later, median(earlier)]).pValue;
  expect(Math.abs(Math.log(approximate / exact))).toBeLessThan(1);
  expect(compareSamples(Array(40).fill(7), Array(40).fill(7)).pValue).toBe(1);
});

test("the shift is the median of all differences, so that one wild value does not move it", () => {
  expect(compareSamples([10, 11, 12, 13, 14], [12, 13, 14, 15, 900]).shift).toBe(2);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
