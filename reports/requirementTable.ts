// The tables of `rackproof list`.
import { textTable } from "./text/textTable.ts";
import { counted, oneLine } from "./text/visibleText.ts";

/** Destination of a table: a terminal has a width, a pipe has none. */
export interface TableStream {
  readonly columns?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

type Row = Readonly<Record<string, unknown>>;

// One column of a row may hold a sentence; it is the last one, which wraps.
const sentences = ["statement", "title", "purpose", "description", "reason", "remedy"];
// Too long for a line: `--json` shows them.
const onlyInJson = ["uncovered", "requirements"];
// Stands before the sentence, and may wrap as well. The id of a requirement names its group.
const place = "place";
const withPlaceOnlyInJson = ["group"];

/** Prints rows as plain columns that fit the terminal; a list is shown as the number of its items. */
export function printTable(rows: readonly Row[], stream: TableStream): void {
  const width = stream.isTTY === true ? stream.columns : undefined;
  stream.write(requirementTable(rows, width));
}

/** The table as text. Without a width no cell wraps. */
export function requirementTable(rows: readonly Row[], width: number | undefined): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const sentence = sentences.find((name) => names.includes(name));
  const hasPlace = names.includes(place);
  const hidden = [...onlyInJson, ...(hasPlace ? withPlaceOnlyInJson : [])];
  const columns = names.filter((name) => name !== sentence && name !== place && !hidden.includes(name));
  if (hasPlace) columns.push(place);
  if (sentence !== undefined) columns.push(sentence);
  const cells = rows.map((row) => columns.map((name) => cell(row[name])));
  const table = textTable(
    columns.map((name) => name.toUpperCase()),
    cells,
    { width, ...(hasPlace ? { wrapped: columns.indexOf(place) } : {}) },
  );
  return `${table}\n${counted(rows.length, "row")}\n`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return String(value.length);
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}
