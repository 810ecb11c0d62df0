// Failures that are known and accepted for now. They still run; one that no longer fails must leave the list.
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../harness/index.ts";
import type { CampaignRecord } from "../record/index.ts";

const ExpectedFailures = Type.Object(
  {
    expected: Type.Array(
      Type.Object(
        { case: Type.String({ minLength: 1 }), reason: Type.String({ minLength: 1 }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ExpectedFailures = Static<typeof ExpectedFailures>["expected"];

/** Reads the list; throws a UsageError with line and field. */
export async function readExpectedFailures(file: string): Promise<ExpectedFailures> {
  return checkDocument(
    "expected-failures",
    await readDocument("expected-failures", file),
    file,
    ExpectedFailures,
  ).value.expected;
}

export interface ExpectationResult {
  /** Stated requirements that failed in a case that is not on the list. */
  readonly unexpected: readonly string[];
  /** Whether a case that is not on the list left a stated requirement undecided. */
  readonly isUndecided: boolean;
  /** Cases on the list that passed: their entries are stale. */
  readonly stale: readonly string[];
}

/** Holds a campaign against the list. */
export function compareWithExpected(record: CampaignRecord, expected: ExpectedFailures): ExpectationResult {
  const listed = new Set(expected.map((entry) => entry.case));
  const stated = new Set(record.requirements.filter((one) => one.level === "stated").map((one) => one.id));
  const others = record.cases.filter((one) => !listed.has(one.id));
  const statedIn = (...verdicts: readonly string[]): string[] =>
    others.flatMap(({ decided }) =>
      decided.flatMap(({ requirement, verdict }) =>
        stated.has(requirement) && verdicts.includes(verdict) ? [requirement] : [],
      ),
    );
  return {
    unexpected: [...new Set(statedIn("fail"))],
    isUndecided: statedIn("inconclusive", "error").length > 0,
    stale: record.cases.filter((one) => listed.has(one.id) && one.verdict === "pass").map((one) => one.id),
  };
}
