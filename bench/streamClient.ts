// How fast the harness reads a tag stream, in full and counting, beside the eventsource package and a bare loop.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { EventSource } from "eventsource";
import { execa } from "execa";
import { Agent } from "undici";
import { latencyHistogram, SequenceLedger } from "../harness/index.ts";
import { SequenceLines } from "../harness/streams/sequenceLines.ts";
import { ValueLines } from "../harness/streams/valueLines.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

const roundMs = 1000;
const rounds = 3;
const tags = 64;

/** Reads for a while and answers values a second. */
type Reader = (url: string) => Promise<number>;

const readers = {
  full: bytesInto((count) => {
    const lines = new ValueLines({ value: () => count(), malformed: () => undefined });
    return (chunk) => lines.push(chunk);
  }),
  counting: bytesInto((count) => {
    const indexes = new Map(Array.from({ length: tags }, (_, index) => [`sequence${index + 1}`, index]));
    const lines = new SequenceLines(indexes, { value: () => count(), other: () => undefined });
    return (chunk) => lines.push(chunk);
  }),
  bare: bytesInto((count) => {
    const decoder = new TextDecoder();
    let rest = "";
    return (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data:") && JSON.parse(line.slice(5)) !== null) count();
    };
  }),
  eventsource: viaEventSource,
} satisfies Record<string, Reader>;

/** Values over which the memory of the harness is compared, and those before, in which the program warms up. */
const manyValues = 10_000_000;
const warmUpValues = 2_000_000;

/** Memory of this process while it counts ten million values, as a soak does: from their end, compared with the start. */
async function memoryRow(url: string): Promise<BenchRow> {
  await using stack = new AsyncDisposableStack();
  const agent = new Agent();
  stack.defer(() => agent.destroy());
  const indexes = new Map(Array.from({ length: tags }, (_, index) => [`sequence${index + 1}`, index]));
  const latencyUs = latencyHistogram();
  const ledger = new SequenceLedger(tags, 0, () => performance.now() - 1, latencyUs);
  const lines = new SequenceLines(indexes, {
    value: (index, number) => ledger.take(index, number, performance.now()),
    other: () => undefined,
  });
  const residentMib: number[] = [];
  const { body } = await agent.request({ origin: url, path: "/", method: "GET" });
  for await (const chunk of body) {
    lines.push(chunk as Buffer);
    if (ledger.received >= warmUpValues + residentMib.length * (manyValues / 100))
      residentMib.push(process.memoryUsage.rss() / 2 ** 20);
    if (ledger.received >= warmUpValues + manyValues) break;
  }
  const [first, last] = [residentMib.slice(0, 20), residentMib.slice(-20)].map(median);
  const ratio = (last ?? Number.NaN) / (first ?? Number.NaN);
  return {
    what: `memory while ${manyValues / 1e6} million values are received`,
    measured: `${last?.toFixed(0)} MiB`,
    peer: `at their start ${first?.toFixed(0)} MiB`,
    ratio: ratio.toFixed(3),
    limit: "at most 1.05",
    outcome: outcomeOf(ratio <= 1.05),
  };
}

export async function benchStreamClient(): Promise<BenchRow[]> {
  await using writer = await startWriter();
  // First: what the other readers leave in memory would be collected meanwhile.
  const memory = await memoryRow(writer.url);
  const rates = new Map<keyof typeof readers, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(readers) as (keyof typeof readers)[]) {
      const rate = await readers[name](writer.url);
      if (round > 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
    }
  }
  const row = (
    what: string,
    own: keyof typeof readers,
    peer: keyof typeof readers,
    limit: number,
  ): BenchRow => {
    const ratio = median(
      (rates.get(own) ?? []).map((rate, index) => rate / (rates.get(peer)?.[index] ?? Number.NaN)),
    );
    return {
      what,
      measured: `${millions(median(rates.get(own) ?? []))}/s`,
      peer: `${peer === "bare" ? "undici, split and JSON.parse" : peer} ${millions(median(rates.get(peer) ?? []))}/s`,
      ratio: ratio.toFixed(2),
      limit: `at least ${limit}`,
      outcome: outcomeOf(ratio >= limit),
    };
  };
  return [
    row("stream client, every value in full", "full", "eventsource", 2.2),
    row("stream client, every value in full", "full", "bare", 0.9),
    row("stream client, counting", "counting", "bare", 1.5),
    memory,
  ];
}

/** Reads the body over undici into what takes chunks; what is done with them is what differs. */
function bytesInto(make: (count: () => void) => (chunk: Buffer) => void): Reader {
  return async (url) => {
    await using stack = new AsyncDisposableStack();
    const agent = new Agent();
    stack.defer(() => agent.destroy());
    let count = 0;
    const take = make(() => void (count += 1));
    const { body } = await agent.request({ origin: url, path: "/", method: "GET" });
    body.on("error", () => undefined);
    const { promise, resolve } = Promise.withResolvers<number>();
    const startedMs = performance.now();
    body.on("data", (chunk: Buffer) => {
      take(chunk);
      const tookMs = performance.now() - startedMs;
      if (tookMs >= roundMs) resolve(count / (tookMs / 1000));
    });
    const rate = await promise;
    body.destroy();
    return rate;
  };
}

async function viaEventSource(url: string): Promise<number> {
  const source = new EventSource(url);
  const { promise, resolve } = Promise.withResolvers<number>();
  let count = 0;
  const startedMs = performance.now();
  source.addEventListener("message", (event) => {
    if (JSON.parse(String(event.data)) !== null) count += 1;
    const tookMs = performance.now() - startedMs;
    if (tookMs >= roundMs) resolve(count / (tookMs / 1000));
  });
  const rate = await promise;
  source.close();
  return rate;
}

async function startWriter(): Promise<AsyncDisposable & { readonly url: string }> {
  const script = fileURLToPath(new URL("streamWriter.ts", import.meta.url));
  const child = execa(process.execPath, [script], {
    stdin: "pipe",
    stdout: "pipe",
    buffer: false,
    reject: false,
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).once("line", resolve);
  const port = await promise;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child;
    },
  };
}

function millions(perSecond: number): string {
  return `${(perSecond / 1e6).toFixed(2)} M`;
}
