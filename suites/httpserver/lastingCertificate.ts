// A certificate that lasts through sets that name none, and one that is set while HTTPS is off.
import type { CaseContext } from "../../harness/index.ts";
import type { CertificateAndKey } from "../support/certificate.ts";
import { fingerprintOf } from "../support/sockets.ts";
import { configuration, isServed, scalars } from "./listeners.ts";
import { servedAt } from "./servedAt.ts";

/** Sets a certificate and its key while HTTPS is off, and checks that it stays off; answers whether they were accepted. */
async function setWhileOff(
  { gateway, verify }: CaseContext,
  { certificatePem: cert, keyPem: key }: CertificateAndKey,
): Promise<boolean> {
  const before = await configuration(gateway);
  if (before.httpsEnable) return false;
  const answer = await gateway.admin.call("updateHttpServer", {
    json: { cert, certFilename: "off.crt", key, keyFilename: "off.key" },
  });
  // Whether a certificate can be set then is not stated.
  if (!answer.accepted) return false;
  const { certFileName: _cert, keyFileName: _key, ...others } = await configuration(gateway);
  const { certFileName: _formerCert, keyFileName: _formerKey, ...wanted } = before;
  verify("CORE-HTTP-09").equal(
    others,
    wanted,
    "the other members of the HTTP server configuration after `cert` and `key` were set while HTTPS was off",
    answer,
  );
  return true;
}

/**
 * Checks that the certificate is served after sets that name none: off and on, another port, and a form. While HTTPS is off
 * the other one is set.
 */
export async function verifyLasting(
  context: CaseContext,
  present: CertificateAndKey,
  other: CertificateAndKey,
): Promise<void> {
  const { gateway, verify } = context;
  let wanted = fingerprintOf(present.certificatePem);
  const set = (json: { httpsPort: number } | { httpsEnable: boolean }) =>
    gateway.admin.call("updateHttpServer", { json });
  const before = await configuration(gateway);
  const url = gateway.urlFor("https", before.httpsPort);
  if ((await servedAt(context, url, wanted)) !== wanted) return;
  const off = await set({ httpsEnable: false });
  if (off.accepted) await isServed(context, url, false);
  const isOther = off.accepted && (await setWhileOff(context, other));
  if (isOther) wanted = fingerprintOf(other.certificatePem);
  for (const [how, json] of [
    [isOther ? "httpsEnable, after the certificate" : "httpsEnable false and true", { httpsEnable: true }],
    ["httpsPort alone", { httpsPort: await gateway.freePort() }],
  ] as const) {
    const answer = await set(json);
    if (!answer.accepted) continue;
    const { httpsPort } = answer.data();
    const moved = gateway.urlFor("https", httpsPort);
    // That a listener opens is decided by other cases.
    if (!(await isServed(context, moved, true))) return;
    verify("CORE-HTTP-09").equal(
      await servedAt(context, moved, wanted),
      wanted,
      `fingerprint of the certificate served by HTTPS after a set of ${how}`,
      answer,
    );
  }
  const prior = await configuration(gateway);
  const form = await gateway.admin.call("setHttpServer", { form: scalars(prior) });
  // A form without files may be rejected, or remove them: the names tell.
  if (!form.accepted || (await configuration(gateway)).certFileName !== prior.certFileName) return;
  verify("CORE-HTTP-12").equal(
    await servedAt(context, gateway.urlFor("https", prior.httpsPort), wanted),
    wanted,
    `fingerprint of the certificate served by HTTPS after a form without files, with certFileName ${prior.certFileName}`,
    form,
  );
}
