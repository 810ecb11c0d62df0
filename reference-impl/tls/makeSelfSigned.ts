// node makeSelfSigned.ts COMMON_NAME NOW_MS [ec|rsa]: prints a self-signed certificate and its key as JSON.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { PemConverter, X509CertificateGenerator } from "@peculiar/x509";

const [commonName = "gateway", nowMs = "0", kind = "ec"] = process.argv.slice(2);
const dayMs = 86_400_000;
const algorithm =
  kind === "rsa"
    ? {
        name: "RSASSA-PKCS1-v1_5",
        hash: "SHA-256",
        publicExponent: Uint8Array.of(1, 0, 1),
        modulusLength: 2048,
      }
    : { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
const certificate = await X509CertificateGenerator.createSelfSigned({
  name: `CN=${commonName}`,
  notBefore: new Date(Number(nowMs) - dayMs),
  notAfter: new Date(Number(nowMs) + 3650 * dayMs),
  signingAlgorithm: algorithm,
  keys,
});
const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
process.stdout.write(
  JSON.stringify({
    certificatePem: certificate.toString("pem"),
    keyPem: PemConverter.encode(key, "PRIVATE KEY"),
  }),
);
