// A certificate of the gateway's own, made at the first boot by a process of its own: the library is large, and the
// gateway should not carry it for the rest of its life.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import Type from "typebox";
import { checker } from "../../interface/validate.ts";

export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const CertificateAndKey = Type.Object({ certificatePem: Type.String(), keyPem: Type.String() });
const program = fileURLToPath(new URL("makeSelfSigned.ts", import.meta.url));

export async function makeSelfSigned(commonName: string, nowMs: number): Promise<CertificateAndKey> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, commonName, String(nowMs)]);
  const made: unknown = JSON.parse(stdout);
  if (checker(CertificateAndKey)(made).length > 0) throw new Error("no certificate was made");
  return made as CertificateAndKey;
}
