// Requests per second of the reference gateway's GET of a small resource beside a bare fastify handler, in turn,
// each in a process of its own; and the memory of an idle gateway process.
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { Pool } from "undici";
import { monotonicClock } from "../harness/clock.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";
import { gatewayMemoryMb } from "./gatewayMemory.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

// A gateway is idle when its boot has been digested; the garbage of booting is not what it needs to live.
const idleAfterMs = 3000;
const connections = 32;
const roundMs = 1500;
const rounds = 5;

export async function benchGatewayRequests(): Promise<BenchRow[]> {
  const adminPassword = "Bench-1!x";
  await using gateway = await startProcessGateway({ adminPassword });
  await monotonicClock.delay(idleAfterMs);
  const idleMb = await gatewayMemoryMb();
  const token = await signIn(gateway.baseUrl, adminPassword);
  const peer = execa(process.execPath, [fileURLToPath(new URL("bareFastify.ts", import.meta.url))], {
    stdin: "pipe",
    buffer: false,
    reject: false,
  });
  const port = await new Promise<number>((resolve) =>
    peer.stdout.once("data", (line: Buffer) => resolve(Number(line.toString()))),
  );
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const a = await rate(gateway.baseUrl, "/api/v1/system/sshserver", token);
    const b = await rate(`http://127.0.0.1:${port}`, "/api/v1/system/sshserver", token);
    if (round > 0) {
      own.push(a);
      bare.push(b);
    }
  }
  peer.stdin.end();
  await peer;
  const ratio = median(own.map((value, index) => value / (bare[index] ?? Number.NaN)));
  return [
    {
      what: "reference gateway, GET of a small resource, 32 connections",
      measured: `${Math.round(median(own))}/s`,
      peer: `bare fastify ${Math.round(median(bare))}/s`,
      ratio: ratio.toFixed(2),
      limit: "at least 0.7",
      outcome: outcomeOf(ratio >= 0.7),
    },
    {
      what: "memory of an idle gateway process",
      measured: `${idleMb.toFixed(0)} MB`,
      peer: "-",
      ratio: "-",
      limit: "under 110 MB",
      outcome: outcomeOf(idleMb < 110),
    },
  ];
}

async function signIn(baseUrl: string, password: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/auth`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "admin", password }),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}

async function rate(origin: string, path: string, token: string): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const endMs = performance.now() + roundMs;
  const startedMs = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endMs) {
        const answer = await pool.request({
          path,
          method: "GET",
          headers: { authorization: `Bearer ${token}` },
        });
        await answer.body.arrayBuffer();
        if (answer.statusCode !== 200) throw new Error(`${origin}${path} answered ${answer.statusCode}`);
        done += 1;
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.close();
  return done / seconds;
}
