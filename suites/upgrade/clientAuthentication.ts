import { X509Certificate } from "node:crypto";
import { type TestCase, testCase } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import { makeCertificate } from "../support/certificate.ts";
import { settings } from "./configuring.ts";
import { begun, download, serveFile } from "./downloads.ts";

export const clientAuthenticationCases: readonly TestCase[] = [
  testCase({
    id: "upgrade/client-authentication",
    title: "HTTPS downloads present the configured client certificate only with `enableClientAuth`",
    group: "upgrade",
    effect: "reversible",
    touches: ["upgrade-jobs", "upgrade-configuration"],
    capabilities: ["upgrade", "upgrade-jobs"],
    deadlineMs: 120_000,
    requirements: ["CORE-UPGRADE-69"],
    async run(context) {
      const { gateway, verify, scratch, notApplicable } = context;
      const { admin } = gateway;
      const before = (await admin.call("getUpgradeConfiguration")).data();
      const { enableClientAuth } = before;
      const tls = await makeCertificate(context, gateway.host.address);
      const own = await makeCertificate(context, "client.rackproof.invalid");
      scratch.undo("enableClientAuth", () =>
        admin.call("updateUpgradeConfiguration", { json: { enableClientAuth } }),
      );
      const set = await admin.call("setUpgradeConfiguration", {
        json: {
          ...settings(before),
          ca: tls.certificatePem,
          caFilename: "rp-ca.crt",
          cert: own.certificatePem,
          certFilename: "rp-client.crt",
          key: own.keyPem,
          keyFilename: "rp-client.key",
          enableClientAuth: true,
        },
      });
      if (!set.accepted) context.unmet(`setting the certificates failed: ${set.summary()}`);
      const clientOf = async (): Promise<string | undefined> => {
        // A server of its own: a resumed TLS session would show the certificate of an earlier one.
        await using server = await serveFile(context, { sizeBytes: 1024, chunkPauseMs: 0, failures: 0, tls });
        const job = await download(context, server);
        const hasBegun = await begun(context, server, job.id).then(
          () => true,
          (thrown: unknown) => {
            if (thrown instanceof Unmet) return false;
            throw thrown;
          },
        );
        return hasBegun ? (server.requests[0]?.clientFingerprint ?? "none") : undefined;
      };
      const presented = await clientOf();
      // Whether a gateway accepts this server certificate is not stated; without a download there is no observation.
      if (presented === undefined)
        return notApplicable("the gateway does not download from the HTTPS server of this rig");
      verify("CORE-UPGRADE-69").equal(
        presented,
        new X509Certificate(own.certificatePem).fingerprint256,
        "SHA-256 fingerprint of the client certificate presented by the gateway",
      );
      const off = { enableClientAuth: false };
      (await admin.call("updateUpgradeConfiguration", { json: off })).body();
      verify("CORE-UPGRADE-69").equal(
        (await clientOf()) ?? "none",
        "none",
        "SHA-256 fingerprint of the client certificate presented with `enableClientAuth` false",
      );
    },
  }),
];
