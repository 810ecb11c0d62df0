// A certificate made at the first boot by a separate process: the library is large, and the
// gateway needs it only once.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";

export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const CertificateAndKey = Type.Object({ certificatePem: Type.String(), keyPem: Type.String() });
const program = fileURLToPath(new URL("makeSelfSigned.ts", import.meta.url));

export async function makeSelfSigned(
  commonName: string,
  nowMs: number,
  kind: "ec" | "rsa" = "ec",
): Promise<CertificateAndKey> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, commonName, String(nowMs), kind]);
  return parsePair(stdout, "no certificate was made");
}

/** Reads what `makeSelfSigned.ts` printed into a file. */
export async function readPair(file: string): Promise<CertificateAndKey> {
  return parsePair(
    await readFile(file, "utf8"),
    `${file}: expected an object with certificatePem and keyPem`,
  );
}

function parsePair(text: string, otherwise: string): CertificateAndKey {
  const pair: unknown = JSON.parse(text);
  if (checker(CertificateAndKey)(pair).length > 0) throw new Error(otherwise);
  return pair as CertificateAndKey;
}
