// Streaks and counts in a row of nights.
import type { Cell, Outcome, TrendNight, TrendRow } from "../../record/index.ts";

/** A night without a result neither ends nor starts a streak. */
const silent: ReadonlySet<Outcome> = new Set<Outcome>(["not-concluded"]);

/** Whether the result is neither passed nor not applicable. */
export function isNotPassed(cell: Cell | undefined): boolean {
  return cell !== undefined && cell.outcome !== "pass" && cell.outcome !== "not-applicable";
}

/** First night of the current streak: consecutive nights with the result of the last one. */
export function sinceWhen(row: TrendRow, nights: readonly TrendNight[]): TrendNight | undefined {
  const is = row.findLast((cell) => cell !== undefined && !silent.has(cell.outcome))?.outcome;
  if (is === undefined) return undefined;
  let first: TrendNight | undefined;
  for (let index = row.length - 1; index >= 0; index--) {
    const cell = row[index];
    if (cell === undefined || silent.has(cell.outcome)) continue;
    if (cell.outcome !== is) break;
    first = nights[index];
  }
  return first;
}

/** Number of nights with a failure, with a flaky result, and with a test. */
export function tallyOf(row: TrendRow): { failed: number; flaky: number; tested: number } {
  const count = (outcome: Outcome): number => row.filter((cell) => cell?.outcome === outcome).length;
  const tested = row.filter((cell) => cell !== undefined && !silent.has(cell.outcome)).length;
  return { failed: count("fail"), flaky: count("flaky"), tested };
}
