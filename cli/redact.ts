// `rackproof redact`: a copy of a run that can leave the lab.
import { stat } from "node:fs/promises";
import { checkDocument, fitsPattern, ProfileDocument, readDocument } from "../harness/index.ts";
import { operationIds } from "../interface/operations/index.ts";
import { UsageError, sha256 } from "../record/index.ts";
import { writeReports } from "../reports/registry.ts";
import { counted } from "../reports/text/visibleText.ts";
import { redactRun } from "../workflows/redact/redactRun.ts";
import { readStoredRun } from "./support/storedRun.ts";

export interface RedactOptions {
  readonly profile: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function redact(folder: string, options: RedactOptions): Promise<number> {
  const record = await readStoredRun(folder);
  const target = options.out ?? `${folder.replace(/\/+$/, "")}-redacted`;
  const patterns = await markedOperations(options.profile, record.profile.sha256);
  const isPresent = await stat(target).then(
    () => true,
    () => false,
  );
  if (isPresent) throw new UsageError("REDACTION", `--out ${target}: the folder exists already`);
  const { counts, exchanges, record: shown } = await redactRun(folder, target, record, patterns);
  const failures = await writeReports(shown, (caseId) => exchanges.get(caseId) ?? [], target);
  for (const failure of failures) process.stderr.write(`rackproof: ${failure}\n`);
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ folder: target, ...counts })}\n`
      : `${counted(counts.contents, "content")} of the log, ${counted(counts.exchanges, "exchange")} and ${counted(counts.cases, "case")} redacted\n${target}\n`,
  );
  return failures.length === 0 ? 0 : 3;
}

/** The patterns of the profile, which must be that of the run. */
async function markedOperations(file: string, expectedSha256: string): Promise<readonly string[]> {
  const text = await readDocument("profile", file);
  if (sha256(text) !== expectedSha256)
    throw new UsageError(
      "REDACTION",
      `--profile ${file}: expected the profile with SHA-256 ${expectedSha256}`,
    );
  const { redact: patterns = [] } = checkDocument("profile", text, file, ProfileDocument).value;
  if (patterns.length === 0) throw new UsageError("REDACTION", `--profile ${file}: it marks no operation`);
  const unknown = patterns.find(
    (pattern) =>
      !pattern.startsWith("extension:") && ![...operationIds, "raw"].some((id) => fitsPattern(id, pattern)),
  );
  if (unknown !== undefined)
    throw new UsageError("REDACTION", `--profile ${file}: no operation fits ${unknown}`);
  return patterns;
}
