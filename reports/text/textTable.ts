/** Splits text into lines of at most this many characters, at spaces where possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (let word of text.split(/ +/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    while (word.length > width) {
      lines.push(word.slice(0, width));
      word = word.slice(width);
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

const gap = "  ";
const indent = "    ";
const narrowestLast = 28;

export interface TableOptions {
  /** Without a width every row is one line. */
  readonly width: number | undefined;
  /** A column before the last that may be wrapped: it gets a third of the space for it and the last one. */
  readonly wrapped?: number;
}

/**
 * Plain columns that fit the width. The last column is wrapped; where too little space remains for it, it has lines of
 * its own below the others.
 */
export function textTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { width, wrapped }: TableOptions,
): string {
  const last = titles.length - 1;
  const widths = titles.map((title, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
  );
  const before = (): number => widths.slice(0, last).reduce((sum, one) => sum + one + gap.length, 0);
  const wrappedWidth = wrapped === undefined ? 0 : (widths[wrapped] ?? 0);
  if (width !== undefined && wrapped !== undefined) {
    const shared = width - (before() - wrappedWidth);
    widths[wrapped] = Math.min(wrappedWidth, Math.max(narrowestLast, Math.floor(shared / 3)));
  }
  const left = width === undefined ? Infinity : width - before();
  const isBelow = width !== undefined && left < Math.min(narrowestLast, widths[last] ?? 0);
  if (isBelow && wrapped !== undefined)
    widths[wrapped] = Math.min(wrappedWidth, width - (before() - (widths[wrapped] ?? 0)) + gap.length);
  const lineText = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column === last ? cell : cell.padEnd(widths[column] ?? 0))).join(gap);
  const rowText = (cells: readonly string[]): string => {
    const columns = cells.map((cell, column) => {
      if (column === last) return isBelow ? [""] : wrap(cell, left);
      return column === wrapped && width !== undefined ? wrap(cell, widths[column] ?? 0) : [cell];
    });
    const height = Math.max(...columns.map((lines) => lines.length));
    const lines = Array.from({ length: height }, (_, index) =>
      lineText(columns.map((column) => column[index] ?? "")).trimEnd(),
    );
    if (isBelow) lines.push(...wrap(cells[last] ?? "", width - indent.length).map((line) => indent + line));
    return lines.join("\n");
  };
  return `${[titles, ...rows].map(rowText).join("\n")}\n`;
}
