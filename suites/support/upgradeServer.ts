// A server of upgrade files: slow, failing or resumable as a case needs it, with a record of its requests.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Clock, Outside } from "../../harness/index.ts";
import type { HostAddress } from "../../rigs/index.ts";
import type { CertificateAndKey } from "./certificate.ts";

export interface UpgradeServerOptions {
  readonly clock: Clock;
  readonly outside: Outside;
  /** Address of this machine for the gateway. */
  readonly host: HostAddress;
  readonly sizeBytes: number;
  /** Size that is announced instead: the content is repeated, and its end is not meant to be reached. */
  readonly announcedBytes?: number;
  /** Makes the file that is served instead; it takes as long as one of `sizeBytes` would. */
  readonly load?: () => Promise<Buffer>;
  /** Pause after each chunk; 0 sends the file at once. */
  readonly chunkPauseMs: number;
  /** Number of requests for the content answered with 503 before the file is served. */
  readonly failures: number;
  /** Ignores ranges and ends each connection after half of the file. */
  readonly breaksOff?: boolean;
  /** Offers no ranges, and answers each request for one with the whole file. */
  readonly ignoresRange?: boolean;
  /** Answers requests for the content with 404 and a page of the size of the file. */
  readonly isMissing?: boolean;
  /** Name of the file in the URL; some gateways know a package by it. */
  readonly fileName?: string;
  /** Serves over HTTPS with this certificate and requests a client certificate. */
  readonly tls?: CertificateAndKey;
}

/** A request for the content of the file; one that asks for its size or some bytes of it only is none. */
export interface ServedRequest {
  readonly atMs: number;
  /** Path and query as requested. */
  readonly target: string;
  readonly range: string | undefined;
  /** SHA-256 fingerprint of the client certificate; undefined without one. */
  readonly clientFingerprint: string | undefined;
  /** In a resumed TLS session, which may not show the certificate of the first. */
  readonly isSessionReused: boolean;
}

export interface UpgradeServer extends AsyncDisposable {
  readonly url: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Bytes sent between two pauses. */
  readonly chunkBytes: number;
  readonly requests: readonly ServedRequest[];
  /** Bytes of the file sent in all requests together. */
  readonly sentBytes: number;
  /** Number of requests with a completely sent answer. */
  readonly completed: number;
  /** Number of answers with the file that are being sent now. */
  readonly sending: number;
  /** Forgets all connections: what it sends to end them is lost on a line that is cut. */
  forget(): Promise<void>;
}

/** Bytes between two pauses of a file that the suite makes. */
export const chunkBytes = 16 * 1024;

/** Bytes from `from` to before `until`; a probe shows whether and how the file can be loaded, and does not load it. */
interface Range {
  readonly from: number;
  readonly until: number;
  readonly isProbe: boolean;
}

/** What a `Range` header asks for; undefined for the whole file, also in place of several ranges. */
function rangeOf(header: string | undefined, sizeBytes: number): Range | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return { from: Math.max(0, sizeBytes - Number(last)), until: sizeBytes, isProbe: true };
  const from = Number(first);
  const until = last === "" ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  return { from, until, isProbe: from === 0 && until < Math.min(sizeBytes, chunkBytes) };
}

/** Starts the server; in a replayed case its requests come from the record. */
export async function startUpgradeServer(options: UpgradeServerOptions): Promise<UpgradeServer> {
  const { outside } = options;
  let server: UpgradeServer | undefined;
  const facts = await outside.ask("upgrade server", async () => {
    server = await listen(options);
    const { url, fileName, sizeBytes, chunkBytes: ofChunks } = server;
    return { url, fileName, sizeBytes, chunkBytes: ofChunks };
  });
  return {
    ...facts,
    get requests() {
      return outside.read("upgrade server requests", () => server?.requests ?? []);
    },
    get sentBytes() {
      return outside.read("upgrade server bytes", () => server?.sentBytes ?? 0);
    },
    get completed() {
      return outside.read("upgrade server completed", () => server?.completed ?? 0);
    },
    get sending() {
      return outside.read("upgrade server sending", () => server?.sending ?? 0);
    },
    forget: () => outside.ask("upgrade server forgets", async () => server?.forget()),
    [Symbol.asyncDispose]: async () => server?.[Symbol.asyncDispose](),
  };
}

async function listen(options: UpgradeServerOptions): Promise<UpgradeServer> {
  const { clock } = options;
  const content = (await options.load?.()) ?? Buffer.alloc(options.sizeBytes, "rackproof upgrade file ");
  const sizeBytes = options.announcedBytes ?? content.length;
  const chunks = options.load === undefined ? 0 : options.sizeBytes / chunkBytes;
  const stepBytes = chunks === 0 ? chunkBytes : Math.max(1, Math.ceil(sizeBytes / chunks));
  const requests: ServedRequest[] = [];
  const { fileName = "rackproof-upgrade.bin", breaksOff = false, ignoresRange = false } = options;
  const offered = ignoresRange ? {} : { "accept-ranges": "bytes" };
  let sentBytes = 0;
  let completed = 0;
  let sending = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "HEAD") {
      response.writeHead(200, { "content-length": sizeBytes, ...offered }).end();
      return;
    }
    const clientFingerprint =
      request.socket instanceof TLSSocket
        ? request.socket.getPeerX509Certificate()?.fingerprint256
        : undefined;
    const isSessionReused = request.socket instanceof TLSSocket && request.socket.isSessionReused();
    const { url: target = "", headers: asked } = request;
    const part = ignoresRange ? undefined : rangeOf(asked.range, sizeBytes);
    const isProbe = part?.isProbe === true;
    const { range: askedRange } = asked;
    if (!isProbe)
      requests.push({ atMs: clock.nowMs(), target, range: askedRange, clientFingerprint, isSessionReused });
    if (!isProbe && requests.length <= options.failures) {
      response.writeHead(503, { "content-length": 0 }).end();
      return;
    }
    if (!isProbe && options.isMissing === true) {
      const page = Buffer.alloc(sizeBytes, "<html>The file was not found.</html>\n");
      response.writeHead(404, { "content-type": "text/html", "content-length": page.length }).end(page);
      return;
    }
    const range = breaksOff && !isProbe ? undefined : part;
    const { from, until } = range ?? { from: 0, until: sizeBytes };
    if (range !== undefined && from >= until) {
      response.writeHead(416, { "content-length": 0, "content-range": `bytes */${sizeBytes}` }).end();
      return;
    }
    response.writeHead(range === undefined ? 200 : 206, {
      "content-type": "application/octet-stream",
      ...offered,
      "content-length": until - from,
      ...(range === undefined ? {} : { "content-range": `bytes ${from}-${until - 1}/${sizeBytes}` }),
    });
    if (!isProbe) sending += 1;
    const closed = new Promise<void>((resolve) => {
      response.once("close", () => {
        if (!isProbe) sending -= 1;
        resolve();
      });
    });
    for (let at = from; at < until && !response.destroyed;) {
      if (breaksOff && at >= sizeBytes / 2) {
        response.destroy();
        return;
      }
      const start = at % content.length;
      const chunk = content.subarray(start, start + Math.min(stepBytes, until - at));
      if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed]);
      at += chunk.length;
      if (!isProbe) sentBytes += chunk.length;
      if (!isProbe && at >= sizeBytes) completed += 1;
      if (options.chunkPauseMs > 0) await clock.delay(options.chunkPauseMs);
    }
    response.end();
  };
  const listener: RequestListener = (request, response) => {
    response.on("error", () => response.destroy());
    serve(request, response).catch(() => response.destroy());
  };
  const { tls } = options;
  // Any client certificate is accepted, whatever its issuer.
  const server =
    tls === undefined
      ? createServer(listener)
      : createTlsServer(
          { cert: tls.certificatePem, key: tls.keyPem, requestCert: true, rejectUnauthorized: false },
          listener,
        );
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, options.host.listen);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://${options.host.address}:${port}/${fileName}`,
    fileName,
    sizeBytes,
    chunkBytes: stepBytes,
    requests,
    get sentBytes() {
      return sentBytes;
    },
    get completed() {
      return completed;
    },
    get sending() {
      return sending;
    },
    forget() {
      for (const socket of sockets) socket.resetAndDestroy();
      return Promise.resolve();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
