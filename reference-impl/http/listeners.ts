// The sockets on which the gateway serves. One application, any number of listeners; a new one is up before an old goes.
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { IncomingMessage } from "node:http";
import { badInput } from "./refusal.ts";

export interface Listening {
  readonly port: number;
  /** Stops taking connections at once; those that are open are ended after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface ListenerOptions {
  readonly address: string;
  readonly onRequest: RequestListener;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Opens a listener; 0 takes a free port. A port that cannot be had is a Refusal that names the field. */
export async function listen(
  options: ListenerOptions,
  port: number,
  field: string,
  tls?: { readonly cert: string; readonly key: string },
): Promise<Listening> {
  const server: Server | TlsServer =
    tls === undefined ? createHttpServer(options.onRequest) : createHttpsServer(tls, options.onRequest);
  server.on("upgrade", options.onUpgrade);
  server.keepAliveTimeout = 72_000;
  server.headersTimeout = 20_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(badInput(`${field}: port ${port} cannot be listened on (${error.code ?? error.message})`));
    });
    server.listen(port, options.address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
