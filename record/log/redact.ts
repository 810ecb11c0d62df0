// Takes contents out of a log. The entries with their digests stay: the chain and the signatures still verify.
import { lineOf } from "./chain.ts";
import type { LogEntry } from "./entry.ts";

export interface RedactedLog {
  readonly text: string;
  /** Number of contents that were taken out. */
  readonly contents: number;
}

/** Removes the contents of the entries that are marked, and of the streams that marked exchanges opened. */
export function redactLog(text: string, isMarked: (entry: LogEntry) => boolean): RedactedLog {
  const rows = text
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => {
      const [hash = "", entryText = "", shown = ""] = row.split("\t");
      return { hash, entryText, shown, entry: JSON.parse(entryText) as LogEntry };
    });
  const streams = new Set(
    rows.flatMap(({ entry }) =>
      entry.kind === "exchange" && entry.answer?.stream !== undefined && isMarked(entry)
        ? [`${entry.case} ${entry.answer.stream}`]
        : [],
    ),
  );
  let contents = 0;
  const lines = rows.map(({ hash, entryText, shown, entry }) => {
    const isOfStream = entry.kind === "stream" && streams.has(`${entry.case} ${entry.stream}`);
    if (shown === "" || !(isOfStream || isMarked(entry))) return `${hash}\t${entryText}\t${shown}\n`;
    contents += Object.keys(JSON.parse(shown) as object).length;
    return lineOf(hash, entryText, {});
  });
  return { text: lines.join(""), contents };
}
