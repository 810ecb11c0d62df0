// What a row of cells says over the nights.
import type { Cell, Outcome, TrendNight, TrendRow } from "../../record/index.ts";

/** A night without a word on it neither ends a streak nor begins one. */
const silent: ReadonlySet<Outcome> = new Set<Outcome>(["not-concluded"]);

/** Outcomes that a reader wants to know of. */
export function isNotGreen(cell: Cell | undefined): boolean {
  return cell !== undefined && cell.outcome !== "pass" && cell.outcome !== "not-applicable";
}

/** The first night of those without a break up to the last one, in which it came off as it did in the last one. */
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

/** In how many nights it failed, was flaky, and was looked at. */
export function tallyOf(row: TrendRow): { failed: number; flaky: number; looked: number } {
  const count = (outcome: Outcome): number => row.filter((cell) => cell?.outcome === outcome).length;
  const looked = row.filter((cell) => cell !== undefined && !silent.has(cell.outcome)).length;
  return { failed: count("fail"), flaky: count("flaky"), looked };
}
