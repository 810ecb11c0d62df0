// Rate of the rig's Modbus servers and of libmodbus's own server, both with a libmodbus client.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { freePort } from "../rigs/host/freePort.ts";
import { hasSocat, openPtyPair } from "../rigs/serial/ptyPair.ts";
import { type BenchRow, median, notMeasured, outcomeOf } from "./table.ts";

const rounds = 5;
const roundMs = 1000;
const peerSource = fileURLToPath(new URL("peers/modbus.c", import.meta.url));
const rigScript = fileURLToPath(new URL("modbusRigServer.ts", import.meta.url));

const connectionCounts = [1, 32];
const tcpTitle = (connections: number): string =>
  `Modbus TCP server, polls of 100 registers on ${connections} connection${connections > 1 ? "s" : ""}`;
const rtuTitle = "Modbus RTU units, polls of 100 registers over a pty pair";

interface Served extends AsyncDisposable {
  readonly firstLine: string;
}

export async function benchModbusRig(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rackproof-bench-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const peer = join(folder, "modbus");
  const built = await execa(
    "gcc",
    ["-O2", "-o", peer, peerSource, "-I/usr/include/modbus", "-lmodbus", "-lpthread"],
    {
      reject: false,
    },
  );
  if (built.exitCode !== 0)
    return [...connectionCounts.map(tcpTitle), rtuTitle].map((what) =>
      notMeasured(what, "gcc or libmodbus-dev"),
    );
  const rows: BenchRow[] = [];
  {
    await using rig = await serve(process.execPath, [rigScript, "tcp"]);
    const port = String(await freePort());
    await using other = await serve(peer, ["serve-tcp", port]);
    void other;
    for (const connections of connectionCounts) {
      const ask = (at: string): Promise<number> =>
        asked(peer, ["ask-tcp", at, String(connections), String(roundMs)]);
      const own = await compare(
        () => ask(rig.firstLine.split(":")[1] ?? ""),
        () => ask(port),
      );
      rows.push(row(tcpTitle(connections), own, 0.8));
    }
  }
  if (!hasSocat()) return [...rows, notMeasured(rtuTitle, "socat")];
  await using pair = await openPtyPair();
  await using peerPair = await openPtyPair();
  await using rig = await serve(process.execPath, [rigScript, "rtu", pair.near]);
  await using other = await serve(peer, ["serve-rtu", peerPair.near]);
  void rig;
  void other;
  const own = await compare(
    () => asked(peer, ["ask-rtu", pair.far, String(roundMs)]),
    () => asked(peer, ["ask-rtu", peerPair.far, String(roundMs)]),
  );
  return [...rows, row(rtuTitle, own, 0.4)];
}

interface Comparison {
  readonly own: number;
  readonly peer: number;
  readonly ratio: number;
}

async function compare(own: () => Promise<number>, peer: () => Promise<number>): Promise<Comparison> {
  const pairs: { own: number; peer: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { own: await own(), peer: await peer() };
    if (round > 0) pairs.push(pair);
  }
  return {
    own: median(pairs.map((pair) => pair.own)),
    peer: median(pairs.map((pair) => pair.peer)),
    ratio: median(pairs.map((pair) => pair.own / pair.peer)),
  };
}

function row(what: string, { own, peer, ratio }: Comparison, limit: number): BenchRow {
  return {
    what,
    measured: `${Math.round(own)}/s`,
    peer: `libmodbus server ${Math.round(peer)}/s`,
    ratio: ratio.toFixed(2),
    limit: `at least ${limit}`,
    outcome: outcomeOf(ratio >= limit),
  };
}

async function asked(program: string, words: readonly string[]): Promise<number> {
  const { stdout } = await execa(program, words);
  return Number(stdout);
}

/** Starts a server that ends with its standard input; answers when it has printed its first line. */
async function serve(program: string, words: readonly string[]): Promise<Served> {
  const child = execa(program, words, { stdin: "pipe", stdout: "pipe", buffer: false, reject: false });
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).once("line", resolve);
  const firstLine = await promise;
  return {
    firstLine,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child;
    },
  };
}
