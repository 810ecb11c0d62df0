import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { openWebsocket } from "./websocketOpener.ts";

const patienceMs = 2000;

/** A websocket that takes the token `good` wherever the client presents it. */
async function serve() {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) => {
    const { authorization = "", "sec-websocket-protocol": protocol = "" } = request.headers;
    const isByMessage = request.url === "/later";
    const presented = [request.url ?? "", authorization, protocol].some((text) => text.endsWith("good"));
    if (!isByMessage && !presented) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (!isByMessage) return;
      opened.once("message", (data: Buffer) => {
        opened.send("received");
        if (data.toString() !== '{"token":"good"}') opened.close(4401);
      });
    });
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const address = http.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    [Symbol.dispose]() {
      for (const client of sockets.clients) client.terminate();
      http.close();
    },
  };
}

test.for([
  ["in the path", { path: "/ws?token={token}" }],
  ["as subprotocol", { path: "/ws", protocol: "token.{token}" }],
  ["in a header", { path: "/ws", header: { name: "Authorization", value: "Bearer {token}" } }],
  ["as first message", { path: "/later", message: '{"token":"{token}"}' }],
] as const)("a token %s opens the websocket, and another one does not", async ([, access]) => {
  using server = await serve();
  await using good = await openWebsocket(server.url, access, "good", patienceMs);
  await using bad = await openWebsocket(server.url, access, "bad", patienceMs);
  expect({ good: good.opened, bad: bad.opened, status: bad.refusedWith }).toEqual({
    good: true,
    bad: false,
    status: "message" in access ? undefined : 403,
  });
});

test("a listener that is closed is no rejection of a token", async () => {
  const server = await serve();
  server[Symbol.dispose]();
  await using attempt = await openWebsocket(server.url, { path: "/ws?token={token}" }, "good", patienceMs);
  expect(attempt).toMatchObject({ opened: false, unreachable: "ECONNREFUSED" });
});
