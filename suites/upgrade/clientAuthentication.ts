import { type TestCase, testCase } from "../../harness/index.ts";
import { makeCertificate } from "../support/certificate.ts";
import { clientRig, fingerprintOf } from "./clientCertificate.ts";
import { settings } from "./configuring.ts";

const names = { caName: "rp-ca.crt", certFileName: "rp-client.crt", keyFileName: "rp-client.key" };
const otherNames = { ...names, certFileName: "rp-client2.crt", keyFileName: "rp-client2.key" };

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
      const { enableClientAuth, retryCount, retryInterval } = before;
      scratch.undo("enableClientAuth and retry settings", () =>
        admin.call("updateUpgradeConfiguration", { json: { enableClientAuth, retryCount, retryInterval } }),
      );
      const retried = { ...before, retryCount: 1, retryInterval: 1 };
      const { set, ca, fingerprint, presentedLater, presentedByTries } = await clientRig(
        context,
        retried,
        names,
      );
      const answer = await set();
      if (!answer.accepted) context.unmet(`setting the certificates failed: ${answer.summary()}`);
      const first = await presentedLater(fingerprint);
      // Whether a gateway accepts this server certificate is not stated; without a download there is no observation.
      if (first === undefined)
        return notApplicable("the gateway does not download from the HTTPS server of this rig");
      const judge = (now: string | undefined, expected: string, when: string): void => {
        const what = `SHA-256 fingerprint of the client certificate presented ${when}`;
        if (now === undefined && expected !== "none")
          return verify("CORE-UPGRADE-69").notApplicable(what, "no download");
        verify("CORE-UPGRADE-69").equal(now ?? "none", expected, what);
      };
      const verifyPresented = async (expected: string, when: string): Promise<void> =>
        judge(await presentedLater(expected), expected, when);
      judge(first, fingerprint, "by the gateway");
      const byTries = await presentedByTries();
      verify("CORE-UPGRADE-69").equal(
        byTries,
        byTries.map(() => fingerprint),
        "SHA-256 fingerprints of the client certificate presented by the tries of a download whose first try fails",
      );
      const enable = async (isOn: boolean): Promise<void> =>
        void (await admin.call("updateUpgradeConfiguration", { json: { enableClientAuth: isOn } })).body();
      await enable(false);
      await verifyPresented("none", "with `enableClientAuth` false");
      await enable(true);
      await verifyPresented(fingerprint, "with `enableClientAuth` true again");
      const whole = await admin.call("setUpgradeConfiguration", {
        json: { ...settings(before), enableClientAuth: true },
      });
      // A whole set without files may remove them: the names tell.
      const isNamed =
        whole.accepted &&
        whole.data().certFileName === names.certFileName &&
        whole.data().keyFileName === names.keyFileName;
      if (isNamed) await verifyPresented(fingerprint, "after a whole set without files");
      const wholeOff = await admin.call("setUpgradeConfiguration", {
        json: { ...settings(before), enableClientAuth: false },
      });
      if (wholeOff.accepted && !wholeOff.data().enableClientAuth)
        await verifyPresented("none", "after a whole set with `enableClientAuth` false");
      const other = await makeCertificate(context, "client2.rackproof.invalid");
      const file = (fileName: string, content: string) => ({ fileName, content: Buffer.from(content) });
      const uploaded = await admin.call("setUpgradeConfiguration", {
        form: {
          ...settings(before),
          caFile: file(otherNames.caName, ca),
          certFile: file(otherNames.certFileName, other.certificatePem),
          keyFile: file(otherNames.keyFileName, other.keyPem),
          enableClientAuth: true,
        },
      });
      // The media type of the request is not stated: what is shown tells whether the files were taken.
      if (!uploaded.accepted) return;
      const { certFileName, keyFileName } = uploaded.data();
      if (certFileName === otherNames.certFileName && keyFileName === otherNames.keyFileName)
        await verifyPresented(fingerprintOf(other), "after an upload of another pair as a form");
    },
  }),
];
