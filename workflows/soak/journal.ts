// The journal of a soak: lines appended as it runs, so that an end of any kind loses at most the present interval.
import { appendFileSync, createReadStream, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { checker } from "../../interface/schema/validate.ts";
import { UsageError } from "../../record/index.ts";
import { JournalLine } from "./sample.ts";

const journalFile = "soak.jsonl";
const problemsOf = checker(JournalLine);

export class Journal {
  readonly #file: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, journalFile);
  }

  add(line: JournalLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** The lines in order; a last line that a killed process left incomplete is skipped. */
export async function* readJournal(folder: string): AsyncGenerator<JournalLine> {
  const file = join(folder, journalFile);
  if (!existsSync(file))
    throw new UsageError("SOAK_FOLDER", `soak ${folder}: expected the file ${journalFile}, found none`);
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const line = parsed(text);
    if (line !== undefined) yield line;
  }
}

function parsed(text: string): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return problemsOf(value).length === 0 ? (value as JournalLine) : undefined;
  } catch {
    return undefined;
  }
}
