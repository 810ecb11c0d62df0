// Faults of the certificate that HTTPS serves while the configuration names the one that was set.
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Store } from "../../reference-impl/store/store.ts";
import type { Fields } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { shownOpen } from "./secondTimes.ts";
import { changed } from "../mechanism/operationAlterations.ts";

/** A partial set as described puts the certificate of delivery in the place of the one that was set, under its name. */
const puttingBack =
  (isMeant: (body: Fields) => boolean): Fault["install"] =>
  (at) => {
    let open: Store | undefined;
    at.boot((store) => {
      open = store;
    });
    at.around("updateHttpServer", (call, proceed) =>
      proceed(
        isMeant(call.body) && call.body["cert"] === undefined && open !== undefined
          ? changed(call, { body: { ...call.body, ...delivered(open) } })
          : call,
      ),
    );
  };

function delivered(store: Store): Fields {
  return (
    store.get(
      "SELECT value ->> '$.certificatePem' AS cert, value ->> '$.keyPem' AS key FROM setting WHERE name = 'httpserver-factory'",
    ) ?? {}
  );
}

/** Whether a set names a certificate and the key of another one. */
function isForeign({ cert, key }: Fields): boolean {
  if (typeof cert !== "string" || typeof key !== "string") return false;
  return !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}

export const servedCertificateFaults: readonly Fault[] = faults([
  [
    "moved-https-serves-the-delivered-certificate",
    "CORE-HTTP-09",
    "subtle",
    "After a set of `httpsPort` alone, HTTPS serves the certificate of delivery; `certFileName` names the one that was set.",
    puttingBack(({ httpsPort }) => httpsPort !== undefined),
  ],
  [
    "https-off-and-on-serves-the-delivered-certificate",
    "CORE-HTTP-09",
    "subtle",
    "Switched off and on, HTTPS serves the certificate of delivery; `certFileName` names the one that was set.",
    puttingBack(({ httpsEnable }) => httpsEnable === true),
  ],
  [
    "certificate-and-key-switch-https-on",
    "CORE-HTTP-09",
    "subtle",
    "A certificate and its key switch HTTPS on, also where `httpsEnable` was not given.",
    (at) =>
      at.around("updateHttpServer", (call, proceed) => {
        const { cert, key } = call.body;
        if (cert === undefined || key === undefined) return proceed(call);
        return proceed(changed(call, { body: { httpsEnable: true, ...call.body } }));
      }),
  ],
  [
    "key-of-another-certificate-closes-https",
    "CORE-HTTP-11",
    "subtle",
    "A certificate with the key of another one is accepted, and HTTPS is closed; `httpsEnable` shows true.",
    (at) => {
      const show = shownOpen(at);
      at.around("updateHttpServer", async (call, proceed, ask) => {
        if (!isForeign(call.body)) return proceed(call);
        const { cert: _cert, key: _key, ...others } = call.body;
        const answer = await proceed(changed(call, { body: others }));
        await ask("updateHttpServer", { body: { httpsEnable: false } });
        show(true);
        return answer;
      });
    },
  ],
  [
    "rejected-key-of-another-certificate-leaves-its-name",
    "CORE-GENERAL-10",
    "subtle",
    "A certificate that is rejected for the key of another one leaves the name of its key in the configuration.",
    (at) =>
      at.around("updateHttpServer", (call, proceed, ask) =>
        proceed(call).catch(async (thrown: unknown) => {
          const { keyFilename } = call.body;
          if (isForeign(call.body) && keyFilename !== undefined)
            await ask("updateHttpServer", { body: { keyFilename } });
          throw thrown;
        }),
      ),
  ],
  [
    "certificate-of-a-later-form-is-not-served",
    "CORE-HTTP-15",
    "subtle",
    "Only the first form with files is used; the files of later ones are accepted and dropped.",
    (at) => {
      let isUsed = false;
      at.around("setHttpServer", async (call, proceed) => {
        const answer = await proceed(isUsed ? changed(call, { files: [] }) : call);
        isUsed ||= call.files.length > 0;
        return answer;
      });
    },
  ],
  [
    "certificate-of-a-pem-file-is-not-served",
    "CORE-HTTP-15",
    "subtle",
    "The files of a form whose names end in `.pem` are accepted and dropped.",
    (at) =>
      at.around("setHttpServer", (call, proceed) =>
        proceed(
          call.files.some(({ fileName }) => fileName.endsWith(".pem")) ? changed(call, { files: [] }) : call,
        ),
      ),
  ],
]);
