import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Tag } from "../../../interface/resources/tags.ts";
import { callGroup, type TestFoundation, testFoundation } from "../../testing/foundation.ts";
import { createTags, type Tags } from "./tags.ts";

let foundation: TestFoundation;
let tags: Tags;
let server: Server;
let query: Record<string, unknown>;
let isAllowed: boolean;

beforeEach(async () => {
  isAllowed = true;
  foundation = testFoundation();
  tags = createTags(foundation, { isProviderRunning: () => true, isStillAllowed: () => isAllowed });
  await callGroup(tags, "createVirtualTag", { body: { ...name, dataType: "int64", access: "rw" } });
  server = createServer((_request, response) => void answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await tags[Symbol.asyncDispose]();
  foundation[Symbol.dispose]();
});

const name = { prvdName: "plant", srcName: "line", tagName: "speed" };
const write = (dataValue: unknown): Promise<unknown> =>
  callGroup(tags, "writeTag", {
    path: { provider: "plant", source: "line", tag: "speed" },
    body: { dataType: "int64", dataValue },
  });

interface Reader {
  readonly response: IncomingMessage;
  readonly texts: string[];
  readonly values: () => string[];
}

async function answer(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const path = { provider: "plant", source: "line" };
  const stream = await callGroup(tags, "monitorTags", { path, query, signal: gone.signal });
  if (stream.kind === "stream") stream.run(response);
}

/** A client of the stream, once its answer has begun. */
async function open(wanted: Record<string, unknown>): Promise<Reader> {
  query = wanted;
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: "127.0.0.1" }), "response")) as [IncomingMessage];
  const texts: string[] = [];
  response.setEncoding("utf8").on("data", (text: string) => texts.push(text));
  response.on("error", () => undefined);
  const values = (): string[] =>
    [...texts.join("").matchAll(/^data:.*"dataValue":(-?[^,]+),/gm)].map((match) => match[1] ?? "");
  return { response, texts, values };
}

/** The values that a client has, once it has so many. */
async function seen(reader: Reader, count: number): Promise<string[]> {
  await vi.waitUntil(() => reader.values().length >= count, { interval: 2, timeout: 5000 });
  return reader.values();
}

test("a stream of changes begins with the present value and has every change once, in order, for all clients", async () => {
  await write(1);
  const first = await open({ onChanged: true });
  expect(await seen(first, 1)).toEqual(["1"]);
  // The change is not told yet when the second client comes: it has it as the present value.
  const writing = write(2);
  const second = await open({ onChanged: true });
  await writing;
  for (const value of [3, 3, 9_007_199_254_740_993n, 4]) await write(value);
  const after = ["3", "9007199254740993", "4"];
  expect(await seen(first, 5)).toEqual(["1", "2", ...after]);
  expect(await seen(second, 4)).toEqual(["2", ...after]);
  expect(first.texts.join("").endsWith("\n\n")).toBe(true);
  expect(first.response.headers["content-type"]).toBe("text/event-stream");
});

test("differences are exact and start from what each client was sent first", async () => {
  await write(10);
  const first = await open({ onChanged: true, compute: "diff" });
  expect(await seen(first, 1)).toEqual(["10"]);
  await write(25);
  expect(await seen(first, 2)).toEqual(["10", "15"]);
  const second = await open({ onChanged: true, compute: "diff" });
  await write(-9_007_199_254_740_991n);
  expect(await seen(first, 3)).toEqual(["10", "15", "-9007199254741016"]);
  expect(await seen(second, 2)).toEqual(["25", "-9007199254741016"]);
});

test("a stream at an interval answers at once and then at every interval, late clients at the same beat", async () => {
  await write(1);
  const first = await open({ streamInterval: 50 });
  expect(await seen(first, 1)).toEqual(["1"]);
  foundation.clock.advance(30);
  const second = await open({ streamInterval: 50 });
  foundation.clock.advance(20);
  expect(await seen(first, 2)).toEqual(["1", "1"]);
  expect(await seen(second, 1)).toEqual(["1"]);
  foundation.clock.advance(100);
  expect(await seen(second, 3)).toEqual(["1", "1", "1"]);
});

test("tags restricts a stream", async () => {
  await callGroup(tags, "createVirtualTag", {
    body: { ...name, tagName: "other", dataType: "int64", access: "rw" },
  });
  const reader = await open({ onChanged: true, tags: "other" });
  expect(await seen(reader, 1)).toEqual(["0"]);
  await write(5);
  await callGroup(tags, "writeTag", {
    path: { provider: "plant", source: "line", tag: "other" },
    body: { dataType: "int64", dataValue: 6 },
  });
  expect(await seen(reader, 2)).toEqual(["0", "6"]);
});

test("a stream ends when its client loses the permission to read", async () => {
  const reader = await open({ onChanged: true });
  const ended = once(reader.response, "end");
  isAllowed = false;
  foundation.clock.advance(300);
  expect(await ended).toEqual([]);
});

test("a client that does not read is disconnected without a gap in its values; other clients are not delayed", async () => {
  const tag: Tag = { ...name, tagName: "text", dataType: "string", dataSize: 0, dataUnit: "", access: "rw" };
  await callGroup(tags, "createVirtualTag", { body: { ...tag } });
  const slow = await open({ onChanged: true, tags: "text" });
  slow.response.pause();
  const quick = await open({ onChanged: true, tags: "text" });
  const steps = ({ texts }: Reader): number[] =>
    [...texts.join("").matchAll(/"dataValue":"(\d+)-x{60000}"/g)].map((match) => Number(match[1]));
  const total = 400;
  const batch = 40;
  for (let step = 0; step < total; step++) {
    tags.values.set(tag, `${step}-${"x".repeat(60_000)}`, step);
    // The quick client keeps up: it has all before the next batch comes.
    if (step % batch === batch - 1)
      await vi.waitUntil(() => quick.texts.slice(-2).join("").endsWith(`"ts":${step}}\n\n`), {
        interval: 1,
        timeout: 5000,
      });
  }
  const closed = new Promise((resolve) => slow.response.once("close", resolve));
  slow.response.resume();
  await closed;
  expect(steps(quick)).toHaveLength(total);
  const received = steps(slow);
  expect(received.length).toBeLessThan(total);
  expect(received).toEqual(received.map((_, index) => index));
});
