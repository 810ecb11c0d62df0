// A certificate of the gateway's own, made at the first boot. The library is loaded only then, for it is large.
import { webcrypto } from "node:crypto";

export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export async function makeSelfSigned(commonName: string, nowMs: number): Promise<CertificateAndKey> {
  await import("reflect-metadata");
  const { X509CertificateGenerator, PemConverter } = await import("@peculiar/x509");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(nowMs - 86_400_000),
    notAfter: new Date(nowMs + 3650 * 86_400_000),
    signingAlgorithm: algorithm,
    keys,
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { certificatePem: certificate.toString("pem"), keyPem: PemConverter.encode(key, "PRIVATE KEY") };
}
