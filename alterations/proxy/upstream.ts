// The gateway behind a proxy: requests go to it as they came, and its responses come back as streams of bytes.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export class Upstream implements Disposable {
  readonly #target: URL;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#target = new URL(url);
  }

  /** Rejects when the request cannot be sent or the gateway closes the connection. */
  send({ method, url, headers: given, body }: UpstreamRequest): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { "transfer-encoding": _chunked, expect: _expect, connection: _connection, ...headers } = given;
    httpRequest({
      agent: this.#agent,
      host: this.#target.hostname,
      port: this.#target.port,
      method,
      path: url,
      headers: { ...headers, "content-length": String(body.length) },
    })
      .on("response", resolve)
      .on("error", reject)
      .end(body);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
