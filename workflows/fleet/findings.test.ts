import { expect, test } from "vitest";
import { planted, syntheticFleet } from "../../test/support/syntheticFleet.ts";
import { codeOf, type FleetHistory, type FleetUnit, type Outcome } from "../../record/index.ts";
import { findingsOf, groupFindings } from "./findings.ts";

/** Gateways with one requirement; a letter a night. */
function fleet(units: Readonly<Record<string, string>>): FleetHistory {
  const letters: Readonly<Record<string, Outcome>> = {
    p: "pass",
    f: "fail",
    y: "flaky",
    i: "inconclusive",
    n: "not-applicable",
    o: "not-concluded",
    q: "quarantined",
  };
  const count = Math.max(...Object.values(units).map((nights) => nights.length));
  return {
    madeAt: "",
    requirements: ["CORE-A-01"],
    nights: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      startedAt: "",
      level: "smoke",
      selection: "",
      suiteVersion: "1",
      state: "finished",
    })),
    labs: [],
    units: Object.entries(units).map(([name, nights]): FleetUnit => {
      const results = nights.split("").map((letter) => {
        const outcome = letters[letter];
        return outcome === undefined ? undefined : Uint8Array.of(codeOf(outcome));
      });
      const night = results.findLastIndex((codes) => codes !== undefined);
      return { name, lab: "a", labels: {}, turns: [], results, last: { night, reasons: new Map() } };
    }),
    staleAfterHours: 26,
  };
}

test.each([
  ["ppf", { since: 2, lastGood: 1, isNew: true }],
  ["pff", { since: 1, lastGood: 0, isNew: false }],
  ["fff", { since: 0, isNew: false }],
  // Nights without a verdict neither end nor begin a streak.
  ["pf.onf", { since: 1, lastGood: 0, isNew: false }],
  ["pf-", { since: 1, lastGood: 0, isNew: true }],
  ["pyf", { since: 2, lastGood: 0, isNew: true, flakyNights: 1 }],
  // A quarantine that has expired: the failure is not new.
  ["pqf", { since: 1, lastGood: 0, isNew: false }],
  // The first result of all has no baseline.
  ["..f", { since: 2, isNew: false }],
])("a failure has its first night and its last good one: %s", (nights, expected) => {
  const [found] = findingsOf(fleet({ unit: nights }));
  expect(found).toMatchObject({ outcome: "fail", ...expected });
  expect(found?.lastGood).toBe("lastGood" in expected ? expected.lastGood : undefined);
});

test("a requirement that passes or does not apply in the last result is no finding", () => {
  expect(findingsOf(fleet({ a: "fp", b: "fn", c: "fo" }))).toEqual([]);
});

test("one firmware and one broken gateway are one group each, failures before flaky results", () => {
  const history = syntheticFleet({ gateways: 30, nights: 12, requirements: 60 });
  const groups = groupFindings(findingsOf(history));
  const [broken, defect] = groups;
  expect(broken).toMatchObject({ outcome: "fail", isNew: false, since: 10, lastGood: 9 });
  expect(broken?.units.map(({ name }) => name)).toEqual(["berlin/g000"]);
  expect(broken?.requirements).toHaveLength(20);
  expect(defect?.requirements).toEqual([history.requirements[planted.defect]]);
  expect(new Set(defect?.units.map(({ labels }) => labels["model"]))).toEqual(new Set(["X"]));
  expect(groups.slice(2).every(({ outcome }) => outcome === "flaky")).toBe(true);
});
