// Which listener serves the interface, and which one can be switched off.
import { TLSSocket } from "node:tls";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Variations } from "./variation.ts";

const mark = "x-rackproof-listener";

export const listenerVariations = {
  "https-for-pages-only": {
    differs: "HTTPS answers every operation with 403, since only HTTP serves the interface",
    freedom:
      "HTTP server configuration: httpsPort is the listen port for https; what it serves is not stated",
    install(at) {
      at.arrival(({ socket, headers }) => {
        headers[mark] = socket instanceof TLSSocket ? "https" : "http";
      });
      at.request(({ headers }) => (headers[mark] === "https" ? 403 : undefined));
    },
  },
  "https-stays-on": {
    differs: "A configuration of the HTTP server with httpsEnable false is rejected",
    freedom:
      "HTTP server configuration: httpsEnable is a boolean; whether HTTPS can be switched off is not stated",
    install(at) {
      at.around(["updateHttpServer", "setHttpServer"], (call, proceed) => {
        if (call.body["httpsEnable"] === false) throw new Refusal(400, "httpsEnable: HTTPS stays on");
        return proceed(call);
      });
    },
  },
} as const satisfies Variations;
