// `log.jsonl` of a registry: one entry a line, never changed, only appended to.
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { UsageError, type Certificate, Registration, Revocation } from "../../record/index.ts";

const logFile = "log.jsonl";

const check = checker(Type.Union([Registration, Revocation]));

export interface LogLine {
  /** The bytes that the tree covers, without the line's end. */
  readonly text: string;
  readonly entry: Registration | Revocation;
}

/** Every entry, oldest first; none when the registry does not exist yet. */
export async function readRegistryLog(folder: string): Promise<LogLine[]> {
  const file = join(folder, logFile);
  const text = await readFile(file, "utf8").catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return "";
    throw new UsageError("REGISTRY_UNREADABLE", `registry ${file}: ${thrown.message}`);
  });
  const lines = text.split("\n");
  if (lines.pop() !== "") throw unreadable(file, lines.length + 1, "expected a complete line");
  return lines.map((line, index) => {
    const entry = parseEntry(line);
    if (entry === undefined) throw unreadable(file, index + 1, "expected a certificate or a revocation");
    return { text: line, entry };
  });
}

/** The entry of a line, or undefined. */
export function parseEntry(line: string): Registration | Revocation | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return check(value).length === 0 ? (value as Registration | Revocation) : undefined;
}

/** Appends an entry in one write. */
export async function appendEntry(folder: string, entry: Registration | Revocation): Promise<void> {
  await mkdir(folder, { recursive: true });
  await appendFile(join(folder, logFile), `${JSON.stringify(entry)}\n`, { flush: true });
}

/** The entry of a certificate. */
export function registrationOf(
  certificate: Certificate,
  { certificateSha256, keyId, at }: Pick<Registration, "certificateSha256" | "keyId" | "at">,
): Registration {
  const { gateway, suite, requirementSet, requirements, waivers, issuer, validFrom, validTo } = certificate;
  const waived = new Set(waivers.map(({ requirement }) => requirement));
  return {
    kind: "certificate",
    at,
    certificateSha256,
    keyId,
    ...(issuer === undefined ? {} : { issuer }),
    class: certificate.class ?? "self-declared",
    ...(gateway.vendor === undefined ? {} : { vendor: gateway.vendor }),
    model: gateway.model ?? gateway.name,
    firmware: gateway.firmware,
    interface: suite.interface,
    set: requirementSet.name,
    suite: suite.version,
    validFrom,
    validTo,
    passed: requirements.filter(({ id, verdict }) => verdict === "pass" && !waived.has(id)).length,
    waived: waived.size,
  };
}

function unreadable(file: string, line: number, expected: string): UsageError {
  return new UsageError("REGISTRY_UNREADABLE", `registry ${file}, line ${line}: ${expected}`);
}
