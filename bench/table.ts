/** One row of a benchmark: what was measured, its peer of the same run, and the limit of its ratio. */
export interface BenchRow {
  readonly what: string;
  readonly measured: string;
  readonly peer: string;
  /** Ratio to the peer, or the figure itself where there is no peer. */
  readonly ratio: string;
  readonly limit: string;
  readonly outcome: Outcome;
}

export type Outcome = "holds" | "MISSED" | "not measured" | "no limit";

export function outcomeOf(holds: boolean): Outcome {
  return holds ? "holds" : "MISSED";
}

/** The row of a bench whose peer or equipment is missing. */
export function notMeasured(what: string, missing: string): BenchRow {
  return {
    what,
    measured: "-",
    peer: `missing: ${missing}`,
    ratio: "-",
    limit: "-",
    outcome: "not measured",
  };
}

/** Rows as the lines of a table with aligned columns. */
export function tableOf(rows: readonly BenchRow[]): string[] {
  const cells = [
    ["what", "measured", "peer", "ratio", "limit", ""],
    ...rows.map((r) => [r.what, r.measured, r.peer, r.ratio, r.limit, r.outcome]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** How many rows have each outcome. */
export function totalsOf(rows: readonly BenchRow[]): string {
  return [...Map.groupBy(rows, ({ outcome }) => outcome)]
    .map(([outcome, { length }]) => `${length} ${outcome}`)
    .join(", ");
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
