import { oneLine } from "./visibleText.ts";

/** Text from anywhere as Markdown that shows it as it is, on one line and inside its table cell. */
export function markdownText(text: string): string {
  return oneLine(text).replaceAll(/[\\|`*_<>[\]~#]/g, String.raw`\$&`);
}

/** A table; the cells may be any text. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(" | ")} |`;
  return [line(columns), `| ${columns.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}
