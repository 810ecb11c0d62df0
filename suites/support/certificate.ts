import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import type { CaseContext } from "../../harness/index.ts";

export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

/** A self-signed certificate for a host name or an address and its key, both PEM. */
export function makeCertificate(
  { clock, outside }: Pick<CaseContext, "clock" | "outside">,
  host: string,
): Promise<CertificateAndKey> {
  return outside.ask("certificate", () => selfSigned(host, clock.epochMs()));
}

/** The same without a case. */
export async function selfSigned(host: string, nowMs: number): Promise<CertificateAndKey> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? "dns" : "ip", value: host }]),
    ],
    notBefore: new Date(nowMs - dayMs),
    notAfter: new Date(nowMs + 30 * dayMs),
    signingAlgorithm: algorithm,
    keys,
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { certificatePem: certificate.toString("pem"), keyPem: PemConverter.encode(key, "PRIVATE KEY") };
}
