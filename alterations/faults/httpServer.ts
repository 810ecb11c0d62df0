// Faults of the HTTP server.

import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";
import { onlyShows, accepts } from "./habits.ts";
import { at as valueAt, type Fields, fields } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const setters = ["updateHttpServer", "setHttpServer"] as const;

export const httpServerFaults: readonly Fault[] = faults([
  [
    "http-port-moves-on-paper-only",
    "CORE-HTTP-10",
    "plain",
    "`httpPort` is returned as given, but the listener stays on the old port.",
    onlyShows(setters, "getHttpServer", "httpPort"),
  ],
  [
    "https-port-moves-on-paper-only",
    "CORE-HTTP-11",
    "plain",
    "`httpsPort` is returned as given, but the listener stays on the old port.",
    onlyShows(setters, "getHttpServer", "httpsPort"),
  ],
  [
    "https-boots-on-its-delivered-port",
    "CORE-HTTP-24",
    "subtle",
    "After a reboot HTTPS listens on the port of delivery; `httpsPort` shows the one that was set.",
    (at) => {
      let shown: unknown;
      at.boot((store) => {
        const portOf = (name: string): unknown =>
          store.get("SELECT json_extract(value, '$.httpsPort') AS port FROM setting WHERE name = ?", name)?.[
            "port"
          ];
        const delivered = portOf("httpserver-factory");
        shown = portOf("httpserver");
        if (typeof delivered === "number")
          store.run(
            "UPDATE setting SET value = json_set(value, '$.httpsPort', ?) WHERE name = 'httpserver'",
            delivered,
          );
      });
      at.body(setters, (body) => {
        shown = undefined;
        return body;
      });
      at.data("getHttpServer", (data) => (shown === undefined ? data : { ...data, httpsPort: shown }));
    },
  ],
  [
    "own-certificate-lasts-until-the-reboot",
    "CORE-HTTP-24",
    "subtle",
    "After a reboot HTTPS serves the certificate of delivery; `certFileName` names the one that was set.",
    (at) =>
      at.boot((store) =>
        store.run(
          `UPDATE setting SET value = json_set(value,
             '$.certificatePem', (SELECT json_extract(value, '$.certificatePem') FROM setting WHERE name = 'httpserver-factory'),
             '$.keyPem', (SELECT json_extract(value, '$.keyPem') FROM setting WHERE name = 'httpserver-factory'))
           WHERE name = 'httpserver' AND EXISTS (SELECT 1 FROM setting WHERE name = 'httpserver-factory')`,
        ),
      ),
  ],
  [
    "rejected-port-is-shown",
    "CORE-GENERAL-10",
    "subtle",
    "A port that is rejected is shown all the same.",
    (at) => {
      let shown: Fields = {};
      at.around("updateHttpServer", (call, proceed) => {
        shown = {};
        return proceed(call).catch((thrown: unknown) => {
          const { httpPort, httpsPort } = call.body;
          if (typeof httpPort === "number") shown = { httpPort };
          if (typeof httpsPort === "number") shown = { ...shown, httpsPort };
          throw thrown;
        });
      });
      at.data("getHttpServer", (data) => ({ ...data, ...shown }));
    },
  ],
  [
    "https-stays-when-both-ports-move",
    "CORE-HTTP-11",
    "subtle",
    "When `httpPort` and `httpsPort` change in one request, HTTPS stays on its port; the new one is shown.",
    (at) => {
      let shown: Fields = {};
      at.around("updateHttpServer", (call, proceed) => {
        const { httpPort, httpsPort, ...others } = call.body;
        shown = {};
        if (httpPort === undefined || httpsPort === undefined) return proceed(call);
        shown = { httpsPort };
        return proceed(changed(call, { body: { ...others, httpPort } }));
      });
      at.data(["updateHttpServer", "getHttpServer"], (data) => ({ ...data, ...shown }));
    },
  ],
  [
    "left-port-closes-all-the-same",
    "CORE-HTTP-11",
    "subtle",
    "When HTTPS is moved back to a port that it left within the last second, its listener closes all the same.",
    (at) => {
      const left = new Map<unknown, number>();
      let isClosed = false;
      at.around("updateHttpServer", async (call, proceed, ask) => {
        isClosed = false;
        const present = await ask("getHttpServer");
        const { httpsPort } = call.body;
        const former = present.kind === "json" ? valueAt(present.body, "data.httpsPort") : undefined;
        const answer = await proceed(call);
        if (httpsPort === undefined || httpsPort === former) return answer;
        left.set(former, performance.now());
        if (performance.now() - (left.get(httpsPort) ?? -Infinity) < 1000)
          setTimeout(() => {
            isClosed = true;
            void ask("updateHttpServer", { body: { httpsEnable: false } });
          }, 200);
        return answer;
      });
      at.data("getHttpServer", (data) => (isClosed ? { ...data, httpsEnable: true } : data));
    },
  ],
  [
    "http-is-off-on-paper-only",
    "CORE-HTTP-20",
    "plain",
    "`httpEnable` is shown as false, but HTTP is still served.",
    onlyShows(setters, "getHttpServer", "httpEnable"),
  ],
  [
    "https-is-off-on-paper-only",
    "CORE-HTTP-21",
    "plain",
    "`httpsEnable` is shown as false, but HTTPS is still served.",
    onlyShows(setters, "getHttpServer", "httpsEnable"),
  ],
  [
    "https-service-is-off-on-paper-only",
    "CORE-HTTP-21",
    "subtle",
    "Disabled as a service, HTTPS is still served; `httpsEnable` shows false.",
    (at) => {
      let isShownOff = false;
      at.around("disableService", async (call, proceed, ask) => {
        const answer = await proceed(call);
        if (call.path["id"] !== "httpsservice") return answer;
        await ask("updateHttpServer", { body: { httpsEnable: true } });
        isShownOff = true;
        return answer;
      });
      at.around([...setters, "enableService"], (call, proceed) => {
        isShownOff = false;
        return proceed(call);
      });
      at.data("getHttpServer", (data) => (isShownOff ? { ...data, httpsEnable: false } : data));
    },
  ],
  [
    "https-service-opens-the-former-port",
    "CORE-HTTP-21",
    "subtle",
    "Enabled as a service, HTTPS listens on the port on which it was served before; `httpsPort` shows the one that was set.",
    (at) => {
      let served: unknown;
      let shown: unknown;
      at.around(setters, async (call, proceed) => {
        shown = undefined;
        const answer = await proceed(call);
        const data = answer.kind === "json" ? fields(fields(answer.body)["data"]) : {};
        if (data["httpsEnable"] === true) served = data["httpsPort"];
        return answer;
      });
      at.around("enableService", async (call, proceed, ask) => {
        if (call.path["id"] !== "httpsservice" || served === undefined) return proceed(call);
        const present = await ask("getHttpServer");
        const wanted = present.kind === "json" ? valueAt(fields(present.body), "data.httpsPort") : undefined;
        await ask("updateHttpServer", { body: { httpsPort: served } });
        shown = wanted;
        return proceed(call);
      });
      at.data("getHttpServer", (data) => (shown === undefined ? data : { ...data, httpsPort: shown }));
    },
  ],
  [
    "rejected-certificate-leaves-its-port",
    "CORE-GENERAL-10",
    "subtle",
    "A set that is rejected for its certificate leaves its `httpsPort` in the configuration.",
    (at) => {
      let shown: unknown;
      at.around(setters, async (call, proceed) => {
        try {
          const answer = await proceed(call);
          shown = undefined;
          return answer;
        } catch (thrown) {
          shown = call.body["httpsPort"];
          throw thrown;
        }
      });
      at.data("getHttpServer", (data) =>
        shown === undefined ? data : { ...data, httpsPort: Number(shown) },
      );
    },
  ],
  [
    "http-port-takes-the-names-along",
    "CORE-HTTP-09",
    "subtle",
    "Setting only `httpPort` also changes the name of the certificate file.",
    (at) =>
      at.body("updateHttpServer", (body) =>
        body["httpPort"] === undefined ? body : { certFilename: "other.crt", ...body },
      ),
  ],
  [
    "port-alone-switches-its-listener-on",
    "CORE-HTTP-09",
    "subtle",
    "Setting only a port also sets the enable member of its listener to true.",
    (at) =>
      at.body("updateHttpServer", (body) => ({
        ...(body["httpPort"] === undefined ? {} : { httpEnable: true }),
        ...(body["httpsPort"] === undefined ? {} : { httpsEnable: true }),
        ...body,
      })),
  ],
  [
    "port-with-a-switch-is-dropped",
    "CORE-HTTP-09",
    "subtle",
    "Setting a port together with the enable member of its listener stores the enable member only.",
    (at) =>
      at.body("updateHttpServer", ({ httpPort, httpsPort, ...body }) => ({
        ...body,
        ...(httpPort === undefined || body["httpEnable"] !== undefined ? {} : { httpPort }),
        ...(httpsPort === undefined || body["httpsEnable"] !== undefined ? {} : { httpsPort }),
      })),
  ],
  [
    "https-off-puts-its-port-back",
    "CORE-HTTP-09",
    "subtle",
    "Setting only `httpsEnable` to false sets `httpsPort` to its first value.",
    (at) => {
      let first: unknown;
      at.around("updateHttpServer", async (call, proceed, ask) => {
        const shown = await ask("getHttpServer", {});
        if (shown.kind === "json") first ??= valueAt(shown.body, "data.httpsPort");
        const isOff = call.body["httpsEnable"] === false && call.body["httpsPort"] === undefined;
        return proceed(isOff ? changed(call, { body: { ...call.body, httpsPort: first } }) : call);
      });
    },
  ],
  [
    "rejected-port-takes-the-names-along",
    "CORE-HTTP-17",
    "subtle",
    "A rejected value of `httpPort` changes the name of the certificate file.",
    (at) => {
      at.lenient("updateHttpServer", "json", "httpPort");
      at.around("updateHttpServer", async (call, proceed) => {
        const { httpPort } = call.body;
        if (httpPort === undefined || typeof httpPort === "number") return proceed(call);
        await proceed(changed(call, { body: { certFilename: "other.crt" } }));
        throw new Refusal(400, "httpPort: expected an integer");
      });
    },
  ],
  [
    "certificate-is-not-served",
    "CORE-HTTP-12",
    "plain",
    "HTTPS does not serve the certificate that was set.",
    (at) => at.body("updateHttpServer", ({ cert: _cert, key: _key, ...body }) => body),
  ],
  [
    "certificate-under-the-same-names-is-not-served",
    "CORE-HTTP-12",
    "subtle",
    "HTTPS serves the former certificate after another pair was set under the same names.",
    (at) => {
      let names = "";
      at.body("updateHttpServer", ({ cert, key, ...body }) => {
        const now = `${String(body["certFilename"])} ${String(body["keyFilename"])}`;
        const isSame = key !== undefined && now === names;
        if (key !== undefined) names = now;
        return isSame ? body : { ...body, cert, key };
      });
    },
  ],
  [
    "certificate-of-a-form-is-not-served",
    "CORE-HTTP-15",
    "plain",
    "HTTPS does not serve the certificate that was set by a form.",
    (at) => at.around("setHttpServer", (call, proceed) => proceed(changed(call, { files: [] }))),
  ],
  [
    "certificate-names-are-made-up",
    "CORE-HTTP-13",
    "plain",
    "`certFilename` and `keyFilename` are not shown.",
    (at) => at.body("updateHttpServer", ({ certFilename: _cert, keyFilename: _key, ...body }) => body),
  ],
  [
    "private-key-is-shown",
    "CORE-HTTP-16",
    "subtle",
    "The answer to setting a key shows the key.",
    (at) =>
      at.data("updateHttpServer", (data, call) =>
        call.body["key"] === undefined ? data : { ...data, key: call.body["key"] },
      ),
  ],
  [
    "port-as-text-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "A port that is a string is accepted and ignored.",
    accepts("updateHttpServer", "httpPort", undefined, (value) => typeof value !== "number"),
  ],
  [
    "certificate-of-any-suffix-is-taken",
    "CORE-HTTP-18",
    "plain",
    "A `certFile` with any file name is accepted.",
    (at) =>
      at.around("setHttpServer", (call, proceed) =>
        proceed(changed(call, { files: call.files.map((file) => ({ ...file, fileName: "any.pem" })) })),
      ),
  ],
  [
    "key-file-pk-is-refused",
    "CORE-HTTP-25",
    "subtle",
    "A `keyFile` whose name ends in `.pk` is rejected.",
    (at) =>
      at.around("setHttpServer", (call, proceed) =>
        proceed(
          changed(call, {
            files: call.files.map((file) => ({
              ...file,
              fileName: file.fileName.endsWith(".pk") ? "key.txt" : file.fileName,
            })),
          }),
        ),
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
    "`certFileName` and `keyFileName`, which belong to answers only, are accepted as input.",
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
    "A `certFile` that is not PEM is answered with success.",
    (at) =>
      at.around("setHttpServer", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { files: [] }))),
      ),
  ],
  [
    "certificate-beside-a-port-is-ignored",
    "CORE-HTTP-12",
    "subtle",
    "`cert` and `key` that are sent together with `httpsPort` are not used.",
    (at) =>
      at.body("updateHttpServer", ({ cert, key, ...body }) =>
        body["httpsPort"] === undefined || key === undefined ? { ...body, cert, key } : body,
      ),
  ],
]);
