import { oneLine } from "./visibleText.ts";

/** Any text as Markdown that shows it literally, on one line and inside its table cell. */
export function markdownText(text: string): string {
  return oneLine(text).replaceAll(/[\\|`*_<>[\]~#]/g, String.raw`\$&`);
}

/** A Markdown table; cells may contain any text. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(" | ")} |`;
  return [line(columns), `| ${columns.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}
