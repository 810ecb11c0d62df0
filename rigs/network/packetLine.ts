// A line of real packets between this machine and a gateway on it, without `tc netem`, which few kernels of small
// machines have. Packets to `gatewayAddress` leave the kernel by a TUN device; this program delays, drops or repeats
// them, exchanges source and destination and returns them. The kernel therefore takes them for packets from
// `gatewayAddress` to `ownAddress`, where the gateway listens. The sums over both addresses stay valid.
import { once } from "node:events";
import { createSocket, type Socket } from "node:dgram";
import { accessSync, constants } from "node:fs";
import { networkInterfaces } from "node:os";
import { execa } from "execa";
import type { HostAddress, NetworkControl } from "../gateway/gateway.ts";
import { type Impairment, type LinePace, paceOf } from "../gateway/impairment.ts";
import { boundToParent, isProgram } from "../host/boundChild.ts";
import { timed } from "../host/instant.ts";
import { ImpairedQueue } from "./impairedQueue.ts";

/** Everything that a line of packets can do to a gateway. */
export interface PacketLine extends AsyncDisposable {
  /** Where servers behind the line listen: those of the gateway, and those of this machine for the gateway. */
  readonly ownAddress: string;
  /** Address by which clients on this machine reach them through the line, in both directions. */
  readonly gatewayAddress: string;
  readonly host: HostAddress;
  readonly network: NetworkControl;
  /** Undefined for a line that is good from the start. */
  readonly pace: LinePace | undefined;
}

const device = "/dev/net/tun";
const readyWithinMs = 5000;
const lookEveryMs = 5;
/** Addresses for tests of network equipment (RFC 2544), which nothing else uses. */
const firstOctets = "198.18";
const tries = 20;
const ipHeaderBytes = 20;

/** Why this machine cannot make a line; undefined when it seems to be able to. */
export function whyNoPacketLine(): string | undefined {
  if (!isProgram("socat")) return "missing: socat (impaired lines). Fix: apt-get install socat";
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return `${device} cannot be opened (impaired lines). Fix: run as root on a kernel with TUN devices`;
  }
}

/** Opens a line that is impaired as `usual` from its start, and again after each `restore`. */
export async function openPacketLine(usual: Impairment = {}): Promise<PacketLine> {
  const problem = whyNoPacketLine();
  if (problem !== undefined) throw new Error(problem);
  await using stack = new AsyncDisposableStack();
  const socket = createSocket("udp4");
  stack.defer(() => new Promise<void>((resolve) => void socket.close(() => resolve())));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const prefix = freePrefix();
  const [ownAddress, gatewayAddress] = [`${prefix}.1`, `${prefix}.2`];
  const [program, ...words] = boundToParent([
    "socat",
    "-b65536",
    `TUN:${ownAddress}/30,up,iff-no-pi,tun-type=tun`,
    `UDP4-DATAGRAM:127.0.0.1:${socket.address().port},bind=127.0.0.1:0`,
  ]);
  const child = execa(program, words, { stdin: "ignore", stdout: "ignore", stderr: "pipe", reject: false });
  stack.defer(async () => {
    child.kill("SIGKILL");
    await child;
  });
  const ended = child.then(({ stderr, exitCode }) => {
    throw new Error(
      `line not opened: socat ended with exit code ${exitCode ?? "none"}: ${stderr}. Fix: run as root`,
    );
  });
  ended.catch(() => undefined);
  await Promise.race([ended, untilUp(ownAddress)]);
  const queue = reflect(socket);
  stack.use(queue);
  queue.impairment = usual;
  const whole = stack.move();
  return {
    ownAddress,
    gatewayAddress,
    host: { address: gatewayAddress, listen: ownAddress },
    pace: paceOf(usual),
    network: {
      cut: () => timed(() => (queue.isCut = true)),
      restore: () =>
        timed(() => {
          queue.isCut = false;
          queue.impairment = usual;
        }),
      impair: (impairment) => timed(() => (queue.impairment = { ...usual, ...impairment })),
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** Returns each packet to the kernel that it came from, through the queue. */
function reflect(socket: Socket): ImpairedQueue {
  let kernelPort: number | undefined;
  const queue = new ImpairedQueue({
    send: (packet) => socket.send(packet, kernelPort, "127.0.0.1", () => undefined),
    nowMs: () => performance.now(),
    random: Math.random,
  });
  socket.on("message", (packet, { port }) => {
    kernelPort = port;
    if (packet.length < ipHeaderBytes || packet.readUInt8(0) >> 4 !== 4) return;
    const source = packet.readUInt32BE(12);
    packet.writeUInt32BE(packet.readUInt32BE(16), 12);
    packet.writeUInt32BE(source, 16);
    queue.take(packet);
  });
  return queue;
}

function addressesHere(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

/** The first octets of a network that no device of this machine is in. */
function freePrefix(): string {
  const used = addressesHere();
  for (let attempt = 0; attempt < tries; attempt++) {
    const prefix = `${firstOctets}.${Math.floor(Math.random() * 256)}`;
    if (!used.some((address) => address.startsWith(`${prefix}.`))) return prefix;
  }
  throw new Error(`no free addresses in ${firstOctets}.0.0/16`);
}

async function untilUp(address: string): Promise<void> {
  const startedMs = performance.now();
  while (!addressesHere().includes(address)) {
    if (performance.now() - startedMs > readyWithinMs)
      throw new Error(`expected the address ${address} on a device within ${readyWithinMs} ms, found none`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
