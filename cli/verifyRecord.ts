// `rackproof verify-record`: says in one line whether a run's record is the one that the run wrote.
import { oneLine } from "../reports/text/visibleText.ts";
import { UsageError, messageOf, publicKeyId, readRedaction, verifyLog } from "../record/index.ts";
import { readText } from "./support/files.ts";

export interface VerifyRecordOptions {
  /** File with the public key of the lab. */
  readonly publicKey?: string;
  readonly json?: boolean;
}

/** Returns the exit code: 0 unchanged, 1 changed, 3 unchanged as far as it goes, but its end is missing. */
export async function verifyRecord(folder: string, options: VerifyRecordOptions): Promise<number> {
  const keyId = options.publicKey === undefined ? undefined : await keyIdOf(options.publicKey);
  const { code, text, facts } = await findings(folder, keyId);
  process.stdout.write(options.json === true ? `${JSON.stringify(facts)}\n` : `${oneLine(text)}\n`);
  return code;
}

async function findings(
  folder: string,
  keyId: string | undefined,
): Promise<{ readonly code: number; readonly text: string; readonly facts: object }> {
  const result = await verifyLog(folder, keyId);
  if ("breach" in result) {
    const { line, problem } = result.breach;
    const place = line === undefined ? "" : `line ${line}: `;
    return { code: 1, text: `changed: ${place}${problem}`, facts: { state: "changed", ...result.breach } };
  }
  const { header, lines, end, redacted } = result.log;
  const redaction = await readRedaction(folder, result.log);
  // A redacted file differs from the run's own; what the log states of it must still agree.
  const changedFiles = [
    ...result.log.changedFiles.filter(
      (line) => !(redaction?.files ?? []).some((name) => line.startsWith(`${name} `)),
    ),
    ...(redaction?.problems ?? []),
  ];
  const signer = header.key.isOneTime ? "a one-time key of this run" : `the key ${header.key.id}`;
  const cases = lines.filter(({ entry }) => entry.kind === "case-end").length;
  const facts = {
    entries: lines.length,
    cases,
    redacted,
    keyId: header.key.id,
    isOneTimeKey: header.key.isOneTime,
    ...(redaction === undefined ? {} : { redactedFiles: redaction.files }),
  };
  if (changedFiles.length > 0)
    return {
      code: 1,
      text: `changed: ${changedFiles.join("; ")}`,
      facts: { state: "changed", changedFiles, ...facts },
    };
  const counted = `${lines.length} entries, ${cases} cases${redacted === 0 ? "" : `, ${redacted} contents redacted`}, signed by ${signer}`;
  return end === undefined
    ? {
        code: 3,
        text: `end missing: unchanged so far: ${counted}`,
        facts: { state: "end-missing", ...facts },
      }
    : { code: 0, text: `unchanged: ${counted}`, facts: { state: "unchanged", ...facts } };
}

async function keyIdOf(file: string): Promise<string> {
  const pem = await readText(file, "--public-key", "give the public key of the lab that ran");
  try {
    return publicKeyId(pem);
  } catch (thrown) {
    throw new UsageError("KEY_UNUSABLE", `--public-key ${file}: ${messageOf(thrown)}`);
  }
}
