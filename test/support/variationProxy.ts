// A gateway that keeps the interface and yet looks different: another path prefix, other methods, more fields,
// slower answers, another error body. It stands before a real gateway and changes only what the interface leaves open.
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { publishedBinding, publishedPathPrefix } from "../../interface/binding.ts";
import { operationIds } from "../../interface/operations/index.ts";
import { parseJson, stringifyJson } from "../../harness/client/json.ts";

export interface Variation {
  readonly pathPrefix: string;
  /** Every PUT and PATCH becomes POST, under a path that ends with the old method. */
  readonly otherMethods: boolean;
  readonly extraFields: boolean;
  readonly answerDelayMs: number;
  readonly otherErrorBody: boolean;
}

export interface RunningProxy extends AsyncDisposable {
  readonly url: string;
  /** A profile that declares how the proxy differs from the published binding. */
  readonly profile: string;
}

export async function startVariationProxy(upstream: string, variation: Variation): Promise<RunningProxy> {
  const server = createServer((incoming, outgoing) => {
    pass(new URL(upstream), variation, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on("upgrade", (incoming, socket) => {
    const target = new URL(upstream);
    const onward = httpRequest({
      host: target.hostname,
      port: target.port,
      path: originalPath(incoming.url ?? "/", variation),
      headers: incoming.headers,
    });
    onward.on("upgrade", (answer, upstreamSocket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${rawHead(answer.rawHeaders)}\r\n`);
      upstreamSocket.pipe(socket).pipe(upstreamSocket);
      socket.on("error", () => upstreamSocket.destroy());
      upstreamSocket.on("error", () => socket.destroy());
    });
    onward.on("response", (answer) => {
      socket.end(
        `HTTP/1.1 ${answer.statusCode ?? 500} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    });
    onward.on("error", () => socket.destroy());
    onward.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    profile: profileText(variation),
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function pass(
  target: URL,
  variation: Variation,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method, path } = original(incoming.method ?? "GET", incoming.url ?? "/", variation);
  const body = await buffer(incoming);
  if (variation.answerDelayMs > 0)
    await new Promise((resolve) => setTimeout(resolve, variation.answerDelayMs));
  const headers = { ...incoming.headers, "content-length": String(body.length) };
  delete (headers as Record<string, unknown>)["transfer-encoding"];
  const onward = httpRequest({ host: target.hostname, port: target.port, method, path, headers });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  onward.on("response", (answer) => {
    answer.on("error", () => outgoing.destroy());
    const isJson = (answer.headers["content-type"] ?? "").includes("application/json");
    if (!isJson) {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
      return;
    }
    buffer(answer).then(
      (bytes) => {
        const text = stringifyJson(vary(parseJson(bytes.toString()), answer.statusCode ?? 500, variation));
        outgoing.writeHead(answer.statusCode ?? 500, { "content-type": "application/json; charset=utf-8" });
        outgoing.end(text);
      },
      () => outgoing.destroy(),
    );
  });
  onward.end(body);
}

function vary(body: unknown, status: number, variation: Variation): unknown {
  if (typeof body !== "object" || body === null) return body;
  if (status >= 400) {
    const { data } = body as { data?: unknown };
    if (!variation.otherErrorBody) return body;
    return {
      fault: "no",
      ...(data === undefined ? {} : { data }),
      ...("message" in body ? { message: "no" } : {}),
    };
  }
  return variation.extraFields ? decorate(body) : body;
}

function decorate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decorate);
  if (typeof value !== "object" || value === null) return value;
  return {
    vendorExtension: { note: "fields beyond the interface are allowed" },
    ...Object.fromEntries(Object.entries(value).map(([k, v]) => [k, decorate(v)])),
  };
}

function original(method: string, url: string, variation: Variation): { method: string; path: string } {
  const path = originalPath(url, variation);
  if (!variation.otherMethods) return { method, path };
  const match = /^([^?]*)\/-(put|patch|delete)(\?.*)?$/.exec(path);
  return match === null
    ? { method, path }
    : { method: (match[2] ?? "").toUpperCase(), path: `${match[1]}${match[3] ?? ""}` };
}

function originalPath(url: string, variation: Variation): string {
  return url.startsWith(variation.pathPrefix)
    ? publishedPathPrefix + url.slice(variation.pathPrefix.length)
    : url;
}

function profileText(variation: Variation): string {
  const operations = variation.otherMethods
    ? operationIds
        .filter((id) => ["PUT", "PATCH", "DELETE"].includes(publishedBinding[id].method))
        .map((id) => {
          const { method, path } = publishedBinding[id];
          return `    ${id}: { method: POST, path: "${path}/-${method.toLowerCase()}" }`;
        })
    : [];
  return [
    "name: a gateway that looks different",
    "credentials: { name: admin, passwordEnvironment: VARIATION_PASSWORD }",
    "serialNumber: RP1000-000001",
    "tokenLifetimeSec: 3600",
    "capabilities: { websocket: true, listener-changes: false, published-errors: false }",
    `websocket: { path: "${variation.pathPrefix}/websocket?token={token}" }`,
    "liveTags: { provider: device, source: simulator, tags: [counter] }",
    "apps: { operable: aie, settleSec: 5 }",
    "switchableServices: [ntp, syslog, internetcheckalive, localconsole]",
    "binding:",
    `  pathPrefix: ${variation.pathPrefix}`,
    ...(operations.length === 0 ? [] : ["  operations:", ...operations]),
    "",
  ].join("\n");
}

function rawHead(rawHeaders: readonly string[]): string {
  let head = "";
  for (let i = 0; i < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return head;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
