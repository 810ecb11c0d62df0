// The client certificate that downloads over HTTPS present.
import { X509Certificate } from "node:crypto";
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { UpgradeConfiguration } from "../../interface/resources/upgrade.ts";
import { Unmet } from "../../record/index.ts";
import { type CertificateAndKey, makeCertificate } from "../support/certificate.ts";
import { runFacts } from "../support/runFacts.ts";
import { settings } from "./configuring.ts";
import type { ServedRequest } from "../support/upgradeServer.ts";
import { begun, download, serveFile, settleMs, takesEffectMs } from "./downloads.ts";

export type ClientNames = Pick<UpgradeConfiguration, "caName" | "certFileName" | "keyFileName">;

/** Certificates of the suite's own: of the download server, and of the gateway as its client. */
export interface ClientRig {
  /** Sets the certificates and `enableClientAuth` true. */
  readonly set: () => Promise<Answer<"setUpgradeConfiguration">>;
  /** The certificate of the download server. */
  readonly ca: string;
  /** That of the certificate that is set. */
  readonly fingerprint: string;
  /** That which a new download presents; "none" without one, undefined where the gateway does not download from this server. */
  readonly presented: () => Promise<string | undefined>;
  /** The same; where it is not as expected, that of a further download, before which a change has had time to take effect. */
  readonly presentedLater: (expected: string) => Promise<string | undefined>;
  /** Those which the tries of a new download present whose first try fails, as far as they show one. */
  readonly presentedByTries: () => Promise<readonly string[]>;
}

export const fingerprintOf = ({ certificatePem }: CertificateAndKey): string =>
  new X509Certificate(certificatePem).fingerprint256;

/** A server that asks for a client certificate, and one for the configuration, under these names. */
export async function clientRig(
  context: CaseContext,
  configuration: UpgradeConfiguration,
  names: ClientNames,
): Promise<ClientRig> {
  const { gateway } = context;
  const tls = await makeCertificate(context, gateway.host.address);
  const own = await makeCertificate(context, "client.rackproof.invalid");
  const json = {
    ...settings(configuration),
    ca: tls.certificatePem,
    caFilename: names.caName,
    cert: own.certificatePem,
    certFilename: names.certFileName,
    key: own.keyPem,
    keyFilename: names.keyFileName,
    enableClientAuth: true,
  };
  const shown = ({ clientFingerprint }: ServedRequest): string => clientFingerprint ?? "none";
  const rig: ClientRig = {
    set: () => gateway.admin.call("setUpgradeConfiguration", { json }),
    ca: tls.certificatePem,
    fingerprint: fingerprintOf(own),
    async presented() {
      // A server of its own: a resumed TLS session would show the certificate of an earlier one.
      await using server = await serveFile(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 0, tls });
      // Whether a gateway takes such a URL at all is not stated.
      const hasBegun = await download(context, server)
        .then((job) => begun(context, server, job.id))
        .then(
          () => true,
          (thrown: unknown) => {
            if (thrown instanceof Unmet) return false;
            throw thrown;
          },
        );
      runFacts(context).loadsOverHttps = hasBegun;
      return hasBegun ? server.requests.map(shown)[0] : undefined;
    },
    async presentedLater(expected) {
      const now = await rig.presented();
      if (now === expected) return now;
      await context.clock.delay(takesEffectMs, context.signal);
      return rig.presented();
    },
    async presentedByTries() {
      await using server = await serveFile(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 1, tls });
      await begun(context, server, (await download(context, server)).id);
      const isTriedAgain = (): true | undefined => server.requests.length > 1 || undefined;
      // Whether it is tried again is decided elsewhere.
      await context.waitFor("the second try", isTriedAgain, { deadlineMs: settleMs }).catch(() => undefined);
      return server.requests
        .filter((request) => request.clientFingerprint !== undefined || !request.isSessionReused)
        .map(shown);
    },
  };
  return rig;
}

/**
 * Sets a client certificate under the names that are shown; answers how to check that it is presented after a reboot.
 * Whether a gateway accepts the certificate of the download server is not stated.
 */
export async function clientAfterReboot(context: CaseContext): Promise<() => Promise<void>> {
  const { declares, gateway } = context;
  const verify = context.verify("CORE-UPGRADE-69");
  const what = "client certificate presented after the reboot";
  const isOffered = declares("upgrade-jobs");
  if (!isOffered || runFacts(context).loadsOverHttps === false)
    return async () => verify.notApplicable(what, "no download over HTTPS");
  const before = (await gateway.admin.call("getUpgradeConfiguration")).data();
  const rig = await clientRig(context, before, before);
  const { caName, certFileName, keyFileName, enableClientAuth } = before;
  // Nothing that is shown may change: the caller compares it after the reboot.
  const isSet = enableClientAuth && ![caName, certFileName, keyFileName].includes("");
  if (
    !isSet ||
    !(await rig.set()).accepted ||
    (await rig.presentedLater(rig.fingerprint)) !== rig.fingerprint
  )
    return async () => verify.notApplicable(what, "not presented before it");
  return async () => {
    const now = (await rig.presented()) ?? rig.fingerprint;
    verify.equal(now, rig.fingerprint, `SHA-256 fingerprint of the ${what}`);
  };
}
