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
const indent = "    ";
const narrowestLast = 28;

/**
 * Plain columns that fit the width. The last column is wrapped; where nothing sensible would be left for it, it stands
 * on lines of its own below the others. Without a width every row stays on one line.
 */
export function textTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const last = titles.length - 1;
  const widths = titles.map((title, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
  );
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + gap.length, 0);
  const left = width === undefined ? Infinity : width - before;
  const isBelow = width !== undefined && left < Math.min(narrowestLast, widths[last] ?? 0);
  const rowText = (cells: readonly string[]): string => {
    const lead = cells.slice(0, last).map((cell, column) => cell.padEnd(widths[column] ?? 0) + gap);
    const margin = isBelow ? indent : " ".repeat(before);
    const lines = wrap(cells[last] ?? "", isBelow ? width - indent.length : left);
    const text = lines.map((line) => margin + line).join("\n");
    return (isBelow ? `${lead.join("").trimEnd()}\n${text}` : lead.join("") + text.slice(before)).trimEnd();
  };
  return `${[titles, ...rows].map(rowText).join("\n")}\n`;
}
