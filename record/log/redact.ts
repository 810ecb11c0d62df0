// Takes contents out of a log. The entries with their digests stay: the chain and the signatures still verify.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { lineOf } from "./chain.ts";
import type { LogEntry } from "./entry.ts";
import { LogRows } from "./rows.ts";

/**
 * Writes a copy of the log without the contents of the entries that are marked, and of the streams that marked exchanges
 * opened; answers the number of contents that were taken out.
 */
export async function redactLog(
  file: string,
  target: string,
  isMarked: (entry: LogEntry) => boolean,
): Promise<number> {
  const streams = new Set<string>();
  for await (const { entry } of entriesOf(file))
    if (entry.kind === "exchange" && entry.answer?.stream !== undefined && isMarked(entry))
      streams.add(`${entry.case} ${entry.answer.stream}`);
  let contents = 0;
  await pipeline(async function* () {
    for await (const { hash, entryText, shown, entry } of entriesOf(file)) {
      const isOfStream = entry.kind === "stream" && streams.has(`${entry.case} ${entry.stream}`);
      const isKept = shown === "" || !(isOfStream || isMarked(entry));
      if (!isKept) contents += Object.keys(JSON.parse(shown) as object).length;
      yield isKept ? `${hash}\t${entryText}\t${shown}\n` : lineOf(hash, entryText, {});
    }
  }, createWriteStream(target));
  return contents;
}

async function* entriesOf(
  file: string,
): AsyncGenerator<{ hash: string; entryText: string; shown: string; entry: LogEntry }> {
  for await (const rows of new LogRows(file)) {
    for (const row of rows) {
      const [hash = "", entryText = "", shown = ""] = row.split("\t");
      yield { hash, entryText, shown, entry: JSON.parse(entryText) as LogEntry };
    }
  }
}
