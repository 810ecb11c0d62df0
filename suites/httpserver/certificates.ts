import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { checkWrongInput } from "../support/settingCheck.ts";
import {
  type CertificateAndKey,
  gatewayHost,
  makeCertificate,
  renewCertificate,
} from "../support/certificate.ts";
import { fingerprintOf } from "../support/sockets.ts";
import { verifyForeignKey } from "./foreignKey.ts";
import { verifyLasting } from "./lastingCertificate.ts";
import { servedAt } from "./servedAt.ts";
import {
  canMoveTo,
  configuration,
  isServed,
  otherScheme,
  scalars,
  schemeInUse,
  servedOrClosed,
  verifyRejectedPort,
  watchOther,
  withBothListeners,
} from "./listeners.ts";

/** A form that sets the scalar members, and the certificate and key as files of these names. */
function pairForm<T extends object>(
  members: T,
  { certificatePem, keyPem }: CertificateAndKey,
  certName: string,
  keyName: string,
): T & Record<"certFile" | "keyFile", { fileName: string; content: Buffer<ArrayBuffer> }> {
  return {
    ...members,
    certFile: { fileName: certName, content: Buffer.from(certificatePem) },
    keyFile: { fileName: keyName, content: Buffer.from(keyPem) },
  };
}

const inputOnly = ["cert", "key", "certFile", "keyFile"];

/** Checks that the answer contains no input-only member and no private key. */
function showsNoKey({ verify }: CaseContext, answer: Answer): void {
  const data = (answer.json as { data?: unknown } | undefined)?.data ?? {};
  const shown = inputOnly.filter((name) => Object.hasOwn(data, name));
  if (answer.text.includes("PRIVATE KEY")) shown.push("a private key");
  verify("CORE-HTTP-16").equal(shown, [], `input-only members in the answer of ${answer.operation}`);
}

/** Checks that the set was accepted and the certificate is served; answers whether it was accepted. */
async function verifyServed(
  context: CaseContext,
  answer: Answer,
  { cert, port, how }: { readonly cert: string; readonly port: number; readonly how: string },
): Promise<boolean> {
  const { gateway, verify } = context;
  if (!verify("CORE-HTTP-12").accepted(answer)) return false;
  const wanted = fingerprintOf(cert);
  verify("CORE-HTTP-12").equal(
    await servedAt(context, gateway.urlFor("https", port), wanted),
    wanted,
    `fingerprint of the certificate served by HTTPS after ${how}`,
    answer,
  );
  return true;
}

/** Checks that a certificate alone, for the key that the gateway has, is served and leaves the other members. */
async function verifyRenewed(context: CaseContext, pair: CertificateAndKey): Promise<void> {
  const { gateway, verify } = context;
  const before = await configuration(gateway);
  const cert = await renewCertificate(context, "renewed.rackproof.invalid", pair);
  const answer = await gateway.admin.call("updateHttpServer", { json: { cert } });
  // Whether a certificate is taken without its key is not stated.
  if (answer.rejected)
    return verify("CORE-HTTP-12").notApplicable("a certificate without its key", answer.summary());
  const how = "`cert` alone was set, for the present key";
  if (!(await verifyServed(context, answer, { cert, port: before.httpsPort, how }))) return;
  // Which name a certificate without one gets is not stated.
  const { certFileName: _name, ...others } = await configuration(gateway);
  const { certFileName: _former, ...wantedOthers } = before;
  verify("CORE-HTTP-09").equal(
    others,
    wantedOthers,
    "the other members of the HTTP server configuration after `cert` alone was set",
    answer,
  );
}

/** Checks that another certificate and key are served that are sent alone, under the names that are shown already; answers them if they were accepted. */
async function verifySameNames(context: CaseContext): Promise<CertificateAndKey | undefined> {
  const { gateway } = context;
  const { certFileName, keyFileName, httpsPort } = await configuration(gateway);
  const pair = await makeCertificate(context, gatewayHost);
  const { certificatePem: cert, keyPem: key } = pair;
  const answer = await gateway.admin.call("updateHttpServer", {
    json: { cert, certFilename: certFileName, key, keyFilename: keyFileName },
  });
  const how = "another pair was set under the same names";
  return (await verifyServed(context, answer, { cert, port: httpsPort, how })) ? pair : undefined;
}

/** Checks that a certificate and its key that are sent beside another port are served at that port. */
async function verifyBesidePort(
  context: CaseContext,
  { certificatePem, keyPem }: CertificateAndKey,
): Promise<void> {
  const { gateway } = context;
  const httpsPort = await gateway.freePort();
  const answer = await gateway.admin.call("updateHttpServer", {
    json: {
      httpsPort,
      cert: certificatePem,
      certFilename: "beside.crt",
      key: keyPem,
      keyFilename: "beside.key",
    },
  });
  const how = "`cert` and `key` were set together with `httpsPort`";
  await verifyServed(context, answer, { cert: certificatePem, port: httpsPort, how });
}

const noPort = 70_000;

export const certificateCases: readonly TestCase[] = [
  testCase({
    id: "httpserver/certificate-is-served",
    title: "HTTPS serves the certificate that was set; its contents are never returned",
    group: "httpserver",
    requirements: [
      "CORE-HTTP-09",
      "CORE-HTTP-12",
      "CORE-HTTP-13",
      "CORE-HTTP-15",
      "CORE-HTTP-16",
      "CORE-HTTP-22",
      "CORE-HTTP-25",
      "CORE-HTTP-11",
      "CORE-GENERAL-10",
    ],
    effect: "reversible",
    touches: ["http-server", "services"],
    capabilities: ["httpserver", "listener-changes"],
    alone: true,
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, verify, note } = context;
      const before = await withBothListeners(context);
      note("the gateway's own key cannot be read, therefore the suite's certificate stays on the gateway");
      if (schemeInUse(gateway) === "https") await canMoveTo(context, gateway.urlFor("http", before.httpPort));
      const first = await makeCertificate(context, gatewayHost);
      const byJson = await gateway.admin.call("updateHttpServer", {
        json: {
          cert: first.certificatePem,
          certFilename: "first.crt",
          key: first.keyPem,
          keyFilename: "first.key",
        },
      });
      if (verify("CORE-HTTP-12").accepted(byJson)) {
        const wanted = fingerprintOf(first.certificatePem);
        verify("CORE-HTTP-12").equal(
          await servedAt(context, gateway.urlFor("https", before.httpsPort), wanted),
          wanted,
          "fingerprint of the certificate served by HTTPS",
          byJson,
        );
        const { certFileName, keyFileName, ...rest } = await configuration(gateway);
        verify("CORE-HTTP-13").equal(
          { certFileName, keyFileName },
          { certFileName: "first.crt", keyFileName: "first.key" },
          "`certFileName` and `keyFileName` as read back",
          byJson,
        );
        verify("CORE-HTTP-12").equal(
          scalars({ certFileName, keyFileName, ...rest }),
          scalars(before),
          "ports and enable members after the certificate was set",
          byJson,
        );
        await verifyRenewed(context, first);
        const present = await verifySameNames(context);
        if (present !== undefined) await verifyForeignKey(context, present);
      }
      for (const [input, shown] of [
        ["certFilename", "certFileName"],
        ["keyFilename", "keyFileName"],
      ] as const) {
        const prior = await configuration(gateway);
        const name = `alone.${shown === "certFileName" ? "crt" : "key"}`;
        const answer = await gateway.admin.call("updateHttpServer", { json: { [input]: name } });
        // A name without its content may be rejected, or have no effect.
        if (!answer.accepted) continue;
        const now = await configuration(gateway);
        verify("CORE-HTTP-09").equal(
          now,
          { ...prior, [shown]: now[shown] === prior[shown] ? prior[shown] : name },
          `the HTTP server configuration after ${input} alone was set`,
          answer,
        );
      }
      const second = await makeCertificate(context, gatewayHost);
      const wanted = { ...scalars(before), httpsPort: await gateway.freePort() };
      const byForm = await gateway.admin.call("setHttpServer", {
        form: pairForm(wanted, second, "second.crt", "second.key"),
      });
      if (verify("CORE-HTTP-15").accepted(byForm)) {
        verify("CORE-HTTP-22").equal(
          scalars(await configuration(gateway)),
          wanted,
          "ports and enable members of the form as read back",
          byForm,
        );
        // Which names a gateway shows for the files of a form is not stated; each is not that of the other file.
        const { certFileName, keyFileName } = await configuration(gateway);
        verify("CORE-HTTP-15").that(certFileName !== "second.key" && keyFileName !== "second.crt", {
          what: "`certFileName` and `keyFileName` after the files second.crt and second.key were sent",
          expected: "not exchanged",
          observed: { certFileName, keyFileName },
          evidence: byForm,
        });
        const url = gateway.urlFor("https", wanted.httpsPort);
        verify("CORE-HTTP-22").equal(
          servedOrClosed(await isServed(context, url, true)),
          "served",
          `HTTPS on the port ${wanted.httpsPort} of the form`,
          byForm,
        );
        const served = fingerprintOf(second.certificatePem);
        verify("CORE-HTTP-15").equal(
          await servedAt(context, url, served),
          served,
          "fingerprint of the certificate served by HTTPS",
          byForm,
        );
      }
      await verifyBesidePort(context, first);
      await verifyLasting(context, first, second);
      for (const [certName, keyName, pair] of [
        ["third.cer", "third.pk", first],
        ["fourth.pem", "fourth-key.pem", second],
      ] as const) {
        if (!byForm.accepted) break;
        // The port that it left may be in use until its listener has closed.
        const { httpsPort } = await configuration(gateway);
        const form = pairForm({ ...wanted, httpsPort }, pair, certName, keyName);
        const answer = await gateway.admin.call("setHttpServer", { form });
        if (!verify("CORE-HTTP-25").accepted(answer)) continue;
        const served = fingerprintOf(pair.certificatePem);
        verify("CORE-HTTP-15").equal(
          await servedAt(context, gateway.urlFor("https", httpsPort), served),
          served,
          `fingerprint of the certificate served by HTTPS after a form with the files ${certName} and ${keyName}`,
          answer,
        );
      }
      for (const answer of [byJson, byForm, await gateway.admin.call("getHttpServer")])
        if (answer.accepted) showsNoKey(context, answer);
    },
  }),
  testCase({
    id: "httpserver/names-are-for-answers-only",
    title: "certFileName and keyFileName in a request have no effect",
    group: "httpserver",
    requirements: ["CORE-HTTP-16", "CORE-HTTP-23"],
    effect: "reversible",
    touches: ["http-server"],
    capabilities: ["httpserver"],
    async run(context) {
      const { gateway, verify } = context;
      const read = await gateway.admin.call("getHttpServer");
      const before = read.data();
      showsNoKey(context, read);
      // They may be rejected or ignored; they must not take effect.
      const answer = await gateway.admin.callInvalid("updateHttpServer", {
        json: { certFileName: "not-settable.crt", keyFileName: "not-settable.key" },
      });
      verify("CORE-HTTP-23").equal(
        await configuration(gateway),
        before,
        "the HTTP server configuration after a request with certFileName and keyFileName",
        answer,
      );
    },
  }),
  testCase({
    id: "httpserver/wrong-input-is-refused",
    title: "Wrong types and files that are no certificate are rejected",
    group: "httpserver",
    requirements: ["CORE-HTTP-17", "CORE-HTTP-18", "CORE-HTTP-19", "CORE-GENERAL-09", "CORE-GENERAL-10"],
    effect: "reversible",
    touches: ["http-server"],
    capabilities: ["httpserver"],
    async run(context) {
      const { gateway, verify, declares } = context;
      const before = await configuration(gateway);
      let prior = before;
      for (const json of [{ httpPort: "eighty" }, { httpsEnable: "perhaps" }, { httpsPort: {} }]) {
        const answer = await gateway.admin.callInvalid("updateHttpServer", { json });
        const after = await configuration(gateway);
        checkWrongInput(context, "CORE-HTTP-17", { answer, sent: json, before: prior, after });
        prior = after;
      }
      const good = await makeCertificate(context, gatewayHost);
      const upload = (pair: CertificateAndKey, certName: string): Promise<Answer> =>
        gateway.admin.callInvalid("setHttpServer", {
          form: pairForm(scalars(before), pair, certName, "third.key"),
        });
      const verifyOther = await watchOther(context);
      verify("CORE-HTTP-18").refused(await upload(good, "third.exe"));
      const none = { ...good, certificatePem: "this is no certificate" };
      const isRefused = verify("CORE-HTTP-19").refused(await upload(none, "third.crt"));
      verify("CORE-GENERAL-10").notApplicable(
        "a port beside a file that is no certificate",
        "the gateway takes such a file, or its profile permits no other port",
      );
      if (!isRefused || !declares("listener-changes")) return;
      // Of the listener that the harness does not use: a gateway that moves it all the same stays within reach.
      const member = `${otherScheme[schemeInUse(gateway)]}Port` as const;
      for (const how of ["text", "file"] as const) {
        const present = await configuration(gateway);
        const wish = { ...scalars(before), [member]: await gateway.freePort() };
        const { certificatePem: cert, keyPem: key } = none;
        const answer =
          how === "file"
            ? await gateway.admin.callInvalid("setHttpServer", {
                form: pairForm(wish, none, "third.crt", "third.key"),
              })
            : await gateway.admin.callInvalid("updateHttpServer", {
                json: { [member]: wish[member], cert, key },
              });
        if (answer.accepted) await gateway.admin.call("updateHttpServer", { json: scalars(before) });
        else if (answer.status >= 400 && answer.status < 500)
          verify("CORE-GENERAL-10").equal(
            await configuration(gateway),
            present,
            `the HTTP server configuration after a rejected ${member} beside a ${how} that is no certificate`,
            answer,
          );
        await verifyOther(answer, `a rejected ${member} beside a ${how} that is no certificate`);
      }
      // The range of ports is not stated.
      await verifyRejectedPort(context, noPort);
    },
  }),
];
