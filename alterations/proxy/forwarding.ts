// Operations of a gateway behind a proxy, as handlers: a call becomes a request of the published binding, its response
// an answer. The steps of the mechanism stand around them as they do inside the reference gateway.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { buffer } from "node:stream/consumers";
import { publishedBinding, publishedExtensions, publishedPathPrefix } from "../../interface/binding.ts";
import { isOperationId, operation } from "../../interface/operations/index.ts";
import { stringifyJson } from "../../reference-impl/base/json.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer, Call, Handlers, StreamSink } from "../../reference-impl/http/handler.ts";
import { convert } from "../../reference-impl/http/inputs.ts";
import { fields } from "../mechanism/edits.ts";
import { type CallId, everyCall } from "../mechanism/operationAlterations.ts";
import { parseExactJson } from "../wire/exactJson.ts";
import type { WireCall } from "../wire/wireEdits.ts";
import type { Upstream, UpstreamRequest } from "./upstream.ts";

const bindings: Readonly<Record<CallId, { readonly method: string; readonly path: string }>> = {
  ...publishedBinding,
  ...publishedExtensions,
};
const rejections = [400, 401, 403, 404, 405, 408, 409, 413, 415, 423] as const;

/** A response that is no success, with everything that the client is to get of it. */
class Rejected extends Refusal {
  readonly response: {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
  };

  constructor(response: Rejected["response"]) {
    super(rejections.find((status) => status === response.status) ?? 400, "rejected by the gateway");
    this.response = response;
  }
}

/** One call through the proxy. */
export class Forwarding {
  /** The call as the steps get it. */
  readonly call: Call;
  readonly #id: CallId;
  readonly #request: UpstreamRequest;
  readonly #upstream: Upstream;
  #headers: IncomingHttpHeaders = {};

  constructor(id: CallId, wireCall: WireCall, request: UpstreamRequest, upstream: Upstream, address: string) {
    this.#id = id;
    this.#request = request;
    this.#upstream = upstream;
    this.call = {
      caller: undefined,
      address,
      path: wireCall.path,
      query: queryOf(id, wireCall.query),
      headers: request.headers,
      body: bodyOf(request),
      files: [],
      signal: new AbortController().signal,
    };
  }

  /** All operations of the gateway, called for whoever made this call. */
  get handlers(): Handlers {
    return Object.fromEntries(
      everyCall.map((id) => [id, (call: Call) => this.#forward(id, call)]),
    ) as Handlers;
  }

  /** Writes the result of the call; throws what is neither an answer nor a rejection. */
  async respond(answer: Promise<Answer>, response: ServerResponse): Promise<void> {
    try {
      await this.#write(await answer, response);
    } catch (thrown) {
      if (thrown instanceof Rejected) {
        const { status, headers, body } = thrown.response;
        response.writeHead(status, outgoing(headers)).end(body);
      } else if (thrown instanceof Refusal) {
        const { status, code, message } = thrown;
        response.writeHead(status, { "content-type": "application/json" });
        response.end(stringifyJson({ error: { code, message } }));
      } else throw thrown;
    }
  }

  async #forward(id: CallId, call: Call): Promise<Answer> {
    const response = await this.#upstream.send(this.#requestFor(id, call));
    const { headers, statusCode: status = 502 } = response;
    this.#headers = headers;
    const type = headers["content-type"] ?? "";
    if (status >= 300) throw new Rejected({ status, headers, body: await buffer(response) });
    if (type.startsWith("text/event-stream"))
      return { kind: "stream", run: (sink) => streamTo(sink, response, outgoing(headers)) };
    if (type !== "" && !type.includes("json"))
      return { kind: "file", contentType: type, fileName: "", content: response };
    const text = (await buffer(response)).toString();
    return { kind: "json", status, body: text === "" ? undefined : parseExactJson(text) };
  }

  /** What no step has changed is sent byte for byte. */
  #requestFor(id: CallId, call: Call): UpstreamRequest {
    const { method, path } = bindings[id];
    const isSame = id === this.#id;
    const [rawPath = "", rawQuery = ""] = this.#request.url.split("?");
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(call.path[name] ?? ""),
    );
    const query = isSame && call.query === this.call.query ? rawQuery : queryText(call.query);
    const url = isSame && call.path === this.call.path ? rawPath : `${publishedPathPrefix}${filled}`;
    const { "accept-encoding": _encoding, ...headers } = this.#request.headers;
    const whole = { method, url: query === "" ? url : `${url}?${query}` };
    if (isSame && call.body === this.call.body) return { ...whole, headers, body: this.#request.body };
    const { "content-type": _type, ...others } = headers;
    return Object.keys(call.body).length === 0
      ? { ...whole, headers: others, body: Buffer.alloc(0) }
      : {
          ...whole,
          headers: { ...others, "content-type": "application/json" },
          body: Buffer.from(stringifyJson(call.body)),
        };
  }

  async #write(answer: Answer, response: ServerResponse): Promise<void> {
    const { "content-length": _length, ...headers } = outgoing(this.#headers);
    switch (answer.kind) {
      case "json":
        response.writeHead(answer.status, { ...headers, "content-type": "application/json" });
        response.end(answer.body === undefined ? undefined : stringifyJson(answer.body));
        return;
      case "file":
        response.writeHead(200, { ...headers, "content-type": answer.contentType });
        if (Buffer.isBuffer(answer.content)) response.end(answer.content);
        else await pipeline(answer.content, response);
        return;
      case "stream":
        answer.run(response);
    }
  }
}

/** Headers of a response without those that belong to its connection. */
function outgoing(given: IncomingHttpHeaders): OutgoingHttpHeaders {
  const {
    "transfer-encoding": _chunked,
    connection: _connection,
    "keep-alive": _keepAlive,
    ...headers
  } = given;
  return headers;
}

/** Hands the stream on in whole frames. */
function streamTo(sink: StreamSink, response: IncomingMessage, headers: OutgoingHttpHeaders): void {
  sink.writeHead(200, headers);
  sink.flushHeaders();
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    rest += text;
    const end = rest.lastIndexOf("\n\n") + 2;
    if (end < 2) return;
    sink.write(rest.slice(0, end));
    rest = rest.slice(end);
  });
  response.on("close", () => sink.end());
  sink.once("close", () => response.destroy());
}

function queryOf(id: CallId, parameters: URLSearchParams): Readonly<Record<string, unknown>> {
  const raw = Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  return isOperationId(id) ? convert(operation(id).query, raw) : raw;
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      Array.isArray(value) ? value.join(",") : String(value),
    ]),
  ).toString();
}

function bodyOf({ headers, body }: UpstreamRequest): Readonly<Record<string, unknown>> {
  if (headers["content-type"]?.includes("json") !== true) return {};
  try {
    return fields(parseExactJson(body.toString()));
  } catch {
    return {};
  }
}
