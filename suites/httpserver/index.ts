import { probeOnce } from "../../harness/measurement/aliveProbe.ts";
import type { Answer } from "../../harness/client/answer.ts";
import type { GatewayUnderTest } from "../../harness/client/gatewayUnderTest.ts";
import type { CaseContext } from "../../harness/suite/context.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";
import type { HttpServerConfiguration } from "../../interface/resources/httpserver.ts";
import { makeCertificate } from "../support/certificate.ts";
import { fingerprintOf, freePort, servedFingerprint } from "../support/sockets.ts";

const listenerDeadlineMs = 5000;

async function configuration(gateway: GatewayUnderTest): Promise<HttpServerConfiguration> {
  return (await gateway.admin.call("getHttpServer")).data();
}

/** Whether something answers at the URL, as soon as that is so or after the deadline. */
async function answersAt({ clock, waitFor }: CaseContext, url: string, wanted: boolean): Promise<boolean> {
  const found = await waitFor(
    `${url} ${wanted ? "to answer" : "to be closed"}`,
    async () => ((await probeOnce(clock, new URL(`${url}/`), 1000)).isAlive === wanted ? wanted : undefined),
    { deadlineMs: listenerDeadlineMs },
  ).catch(() => !wanted);
  return found;
}

function scalars({
  httpEnable,
  httpPort,
  httpsEnable,
  httpsPort,
}: HttpServerConfiguration): Omit<HttpServerConfiguration, "certFileName" | "keyFileName"> {
  return { httpEnable, httpPort, httpsEnable, httpsPort };
}

/** Puts the listeners back and brings the harness back to the address it came from. */
function undoListeners(
  { gateway, scratch }: CaseContext,
  before: HttpServerConfiguration,
  baseUrl: string,
): void {
  scratch.undo("HTTP server configuration", async () => {
    await gateway.admin.call("updateHttpServer", { json: scalars(before) });
    gateway.movedTo(baseUrl);
  });
}

export const httpserverSuite: readonly TestCase[] = [
  testCase({
    id: "httpserver/http-port-moves",
    title: "After the HTTP port was set the gateway listens there, and the other settings are as they were",
    group: "httpserver",
    requirements: ["CORE-HTTP-09", "CORE-HTTP-10"],
    effect: "reversible",
    touches: ["http-server", "services"],
    capabilities: ["httpserver", "listener-changes"],
    alone: true,
    async run(context) {
      const { gateway, verify, unmet } = context;
      const before = await configuration(gateway);
      if (!before.httpEnable || !gateway.currentBaseUrl().startsWith("http:"))
        unmet("the gateway is not reached over HTTP");
      const port = await freePort();
      undoListeners(context, before, gateway.currentBaseUrl());
      const answer = await gateway.admin.call("updateHttpServer", { json: { httpPort: port } });
      const moved = gateway.urlFor("http", port);
      if (verify("CORE-HTTP-10").accepted(answer)) {
        verify("CORE-HTTP-10").equal(answer.data().httpPort, port, "httpPort as answered", answer);
        const listens = await answersAt(context, moved, true);
        verify("CORE-HTTP-10").equal(
          listens,
          true,
          `whether the gateway answers on its new HTTP port ${port}`,
        );
        if (listens) gateway.movedTo(moved);
        verify("CORE-HTTP-09").equal(
          await configuration(gateway),
          { ...before, httpPort: port },
          "the HTTP server configuration after one member was set",
        );
      }
    },
  }),
  testCase({
    id: "httpserver/https-port-moves",
    title: "After the HTTPS port was set the gateway listens there for HTTPS",
    group: "httpserver",
    requirements: ["CORE-HTTP-11"],
    effect: "reversible",
    touches: ["http-server", "services"],
    capabilities: ["httpserver", "listener-changes"],
    alone: true,
    async run(context) {
      const { gateway, verify, notApplicable } = context;
      const before = await configuration(gateway);
      if (!before.httpsEnable) notApplicable("HTTPS is not enabled on the gateway");
      const port = await freePort();
      undoListeners(context, before, gateway.currentBaseUrl());
      const answer = await gateway.admin.call("updateHttpServer", { json: { httpsPort: port } });
      if (verify("CORE-HTTP-11").accepted(answer)) {
        verify("CORE-HTTP-11").equal(
          (await configuration(gateway)).httpsPort,
          port,
          "httpsPort as read back",
        );
        const fingerprint = await context
          .waitFor("TLS on the new HTTPS port", () => servedFingerprint(gateway.urlFor("https", port)), {
            deadlineMs: listenerDeadlineMs,
          })
          .catch(() => undefined);
        verify("CORE-HTTP-11").that(fingerprint !== undefined, {
          what: `the new HTTPS port ${port}`,
          expected: "TLS is served",
          observed: fingerprint,
        });
      }
    },
  }),
  testCase({
    id: "httpserver/http-can-be-switched-off",
    title: "After HTTP was disabled the gateway no longer listens for it",
    group: "httpserver",
    requirements: ["CORE-HTTP-20"],
    effect: "reversible",
    touches: ["http-server", "services"],
    capabilities: ["httpserver", "listener-changes"],
    alone: true,
    async run(context) {
      const { gateway, verify, unmet } = context;
      const before = await configuration(gateway);
      const httpUrl = gateway.currentBaseUrl();
      if (!before.httpsEnable || !before.httpEnable || !httpUrl.startsWith("http:"))
        unmet("both HTTP and HTTPS must be enabled to switch one off");
      undoListeners(context, before, httpUrl);
      // From here the harness uses HTTPS, so that it can bring HTTP back.
      gateway.movedTo(gateway.urlFor("https", before.httpsPort));
      const answer = await gateway.admin.call("updateHttpServer", { json: { httpEnable: false } });
      if (verify("CORE-HTTP-20").accepted(answer)) {
        verify("CORE-HTTP-20").equal(
          (await configuration(gateway)).httpEnable,
          false,
          "httpEnable as read back over HTTPS",
        );
        verify("CORE-HTTP-20").equal(
          await answersAt(context, httpUrl, false),
          false,
          "whether the gateway still answers over HTTP",
        );
      }
    },
  }),
  testCase({
    id: "httpserver/certificate-is-served",
    title:
      "A certificate and key that were set, by JSON or by a form, are what HTTPS serves, and the key is never shown",
    group: "httpserver",
    requirements: ["CORE-HTTP-12", "CORE-HTTP-13", "CORE-HTTP-15", "CORE-HTTP-16"],
    effect: "reversible",
    touches: ["http-server", "services"],
    capabilities: ["httpserver", "listener-changes"],
    alone: true,
    async run(context) {
      const { gateway, verify, notApplicable, clock, waitFor } = context;
      const before = await configuration(gateway);
      if (!before.httpsEnable) notApplicable("HTTPS is not enabled on the gateway");
      const url = gateway.urlFor("https", before.httpsPort);
      const serves = async (requirement: string, pem: string): Promise<void> => {
        let seen: string | undefined;
        const expected = fingerprintOf(pem);
        const served = await waitFor(
          "the new certificate to be served",
          async () => {
            seen = await servedFingerprint(url);
            return seen === expected ? seen : undefined;
          },
          { deadlineMs: listenerDeadlineMs },
        ).catch(() => seen);
        verify(requirement).equal(served, expected, "fingerprint of the certificate that HTTPS serves");
      };
      const answers: Answer[] = [];
      const first = await makeCertificate("first.rackproof.invalid", clock.epochMs());
      const byJson = await gateway.admin.call("updateHttpServer", {
        json: {
          cert: first.certificatePem,
          certFilename: "first.crt",
          key: first.keyPem,
          keyFilename: "first.key",
        },
      });
      answers.push(byJson);
      if (verify("CORE-HTTP-12").accepted(byJson)) {
        await serves("CORE-HTTP-12", first.certificatePem);
        const { certFileName, keyFileName } = await configuration(gateway);
        verify("CORE-HTTP-13").equal(
          { certFileName, keyFileName },
          { certFileName: "first.crt", keyFileName: "first.key" },
          "the names of the files as read back",
        );
      }
      const second = await makeCertificate("second.rackproof.invalid", clock.epochMs());
      const byForm = await gateway.admin.call("setHttpServer", {
        form: {
          ...scalars(before),
          certFile: { fileName: "second.crt", content: Buffer.from(second.certificatePem) },
          keyFile: { fileName: "second.key", content: Buffer.from(second.keyPem) },
        },
      });
      answers.push(byForm, await gateway.admin.call("getHttpServer"));
      if (verify("CORE-HTTP-15").accepted(byForm)) await serves("CORE-HTTP-15", second.certificatePem);
      for (const answer of answers) {
        verify("CORE-HTTP-16").that(!answer.text.includes("PRIVATE KEY"), {
          what: `the answer of ${answer.operation}`,
          expected: "no private key in it",
          observed: answer.text.includes("PRIVATE KEY") ? "a private key" : "none",
        });
      }
    },
  }),
  testCase({
    id: "httpserver/wrong-input-is-refused",
    title: "Values of a wrong type and files that are no certificates are refused and change nothing",
    group: "httpserver",
    requirements: ["CORE-HTTP-17", "CORE-HTTP-18", "CORE-HTTP-19"],
    effect: "reversible",
    touches: ["http-server"],
    capabilities: ["httpserver"],
    async run({ gateway, verify, clock }) {
      const before = await configuration(gateway);
      for (const json of [{ httpPort: "eighty" }, { httpsEnable: "perhaps" }, { httpsPort: {} }]) {
        verify("CORE-HTTP-17").refused(await gateway.admin.callInvalid("updateHttpServer", { json }));
        verify("CORE-HTTP-17").equal(
          await configuration(gateway),
          before,
          "the HTTP server configuration afterwards",
        );
      }
      const good = await makeCertificate("third.rackproof.invalid", clock.epochMs());
      const upload = (certName: string, cert: string): Promise<Answer> =>
        gateway.admin.callInvalid("setHttpServer", {
          form: {
            ...scalars(before),
            certFile: { fileName: certName, content: Buffer.from(cert) },
            keyFile: { fileName: "third.key", content: Buffer.from(good.keyPem) },
          },
        });
      verify("CORE-HTTP-18").refused(await upload("third.exe", good.certificatePem));
      verify("CORE-HTTP-19").refused(await upload("third.crt", "this is no certificate"));
    },
  }),
];
