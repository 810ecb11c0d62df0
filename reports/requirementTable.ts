// Plain columns that fit the terminal, for `rackproof list`.
type Row = Readonly<Record<string, unknown>>;

/** Prints rows as a table; the last column takes what is left of the width. */
export function printTable(rows: readonly Row[], output: NodeJS.WritableStream & { columns?: number }): void {
  const first = rows[0];
  if (first === undefined) {
    output.write("none\n");
    return;
  }
  const names = Object.keys(first);
  const cells = rows.map((row) => names.map((name) => cell(row[name])));
  const widths = names.map((name, column) =>
    Math.min(60, Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0))),
  );
  const width = output.columns;
  for (const row of [names, ...cells]) {
    const line = row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
    output.write(`${width === undefined ? line : line.slice(0, width)}\n`);
  }
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
