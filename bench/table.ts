/** One row of a benchmark: what was measured, its peer of the same run, and the limit of its ratio. */
export interface BenchRow {
  readonly what: string;
  readonly measured: string;
  readonly peer: string;
  /** Ratio to the peer, or the figure itself where there is no peer. */
  readonly ratio: string;
  readonly limit: string;
  readonly holds: boolean;
}

/** Prints rows as a table with aligned columns. */
export function printRows(rows: readonly BenchRow[]): void {
  const cells = [
    ["what", "measured", "peer", "ratio", "limit", ""],
    ...rows.map((r) => [r.what, r.measured, r.peer, r.ratio, r.limit, r.holds ? "holds" : "MISSED"]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
