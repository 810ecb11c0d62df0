// node makeSelfSigned.ts COMMON_NAME NOW_MS: prints a self-signed certificate and its key as JSON.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { PemConverter, X509CertificateGenerator } from "@peculiar/x509";

const [commonName = "gateway", nowMs = "0"] = process.argv.slice(2);
const dayMs = 86_400_000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
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
