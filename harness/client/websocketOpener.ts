import { WebSocket } from "ws";
import type { WebsocketAttempt } from "../suite/websocket.ts";

/** Tries to open a websocket; answers the result within the patience. */
export async function openWebsocket(url: string, patienceMs: number): Promise<WebsocketAttempt> {
  const socket = new WebSocket(url, { rejectUnauthorized: false, handshakeTimeout: patienceMs });
  const outcome = await new Promise<{ opened: boolean; refusedWith: number | undefined }>((resolve) => {
    socket.once("open", () => resolve({ opened: true, refusedWith: undefined }));
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      resolve({ opened: false, refusedWith: response.statusCode });
    });
    // Errors after the outcome have no effect, but need a listener.
    socket.on("error", () => resolve({ opened: false, refusedWith: undefined }));
  });
  return {
    ...outcome,
    [Symbol.asyncDispose]() {
      socket.terminate();
      return Promise.resolve();
    },
  };
}
