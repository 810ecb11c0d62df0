// Group 2: the HTTP server. A change of a port or certificate moves the listener.
import { readFile } from "node:fs/promises";
import Type, { type Static } from "typebox";
import type { HttpServerConfiguration } from "../../../interface/resources/httpserver.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { type Call, data } from "../../http/handler.ts";
import { type ListenerOptions, type Listening, listen } from "../../http/listeners.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { assertPair } from "../../tls/pair.ts";
import { makeSelfSigned, readPair } from "../../tls/selfSigned.ts";

const Settings = Type.Object({
  httpEnable: Type.Boolean(),
  httpPort: Type.Integer(),
  httpsEnable: Type.Boolean(),
  httpsPort: Type.Integer(),
  certFileName: Type.String(),
  keyFileName: Type.String(),
  certificatePem: Type.String(),
  keyPem: Type.String(),
});
type Settings = Static<typeof Settings>;

export interface HttpServerOptions {
  /** 0: a free port is chosen at the first boot and stays the factory default. */
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly certificateFile?: string | undefined;
}

export interface HttpServer extends Group {
  /** Opens the listeners as configured; answers the ports. */
  open(options: ListenerOptions): Promise<{ httpPort: number; httpsPort: number }>;
  readonly configuration: () => HttpServerConfiguration;
}

const graceMs = 500;

export async function createHttpServer(
  foundation: Foundation,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const factory = openSetting(foundation.store, "httpserver-factory", Settings, () => ({
    httpEnable: true,
    httpPort: options.httpPort,
    httpsEnable: true,
    httpsPort: options.httpsPort,
    certFileName: "default.crt",
    keyFileName: "default.key",
    certificatePem: "",
    keyPem: "",
  }));
  if (factory.get().certificatePem === "") {
    const own = await (options.certificateFile === undefined
      ? makeSelfSigned(foundation.identity.serialNumber, foundation.clock.nowMs(), foundation.product.keyKind)
      : readPair(options.certificateFile));
    factory.update({ certificatePem: own.certificatePem, keyPem: own.keyPem });
  }
  const settings = openSetting(foundation.store, "httpserver", Settings, () => factory.get());
  let surroundings: ListenerOptions | undefined;
  let http: Listening | undefined;
  let https: Listening | undefined;

  let turn: Promise<unknown> = Promise.resolve();
  /** One change after the other, each on the result of the previous one. */
  const change = (wish: (present: Settings) => Settings): Promise<void> => {
    const result = turn.then(() => changeTo(wish(settings.get())));
    turn = result.catch(() => undefined);
    return result;
  };

  const openHttp = async (wanted: Settings): Promise<Listening> => {
    await leaving.get(wanted.httpPort)?.();
    return listen(need(surroundings), wanted.httpPort, "httpPort");
  };
  const openHttps = async (wanted: Settings): Promise<Listening> => {
    await leaving.get(wanted.httpsPort)?.();
    return listen(need(surroundings), wanted.httpsPort, "httpsPort", {
      cert: wanted.certificatePem,
      key: wanted.keyPem,
    });
  };
  /** Listeners that are about to close, by port, with the way to close them at once. */
  const leaving = new Map<number, () => Promise<void>>();
  const closeLater = (listener: Listening | undefined): void => {
    if (listener === undefined) return;
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      leaving.delete(listener.port);
      closing ??= listener.close(graceMs);
      return closing;
    };
    leaving.set(listener.port, close);
    // The answer to the request that asked for the change still goes out over the old listener.
    foundation.clock.after(foundation.product.conduct.listenersCloseAfterMs, () => void close());
  };

  /** Opens new listeners, stores the settings, then closes old listeners: the gateway is reachable at any time. */
  const changeTo = async (wanted: Settings): Promise<void> => {
    const present = settings.get();
    assertReachable(wanted);
    const movesHttp = wanted.httpEnable && (!present.httpEnable || wanted.httpPort !== present.httpPort);
    const rekeys = wanted.certificatePem !== present.certificatePem || wanted.keyPem !== present.keyPem;
    const movesHttps = wanted.httpsEnable && (!present.httpsEnable || wanted.httpsPort !== present.httpsPort);
    await using opened = new AsyncDisposableStack();
    const open = async (opening: Promise<Listening>): Promise<Listening> => {
      const listener = await opening;
      opened.defer(() => listener.close(0));
      return listener;
    };
    const newHttp = movesHttp && surroundings !== undefined ? await open(openHttp(wanted)) : undefined;
    const newHttps = movesHttps && surroundings !== undefined ? await open(openHttps(wanted)) : undefined;
    settings.set(wanted);
    opened.move();
    if (newHttp !== undefined || !wanted.httpEnable) {
      closeLater(http);
      http = newHttp;
    }
    if (newHttps !== undefined || !wanted.httpsEnable) {
      closeLater(https);
      https = newHttps;
    } else if (rekeys) https?.rekey({ cert: wanted.certificatePem, key: wanted.keyPem });
  };

  const show = (): HttpServerConfiguration => {
    const { certificatePem: _certificate, keyPem: _key, ...shown } = settings.get();
    return shown;
  };

  return {
    configuration: show,
    async open(listenerOptions) {
      surroundings = listenerOptions;
      const wanted = settings.get();
      if (wanted.httpEnable) http = await openHttp(wanted);
      if (wanted.httpsEnable) https = await openHttps(wanted);
      const ports = { httpPort: http?.port ?? wanted.httpPort, httpsPort: https?.port ?? wanted.httpsPort };
      // Free ports chosen now are stored: the gateway has the same ports after a reboot.
      if (factory.get().httpPort === 0) factory.update({ httpPort: ports.httpPort });
      if (factory.get().httpsPort === 0) factory.update({ httpsPort: ports.httpsPort });
      if (wanted.httpPort === 0 || wanted.httpsPort === 0) settings.update(ports);
      return ports;
    },
    handlers: {
      getHttpServer: () => data(show()),
      async updateHttpServer(call) {
        const { cert, key, certFilename, keyFilename } = call.body as Record<string, string | undefined>;
        await change((present) => merge(present, call, cert, key, certFilename, keyFilename, "cert", "key"));
        return data(show());
      },
      async setHttpServer(call) {
        const certFile = await fileOf(call, "certFile", /\.(crt|cer|pem)$/i);
        const keyFile = await fileOf(call, "keyFile", /\.(key|pk|pem)$/i);
        await change((present) =>
          merge(
            present,
            call,
            certFile?.text,
            keyFile?.text,
            certFile?.name,
            keyFile?.name,
            "certFile",
            "keyFile",
          ),
        );
        return data(show());
      },
    },
    services: [
      {
        id: "httpservice",
        isAvailable: () => true,
        isEnabled: () => settings.get().httpEnable,
        switchTo: (enable) => change((present) => ({ ...present, httpEnable: enable })),
      },
      {
        id: "httpsservice",
        isAvailable: () => true,
        isEnabled: () => settings.get().httpsEnable,
        switchTo: (enable) => change((present) => ({ ...present, httpsEnable: enable })),
      },
    ],
    resetParts: [{ scopes: ["httpserver"], isNetwork: true, reset: () => settings.reset() }],
    async [Symbol.asyncDispose]() {
      await Promise.all([http?.close(0), https?.close(0)]);
    },
  };
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the listeners are not open yet");
  return value;
}

function merge(
  present: Settings,
  call: Call,
  cert: string | undefined,
  key: string | undefined,
  certName: string | undefined,
  keyName: string | undefined,
  certField: string,
  keyField: string,
): Settings {
  const { httpEnable, httpPort, httpsEnable, httpsPort } = call.body as Partial<Settings>;
  const certificatePem = cert ?? present.certificatePem;
  const keyPem = key ?? present.keyPem;
  if (cert !== undefined || key !== undefined)
    assertPair(certificatePem, keyPem, { certificate: certField, key: keyField });
  return {
    httpEnable: httpEnable ?? present.httpEnable,
    httpPort: portOf("httpPort", httpPort, present.httpPort),
    httpsEnable: httpsEnable ?? present.httpsEnable,
    httpsPort: portOf("httpsPort", httpsPort, present.httpsPort),
    certFileName: certName ?? present.certFileName,
    keyFileName: keyName ?? present.keyFileName,
    certificatePem,
    keyPem,
  };
}

function portOf(field: string, wanted: number | undefined, present: number): number {
  if (wanted === undefined) return present;
  if (wanted < 1 || wanted > 65_535) throw badInput(`${field}: expected 1 to 65535, found ${wanted}`);
  return wanted;
}

function assertReachable(wanted: Settings): void {
  if (!wanted.httpEnable && !wanted.httpsEnable) {
    throw badInput("httpEnable, httpsEnable: with both disabled the gateway would be unreachable");
  }
  if (wanted.httpEnable && wanted.httpsEnable && wanted.httpPort === wanted.httpsPort) {
    throw badInput("httpPort, httpsPort: expected two different ports");
  }
}

async function fileOf(
  call: Call,
  field: string,
  suffix: RegExp,
): Promise<{ name: string; text: string } | undefined> {
  const file = call.files.find((one) => one.fieldName === field);
  if (file === undefined) return undefined;
  if (!suffix.test(file.fileName))
    throw badInput(`${field}: the file name ${JSON.stringify(file.fileName)} has no accepted suffix`);
  return { name: file.fileName, text: await readFile(file.path, "utf8") };
}
