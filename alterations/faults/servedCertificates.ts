// Faults of the certificate that HTTPS serves while the configuration names the one that was set.
import type { Store } from "../../reference-impl/store/store.ts";
import type { Fields } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
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
]);
