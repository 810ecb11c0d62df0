// A certificate of the suite that HTTPS serves, and whether it still does.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { gatewayHost, makeCertificate } from "../support/certificate.ts";
import { answersAgain } from "../support/restart.ts";
import { fingerprintOf, servedFingerprint } from "../support/sockets.ts";
import { configuration } from "./listeners.ts";
import { servedAt } from "./servedAt.ts";

/** The names by which it is set. */
export interface FileNames {
  readonly certFilename: string;
  readonly keyFilename: string;
}

/** Sets a certificate; answers its fingerprint once it is served at the URL, undefined where that does not come. */
export async function ownCertificate(
  context: CaseContext,
  url: string,
  names: FileNames,
): Promise<string | undefined> {
  const { gateway, note } = context;
  const { certificatePem, keyPem } = await makeCertificate(context, gatewayHost);
  note("the gateway's own key cannot be read, therefore the suite's certificate stays on the gateway");
  const answer = await gateway.admin.call("updateHttpServer", {
    json: { cert: certificatePem, key: keyPem, ...names },
  });
  const fingerprint = fingerprintOf(certificatePem);
  const isServed = answer.accepted && (await servedAt(context, url, fingerprint)) === fingerprint;
  if (isServed) await answersAgain(context);
  return isServed ? fingerprint : undefined;
}

/**
 * Sets a certificate of the names where HTTPS is on; what it answers checks after a reset of the HTTP server that HTTPS
 * serves another one, where the names are others.
 */
export async function watchCertificate(
  context: CaseContext,
  names: FileNames,
): Promise<(answer: Answer) => Promise<void>> {
  const { gateway, verify, waitFor, profile } = context;
  const { httpsEnable, httpsPort } = await configuration(gateway);
  const url = gateway.urlFor("https", httpsPort);
  const fingerprint = httpsEnable ? await ownCertificate(context, url, names) : undefined;
  return async (answer) => {
    const now = await configuration(gateway);
    if (fingerprint === undefined || !now.httpsEnable || now.certFileName === names.certFilename) return;
    const served = (): Promise<string | undefined> =>
      servedFingerprint(context, gateway.urlFor("https", now.httpsPort));
    const isOther = async (): Promise<true | undefined> =>
      ![undefined, fingerprint].includes(await served()) || undefined;
    const { settleMs } = profile.patience;
    await waitFor("another certificate to be served", isOther, { deadlineMs: settleMs }).catch(
      () => undefined,
    );
    const last = await served();
    // HTTPS may be out of reach then.
    if (last === undefined) return;
    verify("CORE-REBOOT-31").that(last !== fingerprint, {
      what: `fingerprint of the certificate served by HTTPS after a reset of the HTTP server, which shows ${now.certFileName}`,
      expected: `other than ${fingerprint}, which was set`,
      observed: last,
      evidence: answer,
    });
  };
}
