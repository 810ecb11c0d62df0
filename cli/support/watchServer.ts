// Serves the live view: one page and one stream of server-sent events, read-only.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { livePage, livePagePolicy } from "../../reports/live/livePage.ts";
import { monotonicClock } from "../../harness/index.ts";
import { Follower } from "../../workflows/live/follow.ts";
import { UsageError, messageOf } from "../../record/index.ts";

export interface WatchServer extends AsyncDisposable {
  readonly url: string;
}

const sendEveryMs = 500;
/** Regular comments keep proxies from closing an idle connection. */
const keepAliveMs = 15_000;
const loopback = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** Serves the folder's live state on `HOST:PORT`; throws a UsageError when it cannot listen there. */
export async function startWatchServer(folder: string, listen: string): Promise<WatchServer> {
  const { host, port } = parseListen(listen);
  const follower = new Follower(folder, monotonicClock);
  const server = createServer((request, response) => answer(follower, host, request, response));
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (thrown) {
    follower[Symbol.dispose]();
    throw new UsageError("WATCH_LISTEN", `watch ${listen}: cannot listen: ${messageOf(thrown)}`);
  }
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    async [Symbol.asyncDispose]() {
      follower[Symbol.dispose]();
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

function answer(follower: Follower, host: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  // A foreign page whose host name resolves to this machine must not read a page that is local.
  const asked = (request.headers.host ?? "").replace(/:\d+$/, "");
  if (loopback.has(host) && !loopback.has(asked)) return end(response, 403, "unexpected Host header");
  if (request.method !== "GET" && request.method !== "HEAD")
    return end(response, 405, "read-only: use GET or HEAD");
  switch ((request.url ?? "/").replace(/\?.*$/, "")) {
    case "/":
      response.setHeader("content-security-policy", livePagePolicy);
      response.setHeader("content-type", "text/html; charset=utf-8");
      return void response.end(livePage());
    case "/state":
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify(follower.state));
    case "/events":
      return stream(follower, request, response);
    default:
      return end(response, 404, "not found; the page is at /");
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}

/** Sends the whole state at once and after each change, so that a late or reconnected page is complete. */
function stream(follower: Follower, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (request.method === "HEAD") return void response.end();
  let hasChanged = true;
  const news = follower.onNews(() => (hasChanged = true));
  const send = (): void => {
    // A slow reader skips states that are outdated before it can read them.
    if (!hasChanged || response.writableNeedDrain) return;
    hasChanged = false;
    response.write(`event: state\ndata: ${JSON.stringify(follower.state)}\n\n`);
  };
  send();
  const timer = setInterval(send, sendEveryMs);
  const alive = setInterval(() => response.write(": keep-alive\n\n"), keepAliveMs);
  response.once("close", () => {
    clearInterval(timer);
    clearInterval(alive);
    news[Symbol.dispose]();
  });
}
