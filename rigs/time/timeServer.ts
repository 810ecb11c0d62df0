// A time server for gateways (SNTP, RFC 4330) whose time can be wrong.
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import type { TimeControl } from "../gateway/gateway.ts";
import { timed } from "../host/instant.ts";

export interface TimeServer extends TimeControl, AsyncDisposable {
  readonly host: string;
  readonly port: number;
}

const packetBytes = 48;
const clientMode = 3;
/** No leap second, version 4, server; stratum 1; a precision of about a millisecond. */
const head = Buffer.from([0x24, 1, 6, 0xf6]);
const source = Buffer.from("LOCL");
const ntpEpochSec = 2_208_988_800;

/** Serves the time of this machine, shifted, on UDP; port 0 takes a free one. */
export async function startTimeServer({ host, port }: { host: string; port: number }): Promise<TimeServer> {
  const socket = createSocket("udp4");
  let offsetMs = 0;
  const nowMs = (): number => Date.now() + offsetMs;
  socket.bind(port, host);
  await once(socket, "listening");
  socket.on("error", () => undefined);
  socket.on("message", (question, client) => answer(socket, question, client, nowMs));
  return {
    host,
    port: socket.address().port,
    shift: (wantedMs) => timed(() => void (offsetMs = wantedMs)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

function answer(socket: Socket, question: Buffer, client: RemoteInfo, nowMs: () => number): void {
  if (question.length < packetBytes || ((question[0] ?? 0) & 7) !== clientMode) return;
  const packet = Buffer.alloc(packetBytes);
  head.copy(packet);
  source.copy(packet, 12);
  // The client recognises the answer to its question by the time that it sent.
  question.copy(packet, 24, 40, 48);
  for (const at of [16, 32, 40]) writeTime(packet, at, nowMs());
  socket.send(packet, client.port, client.address, () => undefined);
}

/** Seconds since 1900 and their fraction; the count begins again in 2036. */
function writeTime(packet: Buffer, at: number, epochMs: number): void {
  const seconds = Math.floor(epochMs / 1000);
  packet.writeUInt32BE((seconds + ntpEpochSec) % 2 ** 32, at);
  packet.writeUInt32BE(Math.floor(((epochMs - seconds * 1000) / 1000) * 2 ** 32), at + 4);
}
