// A certificate with a key that belongs to another one, set over HTTP: HTTPS may serve nothing afterwards.
import type { CaseContext } from "../../harness/index.ts";
import { type CertificateAndKey, gatewayHost, makeCertificate } from "../support/certificate.ts";
import { fingerprintOf } from "../support/sockets.ts";
import { configuration, isServed, scalars, schemeInUse, servedOrClosed } from "./listeners.ts";
import { servedAt } from "./servedAt.ts";

/** The time in which a listener closes that cannot use its key. */
const closesWithinMs = 2_000;

/** Checks that a certificate beside the key of the present one, if rejected, changes nothing, and otherwise leaves HTTPS served. */
export async function verifyForeignKey(context: CaseContext, present: CertificateAndKey): Promise<void> {
  const { gateway, verify } = context;
  const what = "a certificate was sent with the key of another one";
  const before = await configuration(gateway);
  const url = gateway.urlFor("https", before.httpsPort);
  const names = { certFilename: before.certFileName, keyFilename: before.keyFileName };
  verify("CORE-GENERAL-10").notApplicable(what, "the gateway accepts it, or is reached over HTTPS only");
  verify("CORE-HTTP-11").notApplicable(what, "the gateway rejects it, or is reached over HTTPS only");
  if (schemeInUse(gateway) === "https") return;
  const { certificatePem: cert } = await makeCertificate(context, gatewayHost);
  const json = { cert, certFilename: "foreign.crt", key: present.keyPem, keyFilename: "foreign.key" };
  const answer = await gateway.admin.call("updateHttpServer", { json });
  const after = await configuration(gateway);
  if (answer.rejected) {
    verify("CORE-GENERAL-10").equal(after, before, `the HTTP server configuration after ${what}`, answer);
    const wanted = fingerprintOf(present.certificatePem);
    verify("CORE-GENERAL-10").equal(
      await servedAt(context, url, wanted),
      wanted,
      `fingerprint of the certificate served by HTTPS after ${what}`,
      answer,
    );
  }
  if (!answer.accepted) return;
  // Which of the two it serves, and whether it switches HTTPS off, is not stated.
  if (after.httpsEnable) {
    await isServed(context, url, false, closesWithinMs);
    const now = servedOrClosed(await isServed(context, url, true));
    verify("CORE-HTTP-11").equal(now, "served", `HTTPS on its port after ${what}`, answer);
  }
  const { certificatePem, keyPem } = present;
  await gateway.admin.call("updateHttpServer", {
    json: { ...scalars(before), cert: certificatePem, key: keyPem, ...names },
  });
}
