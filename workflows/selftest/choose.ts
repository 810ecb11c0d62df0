// Cases that could detect a fault: first a few that test its requirement, then all related ones.
import type { FaultEntry } from "../../alterations/faults/index.ts";
import type { SuiteFacts } from "../../record/index.ts";
import type { TestCase } from "../../harness/index.ts";

/** This many of the cheapest cases with answers of an operation suffice to test their shape. */
const enoughCallers = 4;
/** Cases that take at most this long on a fault-free gateway run before the others of the first round. */
const quickMs = 2500;
/** Limit of the last round in milliseconds on a fault-free gateway. */
const lastRoundMs = 60_000;

/**
 * Rounds of cases, to be run one after the other until the fault is detected. The first two have the cases that decide
 * the requirement of the fault, or the cheapest that call the operation with wrong answers: the quick ones, then the
 * rest. The last has the others of the same group, all others that call the operation, and those that decide other
 * requirements that it violates.
 */
export function roundsFor(fault: FaultEntry, suite: readonly TestCase[], facts: SuiteFacts): TestCase[][] {
  const factsById = new Map(facts.cases.map((one) => [one.id, one]));
  const costMs = ({ id }: TestCase): number => factsById.get(id)?.durationMs ?? Number.POSITIVE_INFINITY;
  const cheapest = (cases: readonly TestCase[]): TestCase[] =>
    cases.toSorted((a, b) => costMs(a) - costMs(b) || a.id.localeCompare(b.id));
  const calls = ({ id }: TestCase): boolean =>
    fault.operation !== undefined && factsById.get(id)?.operations.includes(fault.operation) === true;
  const deciding = suite.filter(({ requirements }) => requirements.includes(fault.requirement));
  const first =
    deciding.length > 0 && fault.operation === undefined
      ? deciding
      : [...new Set([...cheapest(suite.filter(calls)).slice(0, enoughCallers), ...deciding])];
  const groups = new Set(first.map(({ group }) => group));
  const decidesAnother = ({ requirements }: TestCase): boolean =>
    fault.alsoViolates?.some((one) => requirements.includes(one)) === true;
  const near = suite.filter(
    (one) => !first.includes(one) && (calls(one) || groups.has(one.group) || decidesAnother(one)),
  );
  let leftMs = lastRoundMs;
  const last = cheapest(near).filter((one) => {
    leftMs -= costMs(one);
    return leftMs >= 0;
  });
  const isQuick = (one: TestCase): boolean => costMs(one) <= quickMs;
  // Written faults may act on every hundredth value only, and need all of their cases on one gateway.
  if (fault.origin !== "derived") return [first, last].filter((round) => round.length > 0);
  const rest = first.filter((one) => !isQuick(one));
  return [first.filter(isQuick), rest, last].filter((round) => round.length > 0);
}
