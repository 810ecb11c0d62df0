/** Cuts text into lines of at most so many characters, at spaces where it can. */
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
const narrowestLast = 24;

/**
 * Plain columns; only the last is wrapped to fit the width. Without a width, or where nothing sensible would be left
 * for it, each row stays on one line.
 */
export function textTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const last = titles.length - 1;
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + gap.length, 0);
  const left = width === undefined ? Infinity : width - before;
  const lastWidth = left < narrowestLast ? Infinity : left;
  const lineOf = (cells: readonly string[]): string => {
    const lead = cells.slice(0, last).map((cell, column) => cell.padEnd(widths[column] ?? 0) + gap);
    const wrapped = wrap(cells[last] ?? "", lastWidth);
    return wrapped
      .map((part, index) => `${index === 0 ? lead.join("") : " ".repeat(before)}${part}`.trimEnd())
      .join("\n");
  };
  return `${[titles, ...rows].map(lineOf).join("\n")}\n`;
}
