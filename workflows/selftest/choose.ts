// Which cases could notice a fault: a few that look straight at it, then all that come near it.
import type { FaultEntry } from "../../alterations/faults/index.ts";
import type { SuiteFacts } from "../../record/index.ts";
import type { TestCase } from "../../harness/index.ts";

/** So many of the cheapest cases that show an operation's answers are enough to see their shape. */
const enoughCallers = 4;
/** What the second round may cost, in milliseconds on a good gateway. */
const secondRoundMs = 60_000;

/**
 * Rounds of cases, to be run one after the other until the fault is noticed. The first holds the cases that decide the
 * fault's requirement, or the cheapest that call the operation whose answers are wrong; the second the others of the
 * same group, or all others that call the operation.
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
  const near = suite.filter((one) => !first.includes(one) && (calls(one) || groups.has(one.group)));
  let leftMs = secondRoundMs;
  const second = cheapest(near).filter((one) => {
    leftMs -= costMs(one);
    return leftMs >= 0;
  });
  return [first, second].filter((round) => round.length > 0);
}
