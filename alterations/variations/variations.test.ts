// What a client sees of a gateway with variations: the same values in another form, by another binding.
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { AlteredResponse } from "../wire/alteredResponse.ts";
import { installVariations, readVariations, variationIds, variations } from "./index.ts";

const own = "/api/v1";
const answers: Readonly<Record<string, object>> = {
  [`${own}/users/7`]: {
    data: { id: 7, name: 'a/"é', createdAt: "2026-01-15T12:00:00.5Z", loginAt: "0001-01-01T00:00:00Z" },
  },
  [`${own}/users/me`]: { data: { id: 7, remindToChangePassword: null } },
  [`${own}/permissions`]: { count: 2, data: [{ id: "A" }, { id: "B" }] },
};

/** A gateway of three operations and an event stream behind the front; anything else is rejected. */
const handle: RequestListener = (request, response) => {
  request.resume();
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (path === `${own}/events`) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": connected\n\n");
    response.write('id:4\nevent:message\ndata:{"id":4,"createdAt":"2026-01-15T12:00:00Z"}\n\n');
    response.end();
    return;
  }
  const body = answers[path] ?? { error: { code: 40400, message: "no such thing" } };
  response.writeHead(answers[path] === undefined ? 404 : 200, {
    "content-type": "application/json; charset=utf-8",
    "x-seen": `${request.method} ${request.url} ${request.headers.authorization ?? ""}`,
  });
  response.end(JSON.stringify(body));
};

async function start(words: string): Promise<string> {
  const at = new GatewayAlterations();
  installVariations(at, readVariations(words));
  const front = at.alteredFront(handle, own);
  const server = createServer({ ServerResponse: AlteredResponse }, front).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(words: string, path = `${own}/users/7`, init: RequestInit = {}): Promise<Response> {
  return await fetch((await start(words)) + path, init);
}

test.each([
  "pretty-json",
  "escaped-json",
  "number-forms",
  "members-reversed",
  "bytewise",
  "chunked",
  "trailers",
  "compressed",
  "early-hints",
  "capital-headers",
  "more-headers",
  "slow",
])("%s changes the form of an answer but none of its values", async (words) => {
  const answer = await ask(words);
  expect(await answer.json()).toEqual(answers[`${own}/users/7`]);
});

test("an interim answer precedes the head of its own answer and follows no other head", async () => {
  const { hostname, port } = new URL(await start("early-hints,slow"));
  const socket = connect(Number(port), hostname);
  const request = `GET ${own}/users/7 HTTP/1.1\r\nhost: a\r\n`;
  socket.write(`${request}\r\n`.repeat(3) + `${request}connection: close\r\n\r\n`);
  const parts = (await text(socket)).match(/HTTP\/1\.1 \d{3}|\{"data"/g) ?? [];
  const order = parts.join(", ");
  expect(order).toContain("HTTP/1.1 103");
  expect(order.replaceAll("HTTP/1.1 103, HTTP/1.1 200", "HTTP/1.1 200")).toBe(
    Array.from({ length: 4 }, () => 'HTTP/1.1 200, {"data"').join(", "),
  );
});

test("JSON is written in other forms", async () => {
  const written = await (await ask("pretty-json,escaped-json,number-forms")).text();
  expect(written).toMatch(/"id" :\t7\r?\n?/);
  expect(written).toContain(String.raw`"n\u0061m\u0065"`);
  expect(await (await ask("number-forms", `${own}/permissions`)).text()).toContain('"count":2E+0');
});

test("time stamps name the same instant, and the zero value stays as the interface gives it", async () => {
  for (const [words, expected] of [
    ["times-with-offset", "2026-01-15T17:30:00.5"],
    ["times-with-fractions", "2026-01-15T12:00:00.50000000000Z"],
    ["times-with-zero-offset", "2026-01-15T12:00:00.5+00:00"],
  ] as const) {
    const { data } = (await (await ask(words)).json()) as { data: { createdAt: string; loginAt: string } };
    expect(data.createdAt.startsWith(expected)).toBe(true);
    expect(data.loginAt).toBe("0001-01-01T00:00:00Z");
  }
});

test("calls are accepted by the declared binding only", async () => {
  const words = "path-prefix,calls-by-name,token-scheme";
  const headers = { authorization: "Token abc" };
  const path = "/gateways/7/api/v1/call/getUser?id=7";
  const answer = await ask(words, path, { method: "POST", headers });
  expect(answer.headers.get("x-seen")).toBe(`GET ${own}/users/7 Bearer abc`);
  expect((await ask(words, `${own}/users/7`)).status).toBe(404);
  const withBearer = await ask(words, path, { method: "POST", headers: { authorization: "Bearer abc" } });
  expect(withBearer.headers.get("x-seen")).toBe(`GET ${own}/users/7 `);
});

test("the tag service stays at its stated address when the other groups have another prefix", async () => {
  expect((await ask("prefix-without-tags", "/mgmt/v2/users/7")).status).toBe(200);
  expect((await ask("prefix-without-tags", `${own}/users/7`)).status).toBe(404);
  expect((await ask("prefix-without-tags", `${own}/tags/list`)).headers.get("x-seen")).toBe(
    `GET ${own}/tags/list `,
  );
});

test("a gateway below a path serves calls and upgrades there only", async () => {
  expect((await ask("below-a-path,pretty-json", `/dev/gw-7${own}/users/7`)).status).toBe(200);
  const elsewhere = await ask("below-a-path", `${own}/users/7`);
  expect([elsewhere.status, elsewhere.headers.get("content-type")]).toEqual([404, "text/html"]);
  const at = new GatewayAlterations();
  installVariations(at, readVariations("below-a-path,no-prefix"));
  expect(at.alteredUpgradeUrl("/dev/gw-7/websocket?token=a", own)).toBe(`${own}/websocket?token=a`);
  expect(at.alteredUpgradeUrl("/websocket?token=a", own)).toBe("/");
});

test("requests beyond the limit get 429 and the time to wait, whatever other rejections look like", async () => {
  const url = (await start("rate-limit,refusals-all-400")) + `${own}/users/7`;
  const answers = await Promise.all(Array.from({ length: 350 }, () => fetch(url)));
  const late = answers.filter(({ status }) => status === 429);
  // A second may pass meanwhile, after which the next 100 are served.
  expect([100, 200, 300]).toContain(answers.filter(({ status }) => status === 200).length);
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["1"]));
});

test("unknown query parameters are rejected", async () => {
  expect((await ask("strict-queries", `${own}/users/7?x=1`)).status).toBe(400);
  expect((await ask("strict-queries", `${own}/events?limit=1&order=time`)).status).toBe(200);
});

test("rejections have another status and another body, on unknown paths as well", async () => {
  const problem = await ask("refusals-problem,refusals-uncommon", `${own}/users/8`);
  expect([problem.status, problem.headers.get("content-type")]).toEqual([410, "application/problem+json"]);
  const empty = await ask("refusals-empty,refusals-all-403", "/nowhere");
  expect([empty.status, await empty.text()]).toEqual([403, ""]);
});

test("a path of its own is not mistaken for one with a parameter", async () => {
  const current = (await (await ask("reminder-value", `${own}/users/me`)).json()) as { data: object };
  expect(current.data).toMatchObject({ remindToChangePassword: { inDays: 3 } });
  const change = { method: "PUT", body: "{}" };
  expect((await ask("without-some-operations", `${own}/users/me`, change)).status).toBe(404);
  expect((await ask("without-some-operations", `${own}/users/7`, change)).status).toBe(200);
});

test("absent capabilities are rejected", async () => {
  expect((await ask("without-users")).status).toBe(404);
  expect((await ask("without-event-stream", `${own}/events?event=true`)).status).toBe(400);
});

test("lists are reversed, objects have more members, and only tokens in the other form are accepted", async () => {
  const list = await (await ask("lists-reversed,more-members", `${own}/permissions`)).json();
  expect(list).toMatchObject({ count: 2, data: [{ id: "B", vendorExtension: {} }, { id: "A" }] });
  const answer = await ask("long-tokens", `${own}/users/7`, { headers: { authorization: "Bearer abc" } });
  expect(answer.headers.get("x-seen")).toBe(`GET ${own}/users/7 Bearer unknown`);
});

test("streams have other line ends, fields and pieces, and the same records", async () => {
  const words = "stream-line-ends,stream-comments,stream-spaces,stream-pieces,times-with-zero-offset";
  const stream = await (await ask(words, `${own}/events?event=true`)).text();
  expect(stream).toContain('data: {"id":4,"createdAt":"2026-01-15T12:00:00+00:00"}\r\n\r\n');
  expect(stream.replaceAll("\r\n", "")).not.toContain("\n");
  expect(await (await ask("events-over-lines", `${own}/events?event=true`)).text()).toContain(
    'data: "id": 4,\n',
  );
});

test("HEAD and OPTIONS are answered where that is declared", async () => {
  const head = await ask("head-and-options", `${own}/users/7`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const options = await ask("head-and-options", `${own}/users/7`, { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, PUT, DELETE, OPTIONS"]);
});

test("header names are sent as capitals, and compression only where the client takes it", async () => {
  const [answer] = (await once(
    get((await start("capital-headers,compressed")) + `${own}/users/7`, {
      headers: { "accept-encoding": "gzip" },
    }),
    "response",
  )) as [IncomingMessage];
  expect(answer.rawHeaders).toContain("CONTENT-TYPE");
  expect((await buffer(answer)).subarray(0, 2).toString("hex")).toBe("1f8b");
  const [plain] = (await once(get((await start("compressed")) + `${own}/users/7`), "response")) as [
    IncomingMessage,
  ];
  expect(JSON.parse(await text(plain))).toEqual(answers[`${own}/users/7`]);
});

test("every variation alters something or declares another binding; two of the same aspect are rejected", () => {
  const idle = variationIds.filter(
    (id) => variations[id].install === undefined && variations[id].profile?.["binding"] === undefined,
  );
  expect(idle).toEqual([]);
  for (const id of variationIds)
    expect(() => installVariations(new GatewayAlterations(), [id])).not.toThrow();
  expect(() => readVariations("slow,none")).toThrow("variation none: not found");
  expect(() => readVariations("long-tokens,slow,short-tokens")).toThrow(
    "variations long-tokens and short-tokens exclude each other",
  );
});
