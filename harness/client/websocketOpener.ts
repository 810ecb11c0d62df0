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
  const outcome = await new Promise<Omit<WebsocketAttempt, typeof Symbol.asyncDispose>>((resolve) => {
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
    socket.on("error", (error) => {
      const unreachable = reasonOf(error);
      if (unreachable === undefined) broken();
      else resolve({ opened: false, refusedWith: undefined, unreachable });
    });
  });
  return {
    ...outcome,
    [Symbol.asyncDispose]() {
      socket.terminate();
      return Promise.resolve();
    },
  };
}

const unreachable = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** Why no handshake took place; undefined where the gateway closed the connection, which rejects the token. */
function reasonOf(error: Error): string | undefined {
  if (error.message.includes("handshake has timed out")) return "no answer in time";
  return "code" in error && typeof error.code === "string" && unreachable.has(error.code)
    ? error.code
    : undefined;
}
