// Derived faults by operator and kind of place: how many were injected, and how many of them were detected.
import type { FaultResult } from "../../record/index.ts";

export interface OperatorRow {
  readonly operator: string;
  /** Kind of place -> `detected/injected`; empty where the operator was not applied. */
  readonly cells: Readonly<Record<string, string>>;
}

const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["reads", /^(get|list|read|monitor|check|signIn)/],
  ["writes", /^(set|update|create|add|write|delete)/],
  ["actions", /^(enable|disable|operate|reset|export|upload|apply)/],
];
const elsewhere = "stored";
const sum = "all";

/** One row for each operator, in the order of the operators' names; every row has the same cells. */
export function operatorRows(results: readonly FaultResult[]): OperatorRow[] {
  const derived = results.flatMap(({ fault, outcome }) => {
    const [origin, operator = "", place = ""] = fault.split("/");
    return origin === "derived"
      ? [{ operator, kind: kindOf(place), isDetected: outcome.startsWith("killed") }]
      : [];
  });
  const columns = [...kinds.map(([kind]) => kind), elsewhere, sum];
  return [...new Set(derived.map(({ operator }) => operator))].toSorted().map((operator) => {
    const own = derived.filter((one) => one.operator === operator);
    const cell = (column: string): string => {
      const inCell = own.filter(({ kind }) => column === sum || kind === column);
      return inCell.length === 0
        ? ""
        : `${inCell.filter(({ isDetected }) => isDetected).length}/${inCell.length}`;
    };
    return { operator, cells: Object.fromEntries(columns.map((column) => [column, cell(column)])) };
  });
}

function kindOf(place: string): string {
  return kinds.find(([, pattern]) => pattern.test(place))?.[0] ?? elsewhere;
}
