import "reflect-metadata";
import { createPrivateKey, createPublicKey, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import type { CaseContext } from "../../harness/index.ts";

export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Host of the certificates that the suite sets: a gateway may serve one to clients that ask for its host only. */
export const gatewayHost = "gateway.rackproof.invalid";

/** What every gateway takes; which kinds of keys it takes is not stated. */
const algorithm = {
  name: "RSASSA-PKCS1-v1_5",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: "SHA-256",
};
const dayMs = 86_400_000;

/** A self-signed certificate for a host name or an address and its key, both PEM. */
export function makeCertificate(
  { clock, outside }: Pick<CaseContext, "clock" | "outside">,
  host: string,
): Promise<CertificateAndKey> {
  return outside.ask("certificate", () => selfSigned(host, clock.epochMs()));
}

/** Another certificate for the key of such a pair, as PEM. */
export function renewCertificate(
  { clock, outside }: Pick<CaseContext, "clock" | "outside">,
  host: string,
  { keyPem }: CertificateAndKey,
): Promise<string> {
  return outside.ask("renewed certificate", async () => signed(host, clock.epochMs(), await keysOf(keyPem)));
}

/** The same as `makeCertificate` without a case. */
export async function selfSigned(host: string, nowMs: number): Promise<CertificateAndKey> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return {
    certificatePem: await signed(host, nowMs, keys),
    keyPem: PemConverter.encode(key, "PRIVATE KEY"),
  };
}

async function keysOf(keyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateKey = createPrivateKey(keyPem);
  const form = { format: "der" } as const;
  const [own, open] = [
    privateKey.export({ ...form, type: "pkcs8" }),
    createPublicKey(privateKey).export({ ...form, type: "spki" }),
  ];
  return {
    privateKey: await webcrypto.subtle.importKey("pkcs8", own, algorithm, true, ["sign"]),
    publicKey: await webcrypto.subtle.importKey("spki", open, algorithm, true, ["verify"]),
  };
}

async function signed(host: string, nowMs: number, keys: webcrypto.CryptoKeyPair): Promise<string> {
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
  return certificate.toString("pem");
}
