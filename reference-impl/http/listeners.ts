// The sockets on which the gateway serves. One application, any number of listeners; a new one is up before an old goes.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { badInput } from "../base/refusal.ts";

export interface Listening {
  readonly port: number;
  /** Stops accepting connections at once; open ones are closed after `graceMs`. */
  close(graceMs: number): Promise<void>;
  /** New connections get this certificate; open ones are not affected. */
  rekey(tls: KeyPair): void;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface ConnectionLimits {
  /** After so many answers a connection ends; without it there is no limit. */
  readonly requestsAConnection?: number;
  /** After so long without a request a connection ends. */
  readonly idleMs?: number;
}

export interface ListenerOptions {
  readonly address: string;
  readonly onRequest: RequestListener;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly responseClass?: typeof ServerResponse;
  readonly limits?: ConnectionLimits;
}

const usualIdleMs = 72_000;

// Names of tags have up to 1024 characters each, which a path may need nine bytes each to write.
const maxHeaderSize = 64 * 1024;

/** Opens a listener; 0 takes a free port. A port that cannot be opened is a Refusal that names the field. */
export async function listen(
  options: ListenerOptions,
  port: number,
  field: string,
  tls?: KeyPair,
): Promise<Listening> {
  const { requestsAConnection, idleMs = usualIdleMs } = options.limits ?? {};
  const serverOptions = {
    maxHeaderSize,
    ...(options.responseClass === undefined ? {} : { ServerResponse: options.responseClass }),
    // Some clients offer h2c with every request; an offer other than websocket is ignored.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === "websocket",
  };
  const tlsServer =
    tls === undefined ? undefined : createHttpsServer({ ...serverOptions, ...tls }, options.onRequest);
  const server: Server | TlsServer = tlsServer ?? createHttpServer(serverOptions, options.onRequest);
  server.on("upgrade", options.onUpgrade);
  server.keepAliveTimeout = idleMs;
  if (requestsAConnection !== undefined) server.maxRequestsPerSocket = requestsAConnection;
  server.headersTimeout = 20_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(badInput(`${field}: port ${port} cannot be listened on (${error.code ?? error.message})`));
    });
    server.listen(port, options.address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    rekey: (pair) => tlsServer?.setSecureContext(pair),
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
