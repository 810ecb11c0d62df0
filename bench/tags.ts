// Tag values streamed to 16 clients in a process of their own: as many as go out, beside a plain server that writes
// each value for each client; and what the largest gateway's 2,048 tags at 100 ms take of one core.
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { Tag } from "../interface/resources/tags.ts";
import { systemClock } from "../reference-impl/base/clock.ts";
import { Feeds, type FeedRequest } from "../reference-impl/groups/tags/feed.ts";
import { runTagStream } from "../reference-impl/groups/tags/streams.ts";
import { ValueTable } from "../reference-impl/groups/tags/values.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

const tagCount = 2048;
const clientCount = 16;
const changeEveryMs = 100;
const roundMs = 1000;
const rounds = 5;
const steadyMs = 2000;

const tags = Array.from({ length: tagCount }, (_, index): Tag => ({
  prvdName: "modbus_tcp_master",
  srcName: "device1",
  tagName: `register${index}`,
  dataType: "int32",
  dataSize: 4,
  dataUnit: "",
  access: "r",
}));

/** A server of tag streams, and a way to let every tag change once. */
interface Streaming {
  readonly listener: RequestListener;
  readonly responses: ReadonlySet<ServerResponse>;
  readonly change: (step: number) => void;
}

export async function benchTags(): Promise<BenchRow[]> {
  const own: number[] = [];
  const peer: number[] = [];
  await using gateway = await serve(shared());
  await using plain = await serve(eachForItself());
  for (let round = 0; round <= rounds; round++) {
    const a = await outRate(gateway.streaming);
    const b = await outRate(plain.streaming);
    if (round === 0) continue;
    own.push(a);
    peer.push(b);
  }
  await using ready = await serve(plainBatches());
  await using ownOne = await serve(shared(), 1);
  await using readyOne = await serve(plainBatches(), 1);
  const many: number[] = [];
  const one: { own: number; peer: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const manyReady = await outRate(ready.streaming);
    const alone = { own: await outRate(ownOne.streaming, 1), peer: await outRate(readyOne.streaming, 1) };
    if (round === 0) continue;
    many.push(manyReady);
    one.push(alone);
  }
  const toMany = median(own) / median(many);
  const toOne = median(one.map((pair) => pair.own / pair.peer));
  const cpuShare = await steadyCpuShare(gateway.streaming);
  const ratio = median(own.map((value, index) => value / (peer[index] ?? Number.NaN)));
  const wanted = (tagCount * clientCount * 1000) / changeEveryMs;
  return [
    {
      what: `tag values out to ${clientCount} clients of the same stream`,
      measured: `${millions(median(own))}/s`,
      peer: `stringify for each client ${millions(median(peer))}/s`,
      ratio: ratio.toFixed(2),
      limit: "at least 2",
      outcome: outcomeOf(ratio >= 2),
    },
    {
      what: `tag values out to ${clientCount} clients, in sum`,
      measured: `${millions(median(own))}/s`,
      peer: `one batch by JSON.stringify ${millions(median(many))}/s`,
      ratio: toMany.toFixed(2),
      limit: "at least 0.25",
      outcome: outcomeOf(toMany >= 0.25),
    },
    {
      what: "tag values out to one client",
      measured: `${millions(median(one.map((pair) => pair.own)))}/s`,
      peer: `one batch by JSON.stringify ${millions(median(one.map((pair) => pair.peer)))}/s`,
      ratio: toOne.toFixed(2),
      limit: "at least 0.25",
      outcome: outcomeOf(toOne >= 0.25),
    },
    {
      what: `${tagCount} tags changing every ${changeEveryMs} ms, ${clientCount} clients: ${Math.round(wanted)} values/s`,
      measured: `${(cpuShare * 100).toFixed(0)} % of one core`,
      peer: "-",
      ratio: "-",
      limit: "under 50 %",
      outcome: outcomeOf(cpuShare < 0.5),
    },
  ];
}

function shared(): Streaming {
  const values = new ValueTable();
  const feeds = new Feeds(values, systemClock);
  const responses = new Set<ServerResponse>();
  const request: FeedRequest = {
    provider: "modbus_tcp_master",
    source: "device1",
    names: undefined,
    intervalMs: undefined,
    isDiff: false,
  };
  return {
    responses,
    listener(_request, response) {
      responses.add(response);
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const source = { tags: () => tags, refresh: () => undefined };
      runTagStream(response, gone.signal, systemClock, feeds, request, source, () => true);
    },
    change(step) {
      const ts = Date.now();
      for (const [index, tag] of tags.entries()) values.set(tag, step + index, ts);
      values.flush();
    },
  };
}

function eachForItself(): Streaming {
  const responses = new Set<ServerResponse>();
  return {
    responses,
    listener(_request, response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      response.on("error", () => undefined);
      responses.add(response);
    },
    change(step) {
      for (const response of responses) response.write(textOf(step));
    },
  };
}

/** A bare writer: one batch a change, made by JSON.stringify and shared by all clients. */
function plainBatches(): Streaming {
  const responses = new Set<ServerResponse>();
  return {
    responses,
    listener(_request, response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      response.on("error", () => undefined);
      responses.add(response);
    },
    change(step) {
      const batch = Buffer.from(textOf(step));
      for (const response of responses) response.write(batch);
    },
  };
}

function textOf(step: number): string {
  const ts = Date.now();
  let text = "";
  for (const [index, { prvdName, srcName, tagName, dataType, dataUnit }] of tags.entries()) {
    const value = { prvdName, srcName, tagName, dataType, dataValue: step + index, dataUnit, ts };
    text += `data:${JSON.stringify(value)}\n\n`;
  }
  return text;
}

async function serve(
  streaming: Streaming,
  clients = clientCount,
): Promise<AsyncDisposable & { streaming: Streaming }> {
  const server = createServer(streaming.listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const script = fileURLToPath(new URL("tagReaders.ts", import.meta.url));
  const readers = execa(process.execPath, [script, String(port), "/", String(clients)], {
    stdin: "pipe",
    reject: false,
  });
  while (streaming.responses.size < clients) await turn();
  return {
    streaming,
    async [Symbol.asyncDispose]() {
      readers.stdin.end();
      await readers;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Values delivered per second, with the next change made when every client has taken the last. */
async function outRate({ responses, change }: Streaming, clients = clientCount): Promise<number> {
  const startedMs = performance.now();
  let step = 0;
  while (performance.now() - startedMs < roundMs) {
    change(++step);
    while ([...responses].some((response) => response.writableLength > 0)) await turn();
  }
  if ([...responses].some((response) => response.destroyed)) throw new Error("a client was disconnected");
  return (step * tagCount * clients) / ((performance.now() - startedMs) / 1000);
}

async function steadyCpuShare({ change }: Streaming): Promise<number> {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  for (let dueMs = startedMs; dueMs < startedMs + steadyMs; dueMs += changeEveryMs) {
    change(Math.round(dueMs));
    const waitMs = dueMs + changeEveryMs - performance.now();
    await new Promise((resolve) => systemClock.after(waitMs, () => resolve(undefined)));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - startedMs);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function millions(perSecond: number): string {
  return `${(perSecond / 1e6).toFixed(2)} M`;
}
