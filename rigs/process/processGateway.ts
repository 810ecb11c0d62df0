// The reference gateway as processes of this machine: a supervisor (the board) and the gateway under it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { execa } from "execa";
import type { FieldRack } from "../field/device.ts";
import { freePort } from "../freePort.ts";
import type { ConsoleLine, FieldServers, RunningGateway, Sighting } from "../gateway.ts";
import { deliveredSections } from "./deliveredSections.ts";
import { recordLeftover } from "../leftovers.ts";

export interface ProcessGatewayOptions {
  readonly adminPassword: string;
  /** Ports of the listeners; 0, the default, takes free ones at the first boot. */
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** Where the state is kept; without it a temporary folder that goes with the gateway. */
  readonly stateFolder?: string;
  readonly bootDeadlineMs?: number;
  /** Field devices that the gateway is delivered to poll; they end with it. */
  readonly field?: FieldRack;
}

const supervisorFile = fileURLToPath(new URL("../../reference-impl/board/supervisor.ts", import.meta.url));

/** Starts a reference gateway with a state folder of its own; both are gone when it is disposed. */
export async function startProcessGateway(options: ProcessGatewayOptions): Promise<RunningGateway> {
  await using cleanUp = new AsyncDisposableStack();
  const stateFolder = options.stateFolder ?? (await temporaryFolder(cleanUp));
  const { field } = options;
  const servers = field === undefined ? undefined : await freeServers();
  const delivery = field === undefined ? [] : await deliver(stateFolder, field, servers);
  if (field !== undefined) cleanUp.use(field);
  const child = execa(
    process.execPath,
    [
      supervisorFile,
      "--state",
      stateFolder,
      "--http-port",
      String(options.httpPort ?? 0),
      "--https-port",
      String(options.httpsPort ?? 0),
      ...delivery,
    ],
    {
      // The supervisor ends when its standard input closes, so it cannot outlive this process however that ends.
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      buffer: false,
      reject: false,
      forceKillAfterDelay: 2000,
      env: { RACKPROOF_ADMIN_PASSWORD: options.adminPassword },
    },
  );
  const lines: ConsoleLine[] = [];
  const sightings: Sighting[] = [];
  const ready = Promise.withResolvers<ReadyLine>();
  const read = (stream: NodeJS.ReadableStream): void => {
    createInterface({ input: stream }).on("line", (text) => {
      lines.push({ monotonicMs: performance.now(), epochMs: Date.now(), text });
      const ended = exitSeen(text);
      if (ended !== undefined) sightings.push(ended);
      const line = parseReady(text);
      if (line !== undefined) ready.resolve(line);
    });
  };
  read(child.stdout);
  read(child.stderr);
  const ended = child.then((result) => {
    ready.reject(
      new Error(
        `the gateway ended before it was ready: ${lastLines(lines)} (exit code ${result.exitCode ?? "none"})`,
      ),
    );
  });
  cleanUp.defer(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const limit = setTimeout(
    () => ready.reject(new Error(`the gateway was not ready in time: ${lastLines(lines)}`)),
    options.bootDeadlineMs ?? 30_000,
  );
  try {
    const { httpPort, version } = await ready.promise;
    const whole = cleanUp.move();
    return {
      kind: "process",
      name: "reference",
      version,
      baseUrl: `http://127.0.0.1:${httpPort}`,
      console: lines,
      sightings,
      ...(field === undefined ? {} : { field }),
      ...(servers === undefined ? {} : { servers }),
      [Symbol.asyncDispose]: () => whole.disposeAsync(),
    };
  } finally {
    clearTimeout(limit);
  }
}

/** Ports that were free a moment ago, for what the gateway is to serve to the plant. */
async function freeServers(): Promise<FieldServers> {
  const [slavePort, opcuaPort] = await Promise.all([freePort(), freePort()]);
  return {
    modbusSlave: { host: "127.0.0.1", port: slavePort, unitId: 1 },
    opcua: `opc.tcp://127.0.0.1:${opcuaPort}`,
  };
}

/** Writes the sections that the gateway is delivered with, and answers the options that name them. */
async function deliver(
  folder: string,
  field: FieldRack,
  servers: FieldServers | undefined,
): Promise<string[]> {
  const file = join(folder, "delivered.json");
  const slave = servers?.modbusSlave;
  const sections = deliveredSections(field, {
    ...(slave === undefined ? {} : { modbusSlave: { port: slave.port, unitId: slave.unitId } }),
    ...(servers?.opcua === undefined ? {} : { opcuaServerPort: Number(new URL(servers.opcua).port) }),
  });
  await writeFile(file, JSON.stringify(sections));
  return ["--delivered", file];
}

async function temporaryFolder(cleanUp: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-gateway-"));
  const leftover = await recordLeftover({ kind: "folder", path: folder });
  cleanUp.defer(async () => {
    await rm(folder, { recursive: true, force: true });
    await leftover.settle();
  });
  return folder;
}

// The board is told of a process's end a little later than it happens; five times what was seen at the most.
const exitIsSeenWithinMs = 20;

/** The end of the gateway's process as the board saw it, on the monotonic clock of this process. */
function exitSeen(text: string): Sighting | undefined {
  const [, stamp] = /^board: .* at (\d+\.\d+) ms/.exec(text) ?? [];
  if (stamp === undefined) return undefined;
  const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  const high = Number(stamp) - offsetMs;
  return {
    observer: "process exit",
    what: "down",
    at: { low: high - exitIsSeenWithinMs, high },
    detail: text,
  };
}

interface ReadyLine {
  readonly httpPort: number;
  readonly version: string;
}

function parseReady(text: string): ReadyLine | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as { ready?: unknown; httpPort?: unknown; version?: unknown };
    if (value.ready !== true || typeof value.httpPort !== "number") return undefined;
    return { httpPort: value.httpPort, version: typeof value.version === "string" ? value.version : "" };
  } catch {
    return undefined;
  }
}

function lastLines(lines: readonly ConsoleLine[]): string {
  return lines.length === 0
    ? "it printed nothing"
    : lines
        .slice(-5)
        .map((line) => line.text)
        .join(" | ");
}
