// A proxy in front of a gateway: calls without alterations pass unchanged, others go through the registered steps.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { changed, everyCall } from "../mechanism/operationAlterations.ts";
import { answerStale, answerWith, applyFirst, cutConnection, goDown } from "./exchanges.ts";
import { type ProxyAlterations, startProxy } from "./proxy.ts";

const prefix = "/api/v1";
const json = { "content-type": "application/json; charset=utf-8", "x-own": "1" };
const exact = '{"data":{"id":3,"zero":-0, "large":9223372036854775807}}';
const received: string[] = [];
let reads = 0;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = "" } = request;
  received.push(`${method} ${url} ${await text(request)}`.trimEnd());
  if (url.startsWith(`${prefix}/events?event`)) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    // A chunk may end within a frame.
    response.write("id:1\ndata:{}\n\nid:2\nda");
    setImmediate(() => response.end("ta:{}\n\n"));
  } else if (url === `${prefix}/users/9`) {
    response.writeHead(404, json).end('{"error":{"code":7,"message":"no such user"}}');
  } else if (url.startsWith(`${prefix}/tags/access/`)) {
    reads += 1;
    response.writeHead(200, json).end(`{"dataValue":${reads}}`);
  } else response.writeHead(200, json).end(exact);
}

const gateway = createServer((request, response) => void serve(request, response));
beforeAll(async () => {
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
});
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
});

async function start(alter: (at: ProxyAlterations) => void): Promise<string> {
  received.length = 0;
  reads = 0;
  const { port } = gateway.address() as AddressInfo;
  const proxy = await startProxy(`http://127.0.0.1:${port}`, alter);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy.url + prefix;
}

function put(body: string): RequestInit {
  return { method: "PUT", headers: { "content-type": "application/json" }, body };
}

test("calls without alterations pass byte for byte, in both directions", async () => {
  const url = await start(() => undefined);
  const answer = await fetch(`${url}/roles/a%2Fb?x=%20`, put('{"a" : 1.0}'));
  expect([answer.headers.get("x-own"), await answer.text()]).toEqual(["1", exact]);
  expect(received).toEqual([`PUT ${prefix}/roles/a%2Fb?x=%20 {"a" : 1.0}`]);
});

test("an altered answer changes only the edited values", async () => {
  const url = await start((at) => at.data("getRole", (role) => ({ ...role, id: 4 })));
  const answer = await fetch(`${url}/roles/3`);
  expect([answer.headers.get("x-own"), await answer.text()]).toEqual([
    "1",
    '{"data":{"id":4,"zero":-0,"large":9223372036854775807}}',
  ]);
});

test("a changed body, path and query reach the gateway; the unchanged parts stay as sent", async () => {
  const url = await start((at) => {
    at.body("updateRole", (body) => ({ ...body, name: "b" }));
    at.query("getEvents", (query) => ({ ...query, limit: 5 }));
    at.around("enableService", (call, proceed) => proceed(changed(call, { path: { id: "a b" } })));
  });
  await fetch(`${url}/roles/3`, put('{"name":"a","large":9223372036854775807}'));
  await fetch(`${url}/events?limit=7&origins=a,b`);
  await fetch(`${url}/system/services/ntp/enable`, put(""));
  expect(received).toEqual([
    `PUT ${prefix}/roles/3 {"name":"b","large":9223372036854775807}`,
    `GET ${prefix}/events?limit=5&origins=a%2Cb`,
    `PUT ${prefix}/system/services/a%20b/enable`,
  ]);
});

test("a rejection of the gateway is seen as one by the steps and passes unchanged", async () => {
  const seen: unknown[] = [];
  const url = await start((at) =>
    at.around("getUser", (call, proceed) =>
      proceed(call).catch((thrown: unknown) => {
        seen.push(thrown instanceof Refusal && thrown.status);
        throw thrown;
      }),
    ),
  );
  const answer = await fetch(`${url}/users/9`);
  expect([answer.status, await answer.json(), seen]).toEqual([
    404,
    { error: { code: 7, message: "no such user" } },
    [404],
  ]);
});

test("a step may reject, answer by itself, or call another operation for the same caller", async () => {
  const url = await start((at) => {
    at.around("listRoles", () => Promise.reject(new Refusal(409, "busy")));
    at.around("listUsers", () => ({ kind: "json", status: 200, body: { data: [] } }));
    at.around("updateUser", (_call, _proceed, ask) => ask("getUser", { path: { id: "3" } }));
  });
  expect((await fetch(`${url}/roles`)).status).toBe(409);
  expect(await (await fetch(`${url}/users`)).json()).toEqual({ data: [] });
  expect(await (await fetch(`${url}/users/7`, put('{"email":"a@b"}'))).text()).toContain('"id":3');
  expect(received).toEqual([`GET ${prefix}/users/3`]);
});

test("streams are edited in whole frames", async () => {
  const url = await start((at) =>
    at.frames("getEvents", (frame) => (frame.startsWith("id:1") ? [] : [frame, frame])),
  );
  const stream = await (await fetch(`${url}/events?event=true`)).text();
  expect(stream).toBe("id:2\ndata:{}\n\n".repeat(2));
});

test("edits of the wire take effect behind the steps", async () => {
  const url = await start((at) => {
    at.data("getRole", (role) => ({ ...role, id: 4 }));
    at.jsonText((written) => written.replace('"id":4', '"id":4.0'));
  });
  expect(await (await fetch(`${url}/roles/3`)).text()).toContain('"id":4.0');
});

test("a step that fails ends the connection without an answer", async () => {
  const url = await start((at) => at.around(everyCall, () => Promise.reject(new Error("away"))));
  await expect(fetch(`${url}/roles`)).rejects.toThrow("fetch failed");
});

test("single requests are answered, cut, applied in another form or answered stale", async () => {
  const url = await start((at) => {
    at.exchange(({ body }) => body.includes("__proto__"), answerWith(500));
    at.exchange(({ url: path }) => path.endsWith("/roles/%"), cutConnection);
    at.exchange(({ method }) => method === "PUT", applyFirst('{"port":2}'));
    at.exchange(({ url: path }) => path.includes("/tags/access/"), answerStale());
  });
  expect((await fetch(`${url}/events`, { method: "POST", body: '{"__proto__":1}' })).status).toBe(500);
  await expect(fetch(`${url}/roles/%`)).rejects.toThrow("fetch failed");
  await fetch(`${url}/system/sshserver`, put('{"port":"x"}'));
  expect(received).toEqual([
    `PUT ${prefix}/system/sshserver {"port":2}`,
    `PUT ${prefix}/system/sshserver {"port":"x"}`,
  ]);
  const values: unknown[] = [];
  for (let count = 0; count < 6; count++)
    values.push(
      ((await (await fetch(`${url}/tags/access/a/b/c`)).json()) as { dataValue: unknown }).dataValue,
    );
  expect(values).toEqual([1, 2, 3, 4, 5, 3]);
});

test("a proxy that goes down accepts no connection for the time", async () => {
  const url = await start((at) => at.exchange(({ method }) => method === "DELETE", goDown(200)));
  await expect(fetch(`${url}/roles/3`, { method: "DELETE" })).rejects.toThrow("fetch failed");
  await expect(fetch(`${url}/roles`)).rejects.toThrow("fetch failed");
  await expect.poll(async () => (await fetch(`${url}/roles`).catch(() => undefined))?.status).toBe(200);
});
