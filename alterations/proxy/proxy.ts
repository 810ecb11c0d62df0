// A proxy in front of a gateway of which only the wire is ours: it applies alterations of operations, answers and single
// requests to everything that passes. Calls come by the published binding.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { buffer } from "node:stream/consumers";
import { publishedPathPrefix } from "../../interface/binding.ts";
import { WireAlterations } from "../mechanism/wireAlterations.ts";
import { AlteredResponse } from "../wire/alteredResponse.ts";
import { DeclaredRoutes } from "../wire/routes.ts";
import type { Act, Exchange } from "./exchanges.ts";
import { Forwarding } from "./forwarding.ts";
import { Upstream, type UpstreamRequest } from "./upstream.ts";

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** Alterations that a proxy can apply. */
export class ProxyAlterations extends WireAlterations {
  readonly #exchanges: { readonly when: (exchange: Exchange) => boolean; readonly act: Act }[] = [];

  /** Acts on requests for which `when` holds; the first that is registered counts. */
  exchange(when: (exchange: Exchange) => boolean, act: Act): void {
    this.#exchanges.push({ when, act });
  }

  actOn(exchange: Exchange): Act | undefined {
    return this.#exchanges.find(({ when }) => when(exchange))?.act;
  }
}

const maxHeaderBytes = 256 * 1024;

/** Starts a proxy on a free port of loopback. */
export async function startProxy(url: string, alter: (at: ProxyAlterations) => void): Promise<Proxy> {
  const alterations = new ProxyAlterations();
  alter(alterations);
  const upstream = new Upstream(url);
  const routes = new DeclaredRoutes({}, publishedPathPrefix);
  let opening: NodeJS.Timeout | undefined;

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers, socket } = incoming;
    const request: UpstreamRequest = { method, url: path, headers, body: await buffer(incoming) };
    const exchange: Exchange = {
      method,
      url: path,
      body: request.body.toString("utf8"),
      response,
      send: (body) => upstream.send(body === undefined ? request : { ...request, body: Buffer.from(body) }),
      forward: () => forward(upstream, request, response),
      goDown,
    };
    const act = alterations.actOn(exchange);
    if (act !== undefined) return act(exchange);
    const call = routes.recognise({ method, url: path, headers: { ...headers } });
    if (call?.id === undefined || !alterations.alters(call.id)) return exchange.forward();
    const forwarding = new Forwarding(call.id, call, request, upstream, socket.remoteAddress ?? "");
    const handler = alterations.alteredHandlers(forwarding.handlers)[call.id];
    if (handler === undefined) return exchange.forward();
    await forwarding.respond(Promise.resolve(handler(forwarding.call)), response);
  };

  const listener = alterations.alteredFront((incoming, response) => {
    handle(incoming, response).catch((thrown: unknown) => {
      // A request that cannot be forwarded is the client's mistake; without a gateway there is no answer.
      if (isUnsendable(thrown) && !response.headersSent) response.writeHead(400).end();
      else response.destroy();
    });
  }, publishedPathPrefix);
  const server = createServer({ maxHeaderSize: maxHeaderBytes, ServerResponse: AlteredResponse }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  function goDown(forMs: number): void {
    server.close();
    server.closeAllConnections();
    opening = setTimeout(() => server.listen(port, "127.0.0.1"), forMs);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      clearTimeout(opening);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      upstream[Symbol.dispose]();
    },
  };
}

async function forward(
  upstream: Upstream,
  request: UpstreamRequest,
  response: ServerResponse,
): Promise<void> {
  const answer = await upstream.send(request);
  const { connection: _connection, "keep-alive": _keepAlive, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  await pipeline(answer, response).catch(() => response.destroy());
}

function isUnsendable(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return code.startsWith("ERR_") || code.startsWith("HPE_") || code === "ECONNRESET" || code === "EPIPE";
}
