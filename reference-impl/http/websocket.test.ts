// The websocket on a real socket: who gets in, and what they are sent.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import WebSocket from "ws";
import type { EventRecord } from "../../interface/resources/events.ts";
import type { Caller } from "./handler.ts";
import { createWebsocket, sendInOneFrame } from "./websocket.ts";

const record: EventRecord = {
  id: 7,
  category: "system",
  event: "app stop",
  message: "",
  origin: "system",
  severity: "warning",
  user: "",
  userOrigin: "",
  createdAt: "2026-01-15T12:00:00.000Z",
};

/** An endpoint whose tokens are names: "reader" may read events, "other" may not; each token opens once. */
async function start(): Promise<{
  open: (token: string, path?: string) => WebSocket;
  publish: () => void;
  holders: Map<string, Caller>;
  listeners: Set<(event: EventRecord) => void>;
}> {
  const listeners = new Set<(event: EventRecord) => void>();
  const holders = new Map<string, Caller>(
    ["reader", "other"].map((name) => [name, { userId: 1, name, permissions: new Set() }]),
  );
  const unused = new Set(holders.keys());
  const endpoint = createWebsocket({
    path: "/api/v1/websocket",
    redeem: (token) => (unused.delete(token) ? () => holders.get(token) : undefined),
    send: sendInOneFrame,
    mayReadEvents: (holder) => holder.name === "reader",
    subscribe(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  });
  const server = createServer().on("upgrade", endpoint.onUpgrade);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    endpoint[Symbol.dispose]();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    open: (token, path = "/api/v1/websocket") =>
      new WebSocket(`ws://127.0.0.1:${port}${path}?token=${encodeURIComponent(token)}`),
    publish: () => listeners.forEach((listener) => listener(record)),
    holders,
    listeners,
  };
}

async function nextMessage(socket: WebSocket): Promise<unknown> {
  const [message] = (await once(socket, "message")) as [Buffer];
  return JSON.parse(message.toString());
}

async function refusedWith(socket: WebSocket): Promise<string> {
  const [error] = (await once(socket, "error")) as [Error];
  return error.message;
}

test("a valid token opens one websocket, and each event follows", async () => {
  const { open, publish, listeners } = await start();
  const socket = open("reader");
  expect(await nextMessage(socket)).toEqual({ type: "connected" });
  const event = nextMessage(socket);
  publish();
  expect(await event).toEqual({ type: "event", data: record });
  expect(await refusedWith(open("reader"))).toContain("401");
  socket.close();
  await once(socket, "close");
  await expect.poll(() => listeners.size).toBe(0);
});

test("unknown tokens and paths are rejected before the upgrade", async () => {
  const { open } = await start();
  expect(await refusedWith(open("nobody"))).toContain("401");
  expect(await refusedWith(open("reader", "/api/v1/users"))).toContain("404");
});

test("events go only to clients with the permission, and the websocket of a revoked user closes", async () => {
  const { open, publish, holders } = await start();
  const socket = open("other");
  const messages: string[] = [];
  socket.on("message", (message: Buffer) => messages.push(message.toString()));
  await once(socket, "message");
  publish();
  holders.delete("other");
  const closed = once(socket, "close");
  publish();
  expect((await closed)[0]).toBe(1008);
  expect(messages).toEqual(['{"type":"connected"}']);
});
