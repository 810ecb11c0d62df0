// The rule for causes, examined without chance: every outcome of every turn, with its probability.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CausePart, CauseVerdict } from "../../record/index.ts";
import { mostTurns, nextTurn, runsOfTurn } from "./nextTurn.ts";
import { type Observation, oddsOf, verdictOf } from "./odds.ts";

type Change = readonly CausePart[];
const all: readonly CausePart[] = ["firmware", "suite", "unit", "rig"];
const everyTurn: readonly { readonly changed: Change }[] = [
  { changed: [] },
  { changed: ["firmware"] },
  { changed: ["suite"] },
  { changed: ["unit"] },
  { changed: ["unit", "rig"] },
];

function ways(failed: number): number {
  return Array.from({ length: failed }, (_, index) => (runsOfTurn - index) / (index + 1)).reduce(
    (product, factor) => product * factor,
    1,
  );
}

/** Probability of each verdict when a run under the changes fails at this rate. */
function verdicts(
  suspects: readonly CausePart[],
  possible: typeof everyTurn,
  rate: (changed: Change) => number,
): Map<CauseVerdict, number> {
  const found = new Map<CauseVerdict, number>();
  const follow = (observations: readonly Observation[], probability: number): void => {
    const turn = observations.length < mostTurns ? nextTurn(suspects, [observations], possible) : undefined;
    if (turn === undefined) {
      const verdict = verdictOf(oddsOf(suspects, observations));
      found.set(verdict, (found.get(verdict) ?? 0) + probability);
      return;
    }
    const fails = rate(turn.changed);
    for (let failed = 0; failed <= runsOfTurn; failed++) {
      const passed = runsOfTurn - failed;
      const here = probability * ways(failed) * fails ** failed * (1 - fails) ** passed;
      if (here > 1e-9) follow([...observations, { changed: turn.changed, failed, passed }], here);
    }
  };
  follow([], 1);
  return found;
}

const wrongly = (found: ReadonlyMap<CauseVerdict, number>, right: CauseVerdict): number =>
  [...found].reduce(
    (sum, [verdict, probability]) => (verdict === right || verdict === "unknown" ? sum : sum + probability),
    0,
  );

test("a flaky case has another verdict in at most 0.5 % of the searches, at every rate", () => {
  for (let percent = 5; percent <= 95; percent += 5) {
    const found = verdicts(all, everyTurn, () => percent / 100);
    expect(wrongly(found, "flaky"), `${percent} %`).toBeLessThan(0.005);
  }
});

test("a case that fails in 30 % of its runs is found as flaky in at least 95 % of the searches", () => {
  expect(verdicts(all, everyTurn, () => 0.3).get("flaky")).toBeGreaterThan(0.95);
});

test.each(all)("a lasting failure by %s is found within the turns, whatever else is suspected", (cause) => {
  fc.assert(
    fc.property(fc.subarray([...all]), (more) => {
      const suspects = all.filter((part) => part === cause || more.includes(part));
      const possible = everyTurn.filter(({ changed }) => changed.every((part) => suspects.includes(part)));
      // Unit and rig are only distinguished where the unit alone can be changed.
      fc.pre(cause !== "rig" || suspects.includes("unit"));
      const found = verdicts(suspects, possible, (changed) => (changed.includes(cause) ? 0 : 1));
      expect(found).toEqual(new Map([[cause, expect.closeTo(1)]]));
    }),
  );
});

test("a failure that no change ends is unknown, and so are unit and rig that only change together", () => {
  expect(verdicts(all, everyTurn, () => 1)).toEqual(new Map([["unknown", expect.closeTo(1)]]));
  const together = [{ changed: [] }, { changed: ["unit", "rig"] as const }];
  for (const cause of ["unit", "rig"] as const)
    expect(verdicts(["unit", "rig"], together, (changed) => (changed.includes(cause) ? 0 : 1))).toEqual(
      new Map([["unknown", expect.closeTo(1)]]),
    );
});

test("a lasting failure of 95 % has a wrong verdict in at most 0.1 % of the searches", () => {
  for (const cause of all)
    expect(
      wrongly(
        verdicts(all, everyTurn, (changed) => (changed.includes(cause) ? 0 : 0.95)),
        cause,
      ),
    ).toBeLessThan(0.001);
});

const observation = fc.record({
  changed: fc.subarray([...all]),
  failed: fc.nat(8),
  passed: fc.nat(8),
  isWireBroken: fc.boolean(),
});

test("odds are probabilities that do not depend on the order of the turns", () => {
  fc.assert(
    fc.property(fc.subarray([...all]), fc.array(observation, { maxLength: 8 }), (suspects, observations) => {
      const odds = oddsOf(suspects, observations);
      expect([...odds.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
      const reversed = oddsOf(suspects, observations.toReversed());
      for (const [cause, probability] of odds) expect(reversed.get(cause)).toBeCloseTo(probability);
    }),
  );
});

test("one pass after a failure proves nothing: no cause is named from one run under any change", () => {
  for (const { changed } of everyTurn)
    for (const failed of [0, 1])
      expect(verdictOf(oddsOf(all, [{ changed, failed, passed: 1 - failed }]))).toBe("unknown");
  const again = { changed: [], failed: 1, passed: 0 };
  expect(verdictOf(oddsOf(all, [again, { changed: ["firmware"], failed: 0, passed: 1 }]))).toBe("unknown");
});

test("a wire that breaks in the search is the rig's", () => {
  const broken = { changed: [], failed: 0, passed: 0, isWireBroken: true };
  expect(verdictOf(oddsOf(["unit", "rig"], [broken]))).toBe("unknown");
  expect(verdictOf(oddsOf(["unit", "rig"], [broken, broken]))).toBe("rig");
});

test("no further turn is wanted once the cause is known, and none without a possible one", () => {
  const known: Observation[] = [
    { changed: [], failed: 5, passed: 0 },
    { changed: ["firmware"], failed: 0, passed: 5 },
  ];
  expect(nextTurn(all, [known], everyTurn)).toBeUndefined();
  expect(nextTurn(all, [known, []], everyTurn)).toBeDefined();
  expect(nextTurn(all, [[]], [])).toBeUndefined();
});
