// Answers of a real socket: whole ones, and those that fail.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { afterEach, expect, test } from "vitest";
import { buildBody } from "./requestBuilder.ts";
import { withReuse } from "./reusedConnection.ts";
import { explain } from "./transport.ts";
import { wholeAnswer } from "./wholeAnswer.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo();
});

/** A server that writes the pieces after a request, one by one, and closes the connection at the piece `close`. */
async function serve(pieces: readonly string[]): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.on("error", () => undefined));
    const write = (left: readonly string[]): void => {
      const [piece, ...others] = left;
      if (piece === undefined) return;
      if (piece === "close") socket.destroy();
      else socket.write(piece, () => setImmediate(() => write(others)));
    };
    socket.on("data", () => write(pieces));
  });
  cleanUp.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function agentOf(options: Agent.Options = {}): Agent {
  const agent = new Agent({ maxResponseSize: 1000, ...options });
  cleanUp.push(() => agent.destroy());
  return agent;
}

test("an answer in pieces is gathered to its end, without its interim answers", async () => {
  const origin = await serve([
    "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
    "HTTP/1.1 201 Created\r\nContent-Length: 8\r\nX-Two: a\r\nX-Two: b\r\n\r\nhalf",
    "half",
  ]);
  const answer = await wholeAnswer(agentOf(), { origin, path: "/", method: "GET" });
  expect([answer.status, answer.bytes.toString()]).toEqual([201, "halfhalf"]);
  expect(answer.headers).toEqual({ "content-length": "8", "x-two": ["a", "b"] });
});

test("an answer without a body has no bytes", async () => {
  const origin = await serve(["HTTP/1.1 204 No Content\r\n\r\n"]);
  const answer = await wholeAnswer(agentOf(), { origin, path: "/", method: "GET" });
  expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
});

const get: Pick<Dispatcher.RequestOptions, "path" | "method"> = { path: "/", method: "GET" };
const head = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n";
test.for([
  ["closed before an answer", ["close"], get, "UND_ERR_SOCKET"],
  ["closed within the body", [`${head}half`, "close"], get, "UND_ERR_SOCKET"],
  ["no headers in time", [], { ...get, headersTimeout: 100 }, "UND_ERR_HEADERS_TIMEOUT"],
  ["no end in time", [`${head}half`], { ...get, bodyTimeout: 100 }, "UND_ERR_BODY_TIMEOUT"],
  [
    "too long",
    ["HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n", "a".repeat(2000)],
    get,
    "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  ],
  ["not HTTP", ["SSH-2.0-gateway\r\n"], get, "NO_ANSWER"],
  ["a header that cannot be sent", [], { ...get, headers: { a: "\n" } }, "UND_ERR_INVALID_ARG"],
] as const)("%s: fails like undici's request", async ([, pieces, options, code]) => {
  const origin = await serve(pieces);
  const observed = await wholeAnswer(agentOf(), { origin, ...options }).catch(explain);
  const peer = agentOf().request({ origin, ...options });
  const expected = await peer.then(({ body }) => body.arrayBuffer()).catch(explain);
  expect(observed).toEqual(expected);
  expect(observed).toMatchObject({ code });
});

test("what only reads is sent again when the connection was closed while it lay idle, and nothing else is", async () => {
  const answered = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    request.resume().once("end", () => {
      // Each second request of a connection finds it closed.
      if (answered.has(request.socket)) request.socket.destroy();
      else response.end("ok");
      answered.add(request.socket);
    });
  });
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outcomes: unknown[] = [];
  for (const [method, body] of [
    ["GET", null],
    ["POST", "{}"],
  ] as const) {
    const agent = agentOf();
    await wholeAnswer(agent, { origin, path: "/", method, body });
    // The client learns of a free connection in its next turn.
    await new Promise((resolve) => setImmediate(resolve));
    const second = await wholeAnswer(agent, { origin, path: "/", method, body }).catch(explain);
    outcomes.push("code" in second ? second.code : second.bytes.toString());
    await agent.destroy();
  }
  expect(outcomes).toEqual(["ok", "UND_ERR_SOCKET"]);
});

test("what only reads is sent until it has a connection of its own, when idle ones were reset together", async () => {
  const answered = new Set<Socket>();
  const server = createHttpServer((_request, response) => {
    if (response.socket !== null) answered.add(response.socket);
    setTimeout(() => response.end("ok"), 20);
  });
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = agentOf({ connections: 3, connect: withReuse(buildConnector({})) });
  await Promise.all([1, 2, 3].map(() => wholeAnswer(agent, { origin, ...get })));
  await new Promise((resolve) => setImmediate(resolve));
  for (const socket of answered) socket.resetAndDestroy();
  const again = await Promise.all([1, 2, 3].map(() => wholeAnswer(agent, { origin, ...get })));
  expect(again.map(({ bytes }) => bytes.toString())).toEqual(["ok", "ok", "ok"]);
});

test("a closed agent sends nothing", async () => {
  const origin = await serve([head]);
  const agent = agentOf();
  await agent.destroy();
  const observed = await wholeAnswer(agent, { origin, ...get }).catch(explain);
  expect(observed).toMatchObject({ code: "UND_ERR_DESTROYED" });
});

/** A server that answers 401 at the first bytes of a request and closes. In a thread of its own it does so while they are sent. */
const earlyServer = `
  const { createServer } = require("node:net");
  const { parentPort } = require("node:worker_threads");
  const answer = ["HTTP/1.1 401 Unauthorized", "Content-Length: 0", "Connection: close", "", ""].join("\\r\\n");
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.pause();
      socket.end(answer, () => socket.destroy());
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

test("the answer to a form is read although the gateway rejects it before it has all, and closes", async () => {
  const server = new Worker(earlyServer, { eval: true });
  cleanUp.push(() => server.terminate());
  const [port] = (await once(server, "message")) as [number];
  const content = Buffer.alloc(40_000, "x");
  const { formType = "", body = "" } = buildBody({
    form: { apply: false, file: { fileName: "a.tar.gz", content } },
  });
  const headers = { "content-type": formType };
  const options = { origin: `http://127.0.0.1:${port}`, path: "/", method: "PUT", headers, body } as const;
  for (let count = 0; count < 200; count++) expect((await wholeAnswer(agentOf(), options)).status).toBe(401);
});
