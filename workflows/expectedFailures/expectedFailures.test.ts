import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CaseRecord, Verdict } from "../../record/index.ts";
import {
  atTime,
  compareWithExpected,
  type ExpectedFailure,
  readExpectedFailures,
} from "./expectedFailures.ts";

const aCase = (id: string, decided: Readonly<Record<string, Verdict>>): CaseRecord => ({
  id,
  title: id,
  group: "general",
  requirements: Object.keys(decided),
  effect: "read-only",
  verdict: "fail",
  durationMs: 1,
  seed: 1,
  checks: [],
  measurements: [],
  notes: [],
  decided: Object.entries(decided).map(([requirement, verdict]) => ({ requirement, verdict })),
});
const requirement = (id: string, level: "stated" | "published") => ({
  id,
  level,
  group: "general" as const,
  statement: id,
  place: "",
  verdict: "fail" as const,
  cases: [],
});
const record = {
  requirements: [requirement("R-1", "stated"), requirement("R-2", "stated"), requirement("R-3", "published")],
  cases: [
    aCase("a/two", { "R-1": "fail", "R-2": "fail" }),
    aCase("a/one", { "R-1": "fail" }),
    aCase("a/published", { "R-3": "fail" }),
    aCase("a/corrected", { "R-1": "pass" }),
  ],
};
const entry = (requirementId: string, caseId?: string): ExpectedFailure => ({
  requirement: requirementId,
  reason: "ticket 12",
  ...(caseId === undefined ? {} : { case: caseId }),
});

test("an entry excuses its requirement and no other requirement of the same case", () => {
  expect(compareWithExpected(record, [entry("R-1")])).toEqual({
    unexpected: ["R-2"],
    isUndecided: false,
    stale: [],
  });
  expect(compareWithExpected(record, [entry("R-1"), entry("R-2", "a/two")]).unexpected).toEqual([]);
});

test("an entry with a case excuses its requirement in that case alone", () => {
  expect(compareWithExpected(record, [entry("R-1", "a/two"), entry("R-2")]).unexpected).toEqual(["R-1"]);
});

test("a published requirement never counts, and an inconclusive stated one without an entry does", () => {
  const open = { ...record, cases: [aCase("a/open", { "R-1": "inconclusive", "R-3": "error" })] };
  expect(compareWithExpected(open, [])).toEqual({ unexpected: [], isUndecided: true, stale: [] });
  expect(compareWithExpected(open, [entry("R-1")]).isUndecided).toBe(false);
});

test("an entry whose requirement was decided and passed everywhere is stale; one that was not run is not", () => {
  const staleOf = (...entries: ExpectedFailure[]) => compareWithExpected(record, entries).stale;
  expect(staleOf(entry("R-1", "a/corrected"))).toEqual([entry("R-1", "a/corrected")]);
  expect(staleOf(entry("R-1"), entry("R-1", "a/not-run"))).toEqual([]);
});

const cases = [
  { id: "services/listed-once", requirements: ["CORE-SERVICE-01"] },
  { id: "users/added", requirements: ["CORE-USER-01", "CORE-USER-02"] },
];

async function read(lines: readonly string[]): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-expected-"));
  try {
    const file = join(folder, "list.yaml");
    await writeFile(file, ["expected:", ...lines, ""].join("\n"));
    return await readExpectedFailures(file, cases);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("entries name a requirement, a pair, or a case with a single requirement", async () => {
  expect(
    await read([
      "  - { requirement: CORE-USER-01, reason: a }",
      "  - { requirement: CORE-USER-02, case: users/added, reason: b }",
      "  - { case: services/listed-once, reason: c }",
    ]),
  ).toEqual([
    { requirement: "CORE-USER-01", reason: "a" },
    { requirement: "CORE-USER-02", case: "users/added", reason: "b" },
    { requirement: "CORE-SERVICE-01", case: "services/listed-once", reason: "c" },
  ]);
});

test.for([
  [
    "{ requirement: CORE-USER-0l, reason: a }",
    "unknown requirement CORE-USER-0l; did you mean CORE-USER-01?",
  ],
  [
    "{ case: services/listed-onse, reason: a }",
    "unknown case services/listed-onse; did you mean services/listed-once?",
  ],
  ["{ case: nowhere, reason: a }", "unknown case nowhere"],
  [
    "{ case: users/added, reason: a }",
    "case users/added decides several requirements; add requirement: one of CORE-USER-01, CORE-USER-02",
  ],
  [
    "{ requirement: CORE-USER-01, case: services/listed-once, reason: a }",
    "case services/listed-once never decides CORE-USER-01; it decides CORE-SERVICE-01",
  ],
  ["{ requirement: CORE-USER-03, reason: a }", "no case tests requirement CORE-USER-03"],
  ["{ reason: a }", "expected a requirement id, found none"],
] as const)("an entry that can match no failure is an error with its line: %s", async ([line, message]) => {
  await expect(read(["  - { requirement: CORE-USER-01, reason: a }", `  - ${line}`])).rejects.toMatchObject({
    code: "EXPECTED_FAILURES_UNKNOWN",
    message: expect.stringMatching(/list\.yaml:3: /) as unknown,
  });
  await expect(read([`  - ${line}`])).rejects.toThrow(message);
});

test("an entry counts to the end of its last day, and is no mistake when its requirement passes", () => {
  const until = { ...entry("R-1"), owner: "anna", expires: "2027-03-31" };
  const before = atTime([until, entry("R-2")], Date.parse("2027-03-31T23:00:00.000Z"));
  expect(before).toEqual({ valid: [until, entry("R-2")], expired: [] });
  const after = atTime([until, entry("R-2")], Date.parse("2027-04-01T00:00:00.000Z"));
  expect(after.valid).toEqual([entry("R-2")]);
  expect(after.expired).toEqual([
    "R-1 counts again: its entry expired (until 2027-03-31, by anna, ticket 12)",
  ]);
  const passing = { ...record, cases: [aCase("a/one", { "R-1": "pass" })] };
  expect(compareWithExpected(passing, [until]).stale).toEqual([]);
  expect(compareWithExpected(passing, [entry("R-1")]).stale).toEqual([entry("R-1")]);
});

test("an expiry that is no day is reported with its line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-expected-"));
  try {
    const file = join(folder, "expected.yaml");
    await writeFile(file, "expected:\n  - { requirement: R-1, reason: x, expires: soon }\n");
    await expect(readExpectedFailures(file, [{ id: "a/one", requirements: ["R-1"] }])).rejects.toThrow(
      /:2: expires: expected a day such as 2027-03-31, found soon/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
