// What a proxy can do with a single request, whatever it asks for.
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** A request at the proxy, before it is recognised as an operation. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: string;
  readonly response: ServerResponse;
  /** Sends the request to the gateway, or the same request with another body. */
  readonly send: (body?: string) => Promise<IncomingMessage>;
  /** Hands the gateway's response to the client. */
  readonly forward: () => Promise<void>;
  /** Closes all connections and the listener, which opens again after the time. */
  readonly goDown: (forMs: number) => void;
}

export type Act = (exchange: Exchange) => void | Promise<void>;

/** Answers with the status and an empty body. */
export function answerWith(status: number): Act {
  return ({ response }) => void response.writeHead(status).end();
}

/** Closes the connection without an answer. */
export const cutConnection: Act = ({ response }) => void response.destroy();

/** Sends the request with another body first, then as it came. */
export function applyFirst(body: string): Act {
  return async ({ send, forward }) => {
    (await send(body)).resume();
    await forward();
  };
}

/** Answers every third time with the answer to the same request three times before. */
export function answerStale(): Act {
  const answers = new Map<string, Buffer[]>();
  return async ({ url, response, send }) => {
    const seen = answers.get(url) ?? [];
    answers.set(url, seen);
    const now = await buffer(await send());
    seen.push(now);
    const shown = seen.length % 3 === 0 ? (seen.at(-4) ?? now) : now;
    response.writeHead(200, { "content-type": "application/json" }).end(shown);
  };
}

/** Closes all connections, and accepts none for the time. */
export function goDown(forMs: number): Act {
  return (exchange) => exchange.goDown(forMs);
}
