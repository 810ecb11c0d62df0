// The cases chosen for a fault, and the result from their verdicts.
import { expect, test } from "vitest";
import type { CampaignRecord } from "../../record/campaign.ts";
import type { SuiteFacts } from "../../record/selfTest.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";
import { roundsFor } from "./choose.ts";
import { type FaultChoice, faultsFor } from "./faultChoice.ts";
import { fallenSilent } from "./facts.ts";
import { gapsOf, resultOf } from "./outcome.ts";

const fault = {
  id: "f",
  requirement: "CORE-ROLE-15",
  subtlety: "plain",
  what: "It is wrong.",
  origin: "written",
} as const;
const makeCase = (id: string, group: TestCase["group"], requirements: readonly string[]): TestCase =>
  testCase({
    id,
    title: id,
    group,
    requirements,
    effect: "read-only",
    touches: [],
    run: () => Promise.resolve(),
  });
const suite = [
  makeCase("roles/a", "roles", ["CORE-ROLE-15"]),
  makeCase("roles/b", "roles", ["CORE-ROLE-01"]),
  makeCase("users/c", "users", ["CORE-USER-01"]),
];
const factsOf = (operations: Readonly<Record<string, readonly string[]>>): SuiteFacts => ({
  level: "nightly",
  cases: suite.map(({ id }, index) => ({
    id,
    durationMs: 100 - index,
    operations: [...(operations[id] ?? [])],
    checks: [],
  })),
});
const ids = (rounds: readonly (readonly TestCase[])[]): string[][] =>
  rounds.map((round) => round.map(({ id }) => id));

test("first the cases that decide the requirement, then the others of their group", () => {
  expect(ids(roundsFor(fault, suite, factsOf({})))).toEqual([["roles/a"], ["roles/b"]]);
});

test("a fault of one operation is put before the cheapest cases that call it", () => {
  const facts = factsOf({ "users/c": ["listRoles"], "roles/b": ["listRoles"] });
  const rounds = roundsFor({ ...fault, requirement: "CORE-X-01", operation: "listRoles" }, suite, facts);
  expect(ids(rounds)).toEqual([["users/c", "roles/b"], ["roles/a"]]);
});

/** As much of a record as the outcome is made from. */
function record(verdicts: Readonly<Record<string, "pass" | "fail">>): CampaignRecord {
  const decided = Object.entries(verdicts).map(([requirement, verdict]) => ({ requirement, verdict }));
  const requirements = decided.map(({ requirement, verdict }) => ({ id: requirement, verdict }));
  return { cases: [{ id: "roles/a", verdict: "fail", decided }], requirements } as unknown as CampaignRecord;
}

test.each([
  ["killed", { "CORE-ROLE-15": "fail", "CORE-ROLE-16": "fail" }],
  ["killed-by-another", { "CORE-ROLE-15": "pass", "CORE-ROLE-16": "fail" }],
  ["silent", { "CORE-ROLE-15": "pass" }],
  ["not-reached", { "CORE-ROLE-16": "pass" }],
] as const)("%s", (outcome, verdicts) => {
  expect(resultOf(fault, [record(verdicts)], 1)).toMatchObject({ outcome });
});

test("a fault is detected as rightly by another requirement that it violates", () => {
  const failing = record({ "CORE-ROLE-15": "pass", "CORE-ROLE-16": "fail" });
  expect(resultOf({ ...fault, alsoViolates: ["CORE-ROLE-16"] }, [failing], 1).outcome).toBe("killed");
});

test("cases that decide another requirement that the fault violates are run in the second round", () => {
  const rounds = roundsFor({ ...fault, alsoViolates: ["CORE-USER-01"] }, suite, factsOf({}));
  expect(ids(rounds)).toEqual([["roles/a"], ["users/c", "roles/b"]]);
});

const pool = Array.from({ length: 40 }, (_one, index) => ({
  ...fault,
  id: index < 20 ? `written-${index}` : `derived/operator/${index}`,
  origin: index < 20 ? ("written" as const) : ("derived" as const),
}));
const chosenIds = (choice: FaultChoice): string[] => faultsFor(pool, choice, 7).map(({ id }) => id);

test("derived faults are injected on demand, by id, and as a tenth of a sample", () => {
  expect(chosenIds({})).toHaveLength(20);
  expect(chosenIds({ derived: true }).every((id) => id.startsWith("derived/"))).toBe(true);
  expect(chosenIds({ select: "derived/operator/2*" })).toHaveLength(10);
  expect(chosenIds({ select: "CORE-ROLE-15" }).every((id) => id.startsWith("written-"))).toBe(true);
  expect(chosenIds({ select: "CORE-ROLE-15", derived: true }).every((id) => id.startsWith("derived/"))).toBe(
    true,
  );
  const sample = chosenIds({ sample: 10 });
  expect(sample).toHaveLength(10);
  expect(sample.filter((id) => id.startsWith("derived/"))).toHaveLength(1);
  expect(sample).toEqual(chosenIds({ sample: 10 }));
});

test("a round that could not be run is reported as inconclusive", () => {
  const result = resultOf(fault, [new Error("no answer within 1 ms")], 1);
  expect(result).toMatchObject({ outcome: "not-reached", undecided: ["no answer within 1 ms"] });
});

test("a stated requirement that a case tests and no fault violates is a gap", () => {
  const requirements = [
    { id: "CORE-ROLE-15", level: "stated" },
    { id: "CORE-ROLE-16", level: "stated" },
    { id: "CORE-ROLE-17", level: "stated", untestable: "nobody can see it" },
    { id: "CORE-ROLE-33", level: "published" },
  ] as const;
  expect(gapsOf([fault], requirements, () => true)).toEqual(["CORE-ROLE-16"]);
});

test("a check or a case that is gone is named", () => {
  const before: SuiteFacts = {
    level: "nightly",
    cases: [
      { id: "roles/a", durationMs: 1, operations: [], checks: ["CORE-ROLE-15", "CORE-ROLE-16"] },
      { id: "roles/gone", durationMs: 1, operations: [], checks: ["CORE-ROLE-01"] },
    ],
  };
  const now: SuiteFacts = {
    level: "nightly",
    cases: [{ id: "roles/a", durationMs: 1, operations: [], checks: ["CORE-ROLE-16", "CORE-ROLE-20"] }],
  };
  expect(fallenSilent(before, now)).toEqual([
    "roles/a no longer checks CORE-ROLE-15",
    "roles/gone is no longer run",
  ]);
});
