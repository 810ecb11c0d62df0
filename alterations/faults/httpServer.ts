// Faults of the HTTP server.

import { type Fault, faults } from "./fault.ts";
import { pretends, takes } from "./habits.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const setters = ["updateHttpServer", "setHttpServer"] as const;

export const httpServerFaults: readonly Fault[] = faults([
  [
    "http-port-moves-on-paper-only",
    "CORE-HTTP-10",
    "plain",
    "httpPort is shown as it was set, and the listener stays where it was.",
    pretends(setters, "getHttpServer", "httpPort"),
  ],
  [
    "https-port-moves-on-paper-only",
    "CORE-HTTP-11",
    "plain",
    "httpsPort is shown as it was set, and the listener stays where it was.",
    pretends(setters, "getHttpServer", "httpsPort"),
  ],
  [
    "http-is-off-on-paper-only",
    "CORE-HTTP-20",
    "plain",
    "httpEnable is shown as false, and HTTP is served all the same.",
    pretends(setters, "getHttpServer", "httpEnable"),
  ],
  [
    "https-is-off-on-paper-only",
    "CORE-HTTP-21",
    "plain",
    "httpsEnable is shown as false, and HTTPS is served all the same.",
    pretends(setters, "getHttpServer", "httpsEnable"),
  ],
  [
    "http-port-takes-the-names-along",
    "CORE-HTTP-09",
    "subtle",
    "Setting httpPort alone changes the name of the certificate file.",
    (at) =>
      at.body("updateHttpServer", (body) =>
        body["httpPort"] === undefined ? body : { certFilename: "other.crt", ...body },
      ),
  ],
  [
    "certificate-is-not-served",
    "CORE-HTTP-12",
    "plain",
    "A certificate and key that were set are not those that HTTPS serves.",
    (at) => at.body("updateHttpServer", ({ cert: _cert, key: _key, ...body }) => body),
  ],
  [
    "certificate-of-a-form-is-not-served",
    "CORE-HTTP-15",
    "plain",
    "A certificate and key of a form are not those that HTTPS serves.",
    (at) => at.around("setHttpServer", (call, proceed) => proceed(changed(call, { files: [] }))),
  ],
  [
    "certificate-names-are-made-up",
    "CORE-HTTP-13",
    "plain",
    "certFilename and keyFilename are not shown.",
    (at) => at.body("updateHttpServer", ({ certFilename: _cert, keyFilename: _key, ...body }) => body),
  ],
  [
    "private-key-is-shown",
    "CORE-HTTP-16",
    "subtle",
    "The answer to setting a key shows it.",
    (at) =>
      at.data("updateHttpServer", (data, call) =>
        call.body["key"] === undefined ? data : { ...data, key: call.body["key"] },
      ),
  ],
  [
    "port-as-text-is-taken",
    "CORE-HTTP-17",
    "plain",
    "A port that is a text is taken and passed over.",
    takes("updateHttpServer", "httpPort", undefined, (value) => typeof value !== "number"),
  ],
  [
    "certificate-of-any-suffix-is-taken",
    "CORE-HTTP-18",
    "plain",
    "A certFile of any name is taken.",
    (at) =>
      at.around("setHttpServer", (call, proceed) =>
        proceed(changed(call, { files: call.files.map((file) => ({ ...file, fileName: "any.pem" })) })),
      ),
  ],
  [
    "form-scalars-are-ignored",
    "CORE-HTTP-22",
    "plain",
    "The scalar fields of a form have no effect.",
    (at) => at.around("setHttpServer", (call, proceed) => proceed(changed(call, { body: {} }))),
  ],
  [
    "answer-names-are-taken",
    "CORE-HTTP-23",
    "subtle",
    "certFileName and keyFileName, which are for answers only, are taken as input.",
    (at) =>
      at.body("updateHttpServer", (body) => ({
        ...(body["certFileName"] === undefined ? {} : { certFilename: body["certFileName"] }),
        ...(body["keyFileName"] === undefined ? {} : { keyFilename: body["keyFileName"] }),
        ...body,
      })),
  ],
  [
    "certificate-that-is-none-is-taken",
    "CORE-HTTP-19",
    "plain",
    "A certFile that is no PEM is answered as if it were taken.",
    (at) =>
      at.around("setHttpServer", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { files: [] }))),
      ),
  ],
]);
