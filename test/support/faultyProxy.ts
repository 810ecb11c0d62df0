// A gateway with one misbehaviour that depends on what happened before: it stands before a real gateway, keeps what it
// needs to know in a variable, and spoils some of the calls that pass.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Agent } from "undici";
import { publishedPathPrefix } from "../../interface/binding.ts";
import { parseJson, stringifyJson } from "../../record/json.ts";

/** A call on its way to the gateway. */
export interface PassingCall {
  readonly method: string;
  /** Below the path prefix, without the query. */
  readonly path: string;
  /** The JSON body; undefined when there is none. */
  readonly body: unknown;
  /** Sends the call on, with what is given in place of what it was, and answers what the gateway said. */
  send(instead?: { method?: string; path?: string; body?: unknown }): Promise<PassingAnswer>;
}

export interface PassingAnswer {
  readonly status: number;
  /** Parsed JSON; the bytes of anything else. */
  readonly body: unknown;
  readonly contentType: string;
}

/** Answers a call rightly or wrongly, by what it has seen of the calls before. */
export type Misbehaviour = (call: PassingCall) => Promise<PassingAnswer>;

export async function startFaultyProxy(
  upstream: string,
  misbehave: Misbehaviour,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const agent = new Agent();
  const server = createServer((incoming, outgoing) => {
    pass(agent, upstream, misbehave, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await agent.destroy();
    },
  };
}

async function pass(
  agent: Agent,
  upstream: string,
  misbehave: Misbehaviour,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? "/", upstream);
  const bytes = await buffer(incoming);
  const isJson = (incoming.headers["content-type"] ?? "").includes("json");
  const kept = Object.fromEntries(
    ["authorization", "mx-api-token", "password", "content-type"].flatMap((name) => {
      const value = incoming.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  const call: PassingCall = {
    method: incoming.method ?? "GET",
    path: url.pathname.slice(publishedPathPrefix.length),
    body: isJson && bytes.length > 0 ? parseJson(bytes.toString()) : undefined,
    async send(instead = {}) {
      const method = instead.method ?? call.method;
      const isSame = instead.body === undefined && method === call.method;
      const body = isSame ? bytes : instead.body === undefined ? "" : stringifyJson(instead.body);
      const answer = await agent.request({
        origin: upstream,
        path: `${publishedPathPrefix}${instead.path ?? call.path}${url.search}`,
        method: method as "GET",
        headers: isSame ? kept : { ...kept, "content-type": "application/json" },
        ...(body.length === 0 ? {} : { body }),
      });
      const type = answer.headers["content-type"];
      const contentType = typeof type === "string" ? type : "";
      const content = Buffer.from(await answer.body.arrayBuffer());
      return {
        status: answer.statusCode,
        contentType,
        body: contentType.includes("json") ? parseJson(content.toString()) : content,
      };
    },
  };
  const { status, body, contentType } = await misbehave(call);
  outgoing.writeHead(status, { "content-type": contentType });
  outgoing.end(Buffer.isBuffer(body) ? body : stringifyJson(body));
}
