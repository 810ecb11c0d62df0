// The reference gateway in an emulated machine with a real boot, reset and loss of power.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArchitectureName } from "../../interface/vocabulary/gatewayKinds.ts";
import { isProgram } from "../host/boundChild.ts";
import type { FieldRack } from "../field/device.ts";
import { freePort } from "../host/freePort.ts";
import type {
  ClockControl,
  FieldServers,
  NetworkControl,
  PowerControl,
  RunningGateway,
} from "../gateway/gateway.ts";
import { timed } from "../host/instant.ts";
import type { PacketLine } from "../network/packetLine.ts";
import { recordLeftover } from "../host/leftovers.ts";
import { runWords, isAltered } from "../process/program.ts";
import { deliveredSections } from "../process/deliveredSections.ts";
import { findAccelerator } from "./accelerator.ts";
import { architectureOf } from "./architecture.ts";
import { alteredInside } from "../image/gatewayProgram.ts";
import { qemuImage } from "./image.ts";
import { Machine } from "./machine.ts";
import { makeStateDisk } from "./stateDisk.ts";
import { storageOf } from "./storage.ts";

export interface QemuGatewayOptions {
  readonly adminPassword: string;
  /** Id of a fault to inject. */
  readonly fault?: string;
  /** Field devices that the gateway polls as delivered; they end with it. */
  readonly field?: FieldRack;
  /** The line by which it is reached; it ends with the gateway. Default loopback and the emulated cable. */
  readonly line?: PacketLine;
  /** Processor of the machine; default that of this machine. */
  readonly architecture?: ArchitectureName | undefined;
  readonly bootDeadlineMs: number;
  /** How long it waits for an answer of a field device. */
  readonly deviceTimeoutMs?: number;
  /** Receives messages on slow steps before the machine is switched on. */
  readonly say?: (line: string) => void;
}

/** Address under which the emulated gateway reaches the loopback of the host. */
const hostAddress = "10.0.2.2";
const memoryMiB = 1024;
const publishingIntervalMs = 100;

/** Builds the image if it does not exist, starts the machine and waits until the gateway is up. */
export async function startQemuGateway(options: QemuGatewayOptions): Promise<RunningGateway> {
  const architecture = architectureOf(options.architecture);
  const { emulator, secondSerial } = architecture;
  if (!isProgram(emulator))
    throw new Error(
      `missing: ${emulator} (emulated gateway). Fix: apt-get install ${architecture.emulatorPackage}`,
    );
  await using cleanUp = new AsyncDisposableStack();
  const { field, line: reachedBy, deviceTimeoutMs } = options;
  if (field !== undefined) cleanUp.use(field);
  if (reachedBy !== undefined) cleanUp.use(reachedBy);
  const outside = reachedBy?.ownAddress ?? "127.0.0.1";
  const image = await qemuImage(architecture, options.say);
  const accelerator = await findAccelerator(architecture, image.kernel);
  const folder = await temporaryFolder(cleanUp);
  const ports = await freePorts(field !== undefined);
  const line = field?.devices.find(({ kind }) => kind === "modbus-rtu");
  const disk = join(folder, "state.img");
  const gatewayOptions = runWords(options.fault);
  await makeStateDisk(disk, {
    adminPassword: options.adminPassword,
    httpPort: ports.http,
    httpsPort: ports.https,
    gatewayOptions,
    ...(isAltered(gatewayOptions) ? { program: alteredInside } : {}),
    ...(field === undefined
      ? {}
      : {
          delivered: deliveredSections(field, {
            hostAddress,
            ...(deviceTimeoutMs === undefined ? {} : { timeoutMs: deviceTimeoutMs }),
            publishingIntervalMs,
            serialPort: secondSerial.path,
            modbusSlave: { port: ports.modbusSlave, unitId: 1 },
            opcuaServerPort: ports.opcua,
          }),
        }),
  });
  const forwarded = Object.values(ports).filter((port) => port !== 0);
  const words = [
    ["-machine", architecture.machine],
    ["-accel", accelerator === "kvm" ? "kvm" : "tcg,thread=multi,tb-size=512"],
    ["-cpu", architecture.processor[accelerator]],
    ["-smp", "2"],
    ["-m", String(memoryMiB)],
    ["-display", "none"],
    ["-nodefaults", "-no-user-config"],
    ["-kernel", image.kernel],
    ["-initrd", image.initramfs],
    ["-append", architecture.kernelWords],
    ["-drive", `file=${disk},if=none,id=state,format=raw`],
    ["-device", "virtio-blk-pci,drive=state"],
    ["-netdev", `user,id=net0,restrict=off${forwarded.map((port) => forwarding(outside, port)).join("")}`],
    ["-device", "virtio-net-pci,netdev=net0,id=nic0,romfile="],
    // The second serial port of the gateway is on the line with the units.
    ...(line === undefined
      ? []
      : [
          ["-chardev", `serial,id=line,path=${line.address}`],
          ["-device", `${secondSerial.device},chardev=line`],
        ]),
  ].flat();
  const machine = cleanUp.use(
    new Machine({
      folder,
      command: [emulator, ...words],
    }),
  );
  await machine.powerOn();
  const ready = await machine.console.expect(/^\{"ready":true/, {
    deadlineMs: options.bootDeadlineMs,
    sinceLine: 0,
  });
  const whole = cleanUp.move();
  const servers: FieldServers = {
    modbusSlave: { host: outside, port: ports.modbusSlave, unitId: 1 },
    opcua: `opc.tcp://${outside}:${ports.opcua}`,
  };
  return {
    kind: "qemu",
    ...(options.fault === undefined ? {} : { fault: options.fault }),
    name: "reference",
    version: versionIn(ready.text),
    baseUrl: `http://${reachedBy?.gatewayAddress ?? outside}:${ports.http}`,
    console: machine.console.lines,
    ended: () => machine.endedWith,
    alarms: machine.console.alarms,
    consoleChunks: machine.console.chunks,
    sightings: machine.sightings,
    power: powerOf(machine),
    network: reachedBy?.network ?? networkOf(machine),
    storage: storageOf(machine, disk),
    clock: clockOf(machine),
    ...(reachedBy?.pace === undefined ? {} : { linePace: reachedBy.pace }),
    host: reachedBy?.host ?? { address: hostAddress, listen: "127.0.0.1" },
    openPort: async () => {
      const port = await freePort();
      await machine.qmp.console(`hostfwd_add net0 tcp:${outside}:${port}-:${port}`);
      return port;
    },
    ...(field === undefined ? {} : { field, servers }),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** The same number outside and inside, which keeps the gateway's answers about its ports valid for clients. */
function forwarding(address: string, port: number): string {
  return `,hostfwd=tcp:${address}:${port}-:${port}`;
}

async function freePorts(servesPlant: boolean) {
  const [http, https, modbusSlave, opcua] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  return servesPlant ? { http, https, modbusSlave, opcua } : { http, https, modbusSlave: 0, opcua: 0 };
}

function powerOf(machine: Machine): PowerControl {
  return {
    cut: () => machine.powerOff(),
    restore: () => machine.powerOn(),
    reset: () => machine.reset(),
  };
}

/** The network cable, unplugged and plugged in. */
function networkOf(machine: Machine): NetworkControl {
  const set = (up: boolean) => timed(() => machine.qmp.execute("set_link", { name: "nic0", up }));
  return { cut: () => set(false), restore: () => set(true) };
}

/** A clock chip with another time; the emulator sets it only at its start. */
function clockOf(machine: Machine): ClockControl {
  return {
    jump: (offsetSec) =>
      timed(async () => {
        await machine.powerOff();
        const base = new Date(Date.now() + offsetSec * 1000).toISOString().slice(0, 19);
        await machine.powerOn(["-rtc", `base=${base}`]);
      }),
  };
}

function versionIn(readyLine: string): string {
  return /"version":"([^"]*)"/.exec(readyLine)?.[1] ?? "";
}

async function temporaryFolder(cleanUp: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-qemu-"));
  const leftover = await recordLeftover({ kind: "folder", path: folder });
  cleanUp.defer(async () => {
    await rm(folder, { recursive: true, force: true });
    await leftover.settle();
  });
  return folder;
}
