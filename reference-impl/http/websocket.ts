// The websocket: opened with a one-shot token, it sends each event record as it is recorded.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { EventRecord } from "../../interface/resources/events.ts";
import type { Caller } from "./handler.ts";

export type MessageSender = (client: WebSocket, text: string) => void;

export interface WebsocketOptions {
  /** Path at which it is opened. */
  readonly path: string;
  /** Redeems a token. Returns how to look up the holder of the websocket, now and later; undefined rejects. */
  readonly redeem: (token: string) => (() => Caller | undefined) | undefined;
  /** Sends a message to a client. */
  readonly send: MessageSender;
  readonly mayReadEvents: (holder: Caller) => boolean;
  readonly subscribe: (listener: (event: EventRecord) => void) => Disposable;
}

export interface WebsocketEndpoint extends Disposable {
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const maxQueuedBytes = 1024 * 1024;

export const sendInOneFrame: MessageSender = (client, text) => client.send(text);

export function createWebsocket(options: WebsocketOptions): WebsocketEndpoint {
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  return {
    onUpgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      const url = URL.parse(request.url ?? "/", "http://gateway");
      if (url?.pathname !== options.path) return refuse(socket, 404, "Not Found");
      const holder = options.redeem(url.searchParams.get("token") ?? "");
      if (holder === undefined) return refuse(socket, 401, "Unauthorized");
      server.handleUpgrade(request, socket, head, (client) => {
        const send = (message: object): void => options.send(client, JSON.stringify(message));
        send({ type: "connected" });
        const subscription = options.subscribe((event) => {
          const caller = holder();
          if (caller === undefined) client.close(1008, "the user may no longer sign in");
          // A client that does not keep up is disconnected: its queue must stay bounded.
          else if (client.bufferedAmount > maxQueuedBytes) client.terminate();
          else if (options.mayReadEvents(caller)) send({ type: "event", data: event });
        });
        client.on("close", () => subscription[Symbol.dispose]());
        client.on("error", () => client.terminate());
      });
    },
    [Symbol.dispose]() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function refuse(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
