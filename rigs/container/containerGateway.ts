// The reference gateway in its own container, on its own network.
import { randomBytes } from "node:crypto";
import type { FieldRack } from "../field/device.ts";
import type { RunningGateway } from "../gateway/gateway.ts";
import { recordLeftover } from "../host/leftovers.ts";
import { runWords, isAltered } from "../process/program.ts";
import { alteredInside } from "../image/gatewayProgram.ts";
import { deliveredSections } from "../process/deliveredSections.ts";
import { ContainerBoard } from "./containerBoard.ts";
import { findEngine } from "../host/engine.ts";
import { containerImage } from "./image.ts";
import { makeNetwork } from "./network.ts";

export interface ContainerGatewayOptions {
  readonly adminPassword: string;
  /** Id of a fault to inject. */
  readonly fault?: string;
  /** Starts the field devices that the gateway polls as delivered, on this address; they end with it. */
  readonly startField?: (host: string) => Promise<FieldRack>;
  readonly bootDeadlineMs?: number;
  /** Receives messages on slow steps before the container starts. */
  readonly say?: (line: string) => void;
}

const defaultBootDeadlineMs = 30_000;
const ports = { http: 80, https: 443, modbusSlave: 502, opcua: 4840, firstSpare: 8000 };
const serialPortInside = "/dev/ttyS1";
const deliveredFile = "/delivered.json";

/** Builds the image if it does not exist, starts the container and waits until the gateway is up. */
export async function startContainerGateway(options: ContainerGatewayOptions): Promise<RunningGateway> {
  await using cleanUp = new AsyncDisposableStack();
  const engine = await findEngine();
  const image = await containerImage(engine, options.say);
  const name = `rackproof-${randomBytes(6).toString("hex")}`;
  const network = cleanUp.use(await makeNetwork(engine, name));
  const field =
    options.startField === undefined ? undefined : cleanUp.use(await options.startField(network.hostAddress));
  const line = field?.devices.find(({ kind }) => kind === "modbus-rtu");
  const words = runWords(options.fault);
  const leftover = await recordLeftover({ kind: "container", name });
  cleanUp.defer(() => leftover.settle());
  const container = await engine.container.create({
    name,
    Image: image,
    Cmd: [
      `--http-port=${ports.http}`,
      `--https-port=${ports.https}`,
      ...(field === undefined ? [] : ["--delivered", deliveredFile]),
      ...words,
      ...(isAltered(words) ? ["--program", alteredInside] : []),
    ],
    Env: [`RACKPROOF_ADMIN_PASSWORD=${options.adminPassword}`],
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NetworkMode: network.name,
      // A pseudo-terminal works inside only through its own device node.
      ...(line === undefined ? {} : { Binds: [`${line.address}:${serialPortInside}`] }),
    },
    NetworkingConfig: {
      EndpointsConfig: {
        [network.name]: { IPAMConfig: { IPv4Address: network.gatewayAddress } },
      },
    },
  });
  cleanUp.defer(() => container.remove({ force: true, v: true }));
  if (field !== undefined) {
    const delivered = deliveredSections(field, {
      serialPort: serialPortInside,
      modbusSlave: { port: ports.modbusSlave, unitId: 1 },
      opcuaServerPort: ports.opcua,
    });
    await container.putArchive(await tarOf(deliveredFile, JSON.stringify(delivered)), { path: "/" });
  }
  const board = new ContainerBoard(engine, container, network);
  const bootDeadlineMs = options.bootDeadlineMs ?? defaultBootDeadlineMs;
  const { version } = await board.start(bootDeadlineMs);
  const whole = cleanUp.move();
  let sparePort = ports.firstSpare;
  return {
    kind: "container",
    ...(options.fault === undefined ? {} : { fault: options.fault }),
    name: "reference",
    version,
    baseUrl: `http://${network.gatewayAddress}:${ports.http}`,
    console: board.console,
    ended: () => board.endedWith,
    resources: () => board.resources(),
    sightings: board.sightings,
    power: board.power(bootDeadlineMs),
    network: board.network,
    container: board.control,
    host: { address: network.hostAddress, listen: network.hostAddress },
    // Inside the container nearly all ports are free.
    openPort: () => Promise.resolve(sparePort++),
    ...(field === undefined ? {} : { field, servers: serversAt(network.gatewayAddress) }),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

function serversAt(host: string): NonNullable<RunningGateway["servers"]> {
  return {
    modbusSlave: { host, port: ports.modbusSlave, unitId: 1 },
    opcua: `opc.tcp://${host}:${ports.opcua}`,
  };
}

async function tarOf(path: string, content: string): Promise<Buffer> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  archive.entry({ name: path.replace(/^\//, "") }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
