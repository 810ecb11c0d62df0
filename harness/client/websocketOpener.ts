import { WebSocket } from "ws";
import type { WebsocketAccess } from "../profile/profile.ts";
import type { WebsocketAttempt } from "../suite/websocket.ts";

/** A gateway that takes the token as first message closes the connection within this time when it rejects it, with or without a word. */
const closedWithinMs = 1000;

/** Tries to open a websocket with the token; answers the result within the patience. */
export async function openWebsocket(
  baseUrl: string,
  access: WebsocketAccess,
  token: string,
  patienceMs: number,
): Promise<WebsocketAttempt> {
  const url = new URL(baseUrl + access.path.replace("{token}", encodeURIComponent(token)));
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const withToken = (text: string): string => text.replace("{token}", token);
  const { header, message } = access;
  const socket = new WebSocket(url, access.protocol === undefined ? [] : [withToken(access.protocol)], {
    rejectUnauthorized: false,
    handshakeTimeout: patienceMs,
    headers: header === undefined ? {} : { [header.name]: withToken(header.value) },
  });
  const outcome = await new Promise<{ opened: boolean; refusedWith: number | undefined }>((resolve) => {
    const opened = (): void => resolve({ opened: true, refusedWith: undefined });
    const broken = (): void => resolve({ opened: false, refusedWith: undefined });
    socket.once("open", () => {
      if (message === undefined) return opened();
      socket.once("close", broken);
      socket.send(withToken(message));
      setTimeout(opened, closedWithinMs);
    });
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      resolve({ opened: false, refusedWith: response.statusCode });
    });
    // Errors after the outcome have no effect, but need a listener.
    socket.on("error", broken);
  });
  return {
    ...outcome,
    [Symbol.asyncDispose]() {
      socket.terminate();
      return Promise.resolve();
    },
  };
}
