// Cases that could detect a fault: first a few that test its requirement, then all related ones.
import { operationIds } from "../../interface/operations/index.ts";
import type { FaultEntry } from "../../alterations/faults/index.ts";
import type { SuiteFacts } from "../../record/index.ts";
import type { TestCase } from "../../harness/index.ts";

/** This many of the cheapest cases with answers of an operation suffice to test their shape. */
const enoughCallers = 4;
/** Cases that take at most this long on a fault-free gateway run before the others of the first round. */
const quickMs = 2500;
/** Limits of the last round in milliseconds on a fault-free gateway, for written and for derived faults. */
const lastRoundMs = { written: 60_000, derived: 40_000 };

/** Operations whose answers have the member that the requirement is about. */
function shapesWith(requirement: string, { cases }: SuiteFacts): string[] {
  return cases
    .filter(({ id, checks }) => id.startsWith("shape/") && checks.includes(requirement))
    .map(({ id }) => id.slice("shape/".length));
}

/** The operation in whose calls the fault shows, where it is in those of one operation only. */
function operationOf({ id, operation, origin }: FaultEntry): string | undefined {
  if (operation !== undefined || origin !== "derived") return operation;
  const [, , place = ""] = id.split("/");
  return operationIds.find((one) => /^\w*/.exec(place)?.[0] === one);
}

/**
 * Rounds of cases, to be run one after the other until the fault is detected. The first two have the cases that decide
 * the requirement of the fault, or the cheapest that call the operation with wrong answers: the quick ones, then the
 * rest. The last has others that call the operation; for a written fault also those of the same group, and those that
 * decide other requirements that it violates.
 */
export function roundsFor(fault: FaultEntry, suite: readonly TestCase[], facts: SuiteFacts): TestCase[][] {
  const factsById = new Map(facts.cases.map((one) => [one.id, one]));
  const costMs = ({ id }: TestCase): number => factsById.get(id)?.durationMs ?? Number.POSITIVE_INFINITY;
  const cheapest = (cases: readonly TestCase[]): TestCase[] =>
    cases.toSorted((a, b) => costMs(a) - costMs(b) || a.id.localeCompare(b.id));
  const operation = operationOf(fault);
  const callers = (called: string): TestCase[] =>
    suite.filter(({ id }) => factsById.get(id)?.operations.includes(called) === true);
  const calls = (one: TestCase): boolean => operation !== undefined && callers(operation).includes(one);
  const decides = (violated: readonly string[]): TestCase[] =>
    suite.filter(({ requirements }) => requirements.some((one) => violated.includes(one)));
  const isDerived = fault.origin === "derived";
  // A derived fault is as well detected by any requirement that it violates.
  const deciding = decides([fault.requirement, ...(isDerived ? (fault.alsoViolates ?? []) : [])]);
  // A member of answers that only their shapes decide.
  const shown = operation === undefined ? shapesWith(fault.requirement, facts) : [operation];
  const some = shown.flatMap((one) => cheapest(callers(one)).slice(0, enoughCallers));
  const first =
    deciding.length > 0 && fault.operation === undefined ? deciding : [...new Set([...some, ...deciding])];
  const groups = new Set(first.map(({ group }) => group));
  const others = new Set(decides(fault.alsoViolates ?? []));
  const isNear = (one: TestCase): boolean =>
    calls(one) || ((!isDerived || operation === undefined) && (groups.has(one.group) || others.has(one)));
  let leftMs = lastRoundMs[isDerived ? "derived" : "written"];
  const last = cheapest(suite.filter((one) => !first.includes(one) && isNear(one))).filter((one) => {
    leftMs -= costMs(one);
    return leftMs >= 0;
  });
  // Written faults may act on every hundredth value only, and need all of their cases on one gateway.
  if (!isDerived) return [first, last].filter((round) => round.length > 0);
  const isQuick = (one: TestCase): boolean => costMs(one) <= quickMs;
  const rest = first.filter((one) => !isQuick(one));
  return [first.filter(isQuick), rest, last].filter((round) => round.length > 0);
}
