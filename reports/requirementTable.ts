// The tables of `rackproof list`.
import { textTable } from "./text/textTable.ts";
import { counted, oneLine } from "./text/visibleText.ts";

/** Where a table goes: a terminal has a width, a pipe has none. */
export interface TableStream {
  readonly columns?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

type Row = Readonly<Record<string, unknown>>;

// One column of a row may be as long as a sentence; it comes last, where it can be wrapped.
const sentences = ["statement", "title", "purpose", "description", "reason", "remedy"];
// Too long for a line: `--json` has them.
const onlyInJson = ["place", "uncovered", "requirements"];

/** Prints rows as plain columns that fit the terminal; lists are shown by their number. */
export function printTable(rows: readonly Row[], stream: TableStream): void {
  const width = stream.isTTY === true ? stream.columns : undefined;
  stream.write(requirementTable(rows, width));
}

/** The same as text. Without a width nothing is wrapped. */
export function requirementTable(rows: readonly Row[], width: number | undefined): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const sentence = sentences.find((name) => names.includes(name));
  const columns = names.filter((name) => name !== sentence && !onlyInJson.includes(name));
  if (sentence !== undefined) columns.push(sentence);
  const cells = rows.map((row) => columns.map((name) => cell(row[name])));
  const table = textTable(
    columns.map((name) => name.toUpperCase()),
    cells,
    width,
  );
  return `${table}\n${counted(rows.length, "row")}\n`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return String(value.length);
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}
