// A gateway with a few mistakes of its own: it stands before a real one and goes wrong on single odd inputs.
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface MeddlingProxy extends AsyncDisposable {
  readonly url: string;
}

const downMs = 400;
const jsonType = { "content-type": "application/json" };

/** A request as the proxy sees it. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** What the proxy does wrong, and when. The first that fits is done. */
export interface Mistake {
  readonly when: (request: Seen) => boolean;
  /**
   * `status`: answers it; `cut`: ends the connection; `applies`: passes on another body first, then the real one;
   * `stale`: answers every third time what the same request was answered three times before;
   * `down`: ends all connections and takes none for a while.
   */
  readonly what: { readonly status: number } | { readonly applies: string } | "cut" | "stale" | "down";
}

export async function startMeddlingProxy(
  upstream: string,
  mistakes: readonly Mistake[],
): Promise<MeddlingProxy> {
  const target = new URL(upstream);
  const answers = new Map<string, Buffer[]>();
  const stale = async (incoming: IncomingMessage, body: Buffer): Promise<Buffer> => {
    const seen = answers.get(incoming.url ?? "") ?? [];
    answers.set(incoming.url ?? "", seen);
    const now = await buffer(await pass(target, incoming, body));
    seen.push(now);
    return seen.length % 3 === 0 ? (seen.at(-4) ?? now) : now;
  };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const seen = { method: incoming.method ?? "", url: incoming.url ?? "", body: body.toString("utf8") };
    const mistake = mistakes.find(({ when }) => when(seen))?.what;
    if (mistake === "cut") return void incoming.socket.destroy();
    if (mistake === "down") return goDown();
    if (mistake === "stale") return void outgoing.writeHead(200, jsonType).end(await stale(incoming, body));
    if (mistake !== undefined && "status" in mistake) return void outgoing.writeHead(mistake.status).end();
    if (mistake !== undefined) await pass(target, incoming, Buffer.from(mistake.applies));
    const answer = await pass(target, incoming, body);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    outgoing.once("close", () => answer.destroy());
  };
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (incoming, outgoing) => {
    // What cannot be passed on is a client's mistake here, never one of those that are asked for.
    handle(incoming, outgoing).catch(() => outgoing.headersSent || outgoing.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let coming: NodeJS.Timeout | undefined;
  function goDown(): void {
    server.close();
    server.closeAllConnections();
    coming = setTimeout(() => server.listen(port, "127.0.0.1"), downMs);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      clearTimeout(coming);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function pass(target: URL, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { "transfer-encoding": _chunked, expect: _expect, ...headers } = incoming.headers;
  const onward = httpRequest({
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: incoming.url,
    headers: { ...headers, "content-length": String(body.length) },
  });
  onward.on("response", resolve).on("error", reject).end(body);
  return promise;
}
