// Known and accepted failures, for `run` and `gate`. Each entry excuses one requirement, in one case or in every case.
import Type, { type Static } from "typebox";
import { type CheckedDocument, checkDocument, nearest, readDocument } from "../../harness/index.ts";
import { requirements } from "../../interface/requirements/index.ts";
import { type CampaignRecord, expiryMs, type Verdict } from "../../record/index.ts";

const Text = Type.String({ minLength: 1 });
/** An entry as a file has it. */
export const ExpectedFailureEntry = Type.Object(
  {
    requirement: Type.Optional(Text),
    case: Type.Optional(Text),
    reason: Text,
    owner: Type.Optional(Text),
    /** From this day on it counts again. */
    expires: Type.Optional(Text),
  },
  { additionalProperties: false },
);
const ExpectedFailuresFile = Type.Object(
  { expected: Type.Array(ExpectedFailureEntry) },
  { additionalProperties: false },
);

export const ExpectedFailure = Type.Object({
  requirement: Type.String(),
  /** The case in which it may fail; any case when absent. */
  case: Type.Optional(Type.String()),
  reason: Type.String(),
  owner: Type.Optional(Type.String()),
  /** Last day, or instant, on which it is accepted; for ever when absent. */
  expires: Type.Optional(Type.String()),
});
export type ExpectedFailure = Static<typeof ExpectedFailure>;

/** A case, and the requirements that it can decide. */
export interface KnownCase {
  readonly id: string;
  readonly requirements: readonly string[];
}

/** Reads the list; throws a UsageError with line and field for an entry that can match no failure. */
export async function readExpectedFailures(
  file: string,
  cases: readonly KnownCase[],
): Promise<ExpectedFailure[]> {
  const text = await readDocument("expected-failures", file);
  const { value, fail } = checkDocument("expected-failures", text, file, ExpectedFailuresFile);
  return resolveEntries(value.expected, cases, "/expected", fail);
}

/** Checks every entry against the known ids; `pointer` is the place of the list in its file. */
export function resolveEntries(
  entries: readonly Static<typeof ExpectedFailureEntry>[],
  cases: readonly KnownCase[],
  pointer: string,
  fail: CheckedDocument<unknown>["fail"],
): ExpectedFailure[] {
  const byId = new Map(
    [...Map.groupBy(cases, ({ id }) => id)].map(([id, same]) => [
      id,
      [...new Set(same.flatMap((one) => one.requirements))],
    ]),
  );
  const tested = new Set([...byId.values()].flat());
  const known = new Set<string>([...requirements.map(({ id }) => id), ...tested]);
  return entries.map((entry, index) => {
    const { requirement, case: caseId, reason, owner, expires } = entry;
    const refuse = (field: string, message: string): never =>
      fail(`${pointer}/${index}${field}`, message, "EXPECTED_FAILURES_UNKNOWN");
    const rest = {
      reason,
      ...(owner === undefined ? {} : { owner }),
      ...(expires === undefined ? {} : { expires }),
    };
    if (expires !== undefined && Number.isNaN(expiryMs(expires)))
      fail(`${pointer}/${index}/expires`, `expires: expected a day such as 2027-03-31, found ${expires}`);
    if (requirement !== undefined && !known.has(requirement))
      refuse("/requirement", unknown("requirement", requirement, [...known]));
    const decided = caseId === undefined ? undefined : byId.get(caseId);
    if (caseId !== undefined && decided === undefined)
      refuse("/case", unknown("case", caseId, [...byId.keys()]));
    const [only, ...others] = decided ?? [];
    if (requirement === undefined) {
      if (caseId === undefined || only === undefined)
        return refuse("", "expected a requirement id, found none");
      // A case alone would excuse requirements that nobody thought of.
      if (others.length > 0)
        return refuse(
          "/case",
          `case ${caseId} decides several requirements; add requirement: one of ${[only, ...others].join(", ")}`,
        );
      return { requirement: only, case: caseId, ...rest };
    }
    if (caseId === undefined) {
      if (!tested.has(requirement)) refuse("/requirement", `no case tests requirement ${requirement}`);
      return { requirement, ...rest };
    }
    if (decided?.includes(requirement) === false)
      refuse("/case", `case ${caseId} never decides ${requirement}; it decides ${decided.join(", ")}`);
    return { requirement, case: caseId, ...rest };
  });
}

function unknown(what: string, id: string, candidates: readonly string[]): string {
  const similar = nearest(id, candidates);
  return `unknown ${what} ${id}${similar === undefined ? "" : `; did you mean ${similar}?`}`;
}

/** Entries that are accepted at this time, and a line for each one that has expired: its failures count again. */
export function atTime(
  expected: readonly ExpectedFailure[],
  epochMs: number,
): { readonly valid: readonly ExpectedFailure[]; readonly expired: readonly string[] } {
  const isExpired = ({ expires }: ExpectedFailure): boolean =>
    expires !== undefined && expiryMs(expires) < epochMs;
  return {
    valid: expected.filter((entry) => !isExpired(entry)),
    expired: expected
      .filter(isExpired)
      .map((entry) => `${expectedTitle(entry)} counts again: its entry expired (${termsOf(entry)})`),
  };
}

/** Reason, owner and expiry. */
export function termsOf({ reason, owner, expires }: ExpectedFailure): string {
  return [expires !== undefined && `until ${expires}`, owner !== undefined && `by ${owner}`, reason]
    .filter((part) => part !== false)
    .join(", ");
}

/** The entry that excuses the requirement in the case. */
export function excuseOf(
  expected: readonly ExpectedFailure[],
  pair: { readonly case: string; readonly requirement: string },
): ExpectedFailure | undefined {
  return expected.find((entry) => excuses(entry, pair));
}

/** Whether an entry excuses the requirement in the case. */
export function isExpected(
  expected: readonly ExpectedFailure[],
  pair: { readonly case: string; readonly requirement: string },
): boolean {
  return expected.some((entry) => excuses(entry, pair));
}

function excuses(
  entry: ExpectedFailure,
  pair: { readonly case: string; readonly requirement: string },
): boolean {
  return entry.requirement === pair.requirement && (entry.case === undefined || entry.case === pair.case);
}

/** An entry as messages name it. */
export function expectedTitle({ requirement, case: caseId }: ExpectedFailure): string {
  return caseId === undefined ? requirement : `${requirement} in ${caseId}`;
}

/** Entries whose requirement was decided and passed everywhere: they must leave the list, unless they expire by themselves. */
export function staleEntries(
  records: readonly Pick<CampaignRecord, "cases">[],
  expected: readonly ExpectedFailure[],
): ExpectedFailure[] {
  const decisions = decisionsOf(records);
  return expected.filter((entry) => {
    if (entry.expires !== undefined) return false;
    const verdicts = decisions.filter((one) => excuses(entry, one)).map(({ verdict }) => verdict);
    return verdicts.length > 0 && verdicts.every((verdict) => verdict === "pass");
  });
}

function decisionsOf(
  records: readonly Pick<CampaignRecord, "cases">[],
): { readonly case: string; readonly requirement: string; readonly verdict: Verdict }[] {
  return records.flatMap(({ cases }) =>
    cases.flatMap(({ id, decided }) => decided.map((decision) => ({ case: id, ...decision }))),
  );
}

export interface ExpectationResult {
  /** Stated requirements with a failure that no entry excuses. */
  readonly unexpected: readonly string[];
  /** Whether a stated requirement without an entry is inconclusive or an error in a case. */
  readonly isUndecided: boolean;
  readonly stale: readonly ExpectedFailure[];
}

/** Compares a campaign with the list. */
export function compareWithExpected(
  record: Pick<CampaignRecord, "cases" | "requirements">,
  expected: readonly ExpectedFailure[],
): ExpectationResult {
  const stated = new Set(record.requirements.filter((one) => one.level === "stated").map((one) => one.id));
  const others = decisionsOf([record]).filter(
    (one) => stated.has(one.requirement) && !isExpected(expected, one),
  );
  return {
    unexpected: [
      ...new Set(others.filter(({ verdict }) => verdict === "fail").map(({ requirement }) => requirement)),
    ],
    isUndecided: others.some(({ verdict }) => verdict === "inconclusive" || verdict === "error"),
    stale: staleEntries([record], expected),
  };
}
