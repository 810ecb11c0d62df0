// A certificate of the gateway's own, made at the first boot by a process of its own: the library is large, and the
// gateway should not carry it for the rest of its life.
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
