import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { badInput } from "../base/refusal.ts";

/** Checks that both are PEM and belong together; throws a Refusal that names the wrong field. */
export function assertPair(
  certificatePem: string,
  keyPem: string,
  fields: { certificate: string; key: string },
): void {
  if (!certificatePem.includes("-----BEGIN CERTIFICATE-----"))
    throw badInput(`${fields.certificate}: expected a certificate in PEM`);
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(keyPem))
    throw badInput(`${fields.key}: expected a private key in PEM`);
  const certificate = attempt(
    () => new X509Certificate(certificatePem),
    `${fields.certificate}: the PEM holds no certificate`,
  );
  const key = attempt(
    () => createPrivateKey(keyPem),
    `${fields.key}: the PEM holds no private key that can be used`,
  );
  if (!certificate.checkPrivateKey(key))
    throw badInput(`${fields.key}: the key does not belong to the certificate`);
  // TLS requires more than a matching pair: a key that is long enough, and a complete chain.
  attempt(
    () => createSecureContext({ cert: certificatePem, key: keyPem }),
    `${fields.certificate}: TLS cannot serve with this certificate and key`,
  );
}

function attempt<T>(body: () => T, message: string): T {
  try {
    return body();
  } catch {
    throw badInput(message);
  }
}
