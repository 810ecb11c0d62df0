// Serves pages that only show something: GET and HEAD, no caching, and no reading by foreign pages.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { UsageError, messageOf } from "../../record/index.ts";

export interface ReadOnlyServer extends AsyncDisposable {
  readonly url: string;
}

/** Answers a path; false when it has no such page. */
export type Answer = (path: string, request: IncomingMessage, response: ServerResponse) => boolean;

/** Regular comments keep proxies from closing an idle connection. */
const keepAliveMs = 15_000;
const loopback = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** Serves on `HOST:PORT` or `PORT`; throws a UsageError when it cannot listen there. */
export async function startReadOnlyServer(listen: string, answer: Answer): Promise<ReadOnlyServer> {
  const { host, port } = parseListen(listen);
  const server = createServer((request, response) => respond(host, answer, request, response));
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (thrown) {
    throw new UsageError("WATCH_LISTEN", `watch ${listen}: cannot listen: ${messageOf(thrown)}`);
  }
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function parseListen(text: string): { readonly host: string; readonly port: number } {
  const [, host = "", port = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535)
    throw new UsageError("WATCH_LISTEN", `watch ${text}: expected HOST:PORT or PORT`);
  return { host: host.replaceAll(/[[\]]/g, "") || "127.0.0.1", port: Number(port) };
}

function respond(host: string, answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  // A foreign page whose host name resolves to this machine must not read a page that is local.
  const asked = (request.headers.host ?? "").replace(/:\d+$/, "");
  if (loopback.has(host) && !loopback.has(asked)) return end(response, 403, "unexpected Host header");
  if (request.method !== "GET" && request.method !== "HEAD")
    return end(response, 405, "read-only: use GET or HEAD");
  if (!answer((request.url ?? "/").replace(/\?.*$/, ""), request, response))
    end(response, 404, "not found; the page is at /");
}

export function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}

/** Answers with a page under its policy. */
export function sendPage(response: ServerResponse, policy: string, page: string): void {
  response.setHeader("content-security-policy", policy);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(page);
}

/** Opens a stream of server-sent events; `begin` answers what ends with the connection. */
export function openEvents(
  request: IncomingMessage,
  response: ServerResponse,
  begin: (send: (event: string, data: string) => void) => Disposable,
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (request.method === "HEAD") return void response.end();
  response.flushHeaders();
  const source = begin((event, data) => response.write(`event: ${event}\ndata: ${data}\n\n`));
  const alive = setInterval(() => response.write(": keep-alive\n\n"), keepAliveMs);
  response.once("close", () => {
    clearInterval(alive);
    source[Symbol.dispose]();
  });
}
