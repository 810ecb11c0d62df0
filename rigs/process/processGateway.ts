// The reference gateway as processes of this machine: a supervisor (the board) and the gateway under it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FieldRack } from "../field/device.ts";
import { freePort } from "../host/freePort.ts";
import type { FieldServers, RunningGateway } from "../gateway/gateway.ts";
import type { PacketLine } from "../network/packetLine.ts";
import { temporaryFolder } from "../host/temporaryFolder.ts";
import { deliveredSections } from "./deliveredSections.ts";
import { bundledProgram, runWords, isAltered, unsynced } from "./program.ts";
import { ProcessBoard } from "./processBoard.ts";
import type { TimeServer } from "../time/timeServer.ts";
import { sizeOf } from "../host/folderSize.ts";

export interface ProcessGatewayOptions {
  readonly adminPassword: string;
  /** Ports of the listeners; 0, the default, takes free ones at the first boot. */
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** Folder of the state; default a temporary one that is removed with the gateway. */
  readonly stateFolder?: string;
  readonly bootDeadlineMs?: number;
  /** Id of a fault to inject. */
  readonly fault?: string;
  /** More options of the reference gateway, with `--variation` among them if any. */
  readonly gatewayOptions?: readonly string[];
  /** The time server that the gateway follows; it ends with the gateway. */
  readonly timeServer?: TimeServer;
  /** Field devices that the gateway polls as delivered; they end with it. */
  readonly field?: FieldRack;
  /** The line by which it is reached; it ends with the gateway. Default loopback. */
  readonly line?: PacketLine;
}

/** A gateway in a plant asks once a minute or less; cases would wait as long. */
const timePollMs = 250;
const defaultBootDeadlineMs = 30_000;

/** Starts a reference gateway with its own state folder; disposing it removes both. */
export async function startProcessGateway(options: ProcessGatewayOptions): Promise<RunningGateway> {
  await using cleanUp = new AsyncDisposableStack();
  const stateFolder = options.stateFolder ?? (await temporaryFolder(cleanUp, "gateway"));
  const { field, line } = options;
  if (line !== undefined) cleanUp.use(line);
  const servers = field === undefined ? undefined : await freeServers(line?.ownAddress);
  const delivery = field === undefined ? [] : await deliver(stateFolder, field, servers);
  if (field !== undefined) cleanUp.use(field);
  const { timeServer } = options;
  if (timeServer !== undefined) cleanUp.use(timeServer);
  const words = [
    ...delivery,
    ...timeWords(timeServer),
    ...runWords(options.fault),
    ...(options.gatewayOptions ?? []),
  ];
  const program = await bundledProgram();
  const board = cleanUp.use(
    new ProcessBoard({
      command: [
        process.execPath,
        program.supervisor,
        "--state",
        stateFolder,
        unsynced,
        "--http-port",
        String(options.httpPort ?? 0),
        "--https-port",
        String(options.httpsPort ?? 0),
        ...(line === undefined ? [] : ["--address", line.ownAddress]),
        ...(isAltered(words) ? ["--program", program.altered] : []),
        ...words,
      ],
      environment: { RACKPROOF_ADMIN_PASSWORD: options.adminPassword },
      bootDeadlineMs: options.bootDeadlineMs ?? defaultBootDeadlineMs,
    }),
  );
  const { httpPort, basePath = "", version } = await board.start();
  const whole = cleanUp.move();
  return {
    kind: "process",
    name: "reference",
    ...(options.fault === undefined ? {} : { fault: options.fault }),
    version,
    baseUrl: `http://${line?.gatewayAddress ?? "127.0.0.1"}:${httpPort}${basePath}`,
    console: board.console,
    ended: () => board.endedWith,
    resources: async () => ({ ...board.memory(), diskBytes: await sizeOf(stateFolder) }),
    sightings: board.sightings,
    power: board.power,
    ...(line === undefined ? {} : { network: line.network, host: line.host }),
    ...(line?.pace === undefined ? {} : { linePace: line.pace }),
    ...(field === undefined ? {} : { field }),
    ...(servers === undefined ? {} : { servers }),
    ...(timeServer === undefined ? {} : { time: timeServer }),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

function timeWords(server: TimeServer | undefined): string[] {
  if (server === undefined) return [];
  return ["--time-server", `${server.host}:${server.port}`, "--time-poll-ms", String(timePollMs)];
}

/** Free ports for the servers of the gateway for the plant. */
async function freeServers(host = "127.0.0.1"): Promise<FieldServers> {
  const [modbusPort, opcuaPort] = await Promise.all([freePort(), freePort()]);
  return {
    modbusSlave: { host, port: modbusPort, unitId: 1 },
    opcua: `opc.tcp://${host}:${opcuaPort}`,
  };
}

/** Writes the sections that the gateway is delivered with, and answers the options that name them. */
async function deliver(
  folder: string,
  field: FieldRack,
  servers: FieldServers | undefined,
): Promise<string[]> {
  const file = join(folder, "delivered.json");
  const modbus = servers?.modbusSlave;
  const sections = deliveredSections(field, {
    ...(modbus === undefined ? {} : { modbusSlave: { port: modbus.port, unitId: modbus.unitId } }),
    ...(servers?.opcua === undefined ? {} : { opcuaServerPort: Number(new URL(servers.opcua).port) }),
  });
  await writeFile(file, JSON.stringify(sections));
  return ["--delivered", file];
}
