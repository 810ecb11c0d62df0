// Reads a run's log, and verifies that it is the one that the run wrote: every line in its place, signed, with its end.
import { join } from "node:path";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { changesSince } from "../digests.ts";
import { beginning, contentDigest, type Contents, hashOf, headText, logFile } from "./chain.ts";
import { entrySchemas, type LogEntry, type LogHeader } from "./entry.ts";
import { isSigned, publicKeyOf, thumbprint } from "./key.ts";
import { LogRows } from "./rows.ts";

interface LogLine {
  readonly entry: LogEntry;
  /** Contents by name; one that was redacted is absent. */
  readonly contents: Readonly<Record<string, string>>;
}

/** A log whose chain, contents and signatures verify. */
export interface VerifiedLog {
  readonly header: LogHeader;
  /** All lines that a signature covers; of a killed run, the last ones are not. */
  readonly lines: readonly LogLine[];
  /** The end that the run wrote; undefined when the run was killed or the tail is missing. */
  readonly end: Extract<LogEntry, { kind: "end" }> | undefined;
  /** Contents that were redacted. */
  readonly redacted: number;
  /** Hash of the last line. */
  readonly lastHash: string;
  /** Files of the record that differ from the end's digests, a sentence each. */
  readonly changedFiles: readonly string[];
}

/** Why a log does not verify. */
interface LogBreach {
  /** Number of the line, from 1; undefined when there is no log. */
  readonly line?: number;
  readonly problem: string;
}

type LogResult = { readonly log: VerifiedLog } | { readonly breach: LogBreach };

const checkContents = checker(
  Type.Record(
    Type.String(),
    Type.Tuple([Type.String(), Type.String()], { minItems: 2, additionalItems: false }),
  ),
);

/**
 * Verifies the log of the folder. `keyId`: thumbprint of the key that must have signed; without it any key is taken, and
 * the caller decides whether it trusts the key of the header.
 */
export async function verifyLog(folder: string, keyId?: string): Promise<LogResult> {
  const rows = new LogRows(join(folder, logFile));
  try {
    const result = await verifyRows(rows, keyId);
    if ("breach" in result) return result;
    const { end } = result;
    return {
      log: { ...result, changedFiles: end === undefined ? [] : await changesSince(end.files, folder) },
    };
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === undefined) throw thrown;
    const problem = code === "ENOENT" ? "is missing" : `cannot be read (${message})`;
    return { breach: { problem: `${logFile} ${problem}` } };
  }
}

async function verifyRows(
  rows: LogRows,
  keyId: string | undefined,
): Promise<Omit<VerifiedLog, "changedFiles"> | { readonly breach: LogBreach }> {
  const broken = (line: number, problem: string): { breach: LogBreach } => ({ breach: { line, problem } });
  const lines: LogLine[] = [];
  let header: LogHeader | undefined;
  let key: ReturnType<typeof publicKeyOf>;
  let hash = beginning;
  let end: VerifiedLog["end"];
  let redacted = 0;
  /** Number of lines that a signature covers. */
  let signed = 0;
  let number = 0;
  for await (const some of rows) {
    for (const row of some) {
      number += 1;
      const [stated = "", entryText = "", shown = "", ...more] = row.split("\t");
      if (more.length > 0) return broken(number, "the line has more than three fields");
      const next = hashOf(hash, entryText);
      if (next !== stated)
        return broken(number, "the line was changed, moved, or a line before it is missing");
      const entry = parseEntry(entryText);
      if (typeof entry === "string") return broken(number, entry);
      if (end !== undefined && entry.kind !== "head") return broken(number, "a line follows the end");
      const opened = openContents(entry, shown);
      if (typeof opened === "string") return broken(number, opened);
      redacted += opened.redacted;
      if (header === undefined) {
        if (entry.kind !== "header") return broken(number, "the log does not begin with its header");
        if (entry.key.id !== thumbprint(entry.key.x))
          return broken(number, "the thumbprint is not that of the key");
        if (keyId !== undefined && entry.key.id !== keyId)
          return broken(number, `signed by the key ${entry.key.id}, expected ${keyId}`);
        key = publicKeyOf(entry.key.x);
        header = entry;
      } else if (entry.kind === "header") return broken(number, "a second header");
      if (entry.kind === "head") {
        if (key === undefined || !isSigned(headText(header.run, hash, entry.at), entry.signature, key))
          return broken(number, "the signature does not fit the lines before it");
      }
      if (entry.kind === "end") end = entry;
      lines.push({ entry, contents: opened.contents });
      if (entry.kind === "head") signed = lines.length;
      hash = next;
    }
  }
  if (header === undefined) return broken(1, "the log is empty");
  if (end !== undefined && (signed < lines.length || rows.isCutOff))
    return broken(number, "the end is not signed");
  return { header, lines: lines.slice(0, signed), end, redacted, lastHash: hash };
}

function parseEntry(text: string): LogEntry | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "the entry is not JSON";
  }
  const { kind } = (value ?? {}) as { kind?: unknown };
  if (typeof kind !== "string" || !Object.hasOwn(entrySchemas, kind)) return "the entry has an unknown kind";
  const problem = checker(entrySchemas[kind as keyof typeof entrySchemas])(value)[0];
  return problem === undefined
    ? (value as LogEntry)
    : `the entry ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`;
}

function openContents(
  entry: LogEntry,
  shown: string,
): { readonly contents: Record<string, string>; readonly redacted: number } | string {
  const digests = ("digests" in entry ? entry.digests : undefined) ?? {};
  const names = Object.keys(digests);
  if (shown === "") return { contents: {}, redacted: names.length };
  let value: unknown;
  try {
    value = JSON.parse(shown);
  } catch {
    return "the contents are not JSON";
  }
  // One form only: two files that differ are never both unchanged.
  if (checkContents(value).length > 0 || shown === "{}" || JSON.stringify(value) !== shown)
    return "the contents are not in the format of a log";
  const contents: Record<string, string> = {};
  for (const [name, [salt, text]] of Object.entries(value as Contents)) {
    if (digests[name] !== contentDigest(salt, text)) return `the content ${name} was changed`;
    contents[name] = text;
  }
  return { contents, redacted: names.length - Object.keys(contents).length };
}
