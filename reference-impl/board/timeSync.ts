// The gateway's wall clock follows a time server over SNTP (RFC 4330).
import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import type { Clock, SettableClock } from "../base/clock.ts";
import type { ClockConduct } from "../product/conduct.ts";

export interface TimeServer {
  readonly host: string;
  readonly port: number;
  /** Pause between two questions. */
  readonly pollMs: number;
}

/** Smaller differences are those of the way to the server. */
const stepFromMs = 100;
const firstAnswerMs = 1000;
const packetBytes = 48;
const clientMode = 0x23;
const serverMode = 4;
/** Seconds from 1900, where the count of NTP begins, to 1970. */
const ntpEpochSec = 2_208_988_800;
/** Smaller counts of seconds belong to the era that begins in 2036 (RFC 4330, 3). */
const eraFrom = 2 ** 31;

/** Asks the server, before it answers once, and from then on; the clock is set as the product does it. */
export async function followTimeServer(
  clock: SettableClock,
  { host, port, pollMs }: TimeServer,
  conduct: ClockConduct,
): Promise<Disposable> {
  const socket = createSocket("udp4");
  let asked: { readonly id: string; readonly sentMs: number } | undefined;
  let isFirst = true;
  let heard = (): void => undefined;
  const first = new Promise<void>((resolve) => (heard = resolve));
  socket.on("error", () => undefined);
  socket.on("message", (packet) => {
    const offsetMs = asked === undefined ? undefined : offsetIn(packet, asked, clock);
    if (offsetMs === undefined) return;
    asked = undefined;
    const { mostStepMs } = conduct;
    if (isFollowed(offsetMs, isFirst, conduct))
      clock.step(Math.round(Math.max(-mostStepMs, Math.min(mostStepMs, offsetMs))));
    isFirst = false;
    heard();
  });
  const ask = (): void => {
    const packet = Buffer.alloc(packetBytes);
    packet[0] = clientMode;
    const id = randomBytes(8);
    id.copy(packet, 40);
    asked = { id: id.toString("hex"), sentMs: clock.monotonicMs() };
    socket.send(packet, port, host, () => undefined);
  };
  await bound(socket);
  let timer: Disposable;
  const askAgain = (): void => {
    ask();
    timer = clock.after(pollMs, askAgain);
  };
  askAgain();
  // A server that is away must not keep the gateway from starting.
  const patience = clock.after(firstAnswerMs, heard);
  await first;
  patience[Symbol.dispose]();
  return {
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      socket.close();
    },
  };
}

function bound(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.bind(0, resolve));
}

function isFollowed(offsetMs: number, isFirst: boolean, { follows, refusesFromMs }: ClockConduct): boolean {
  if (Math.abs(offsetMs) < stepFromMs || follows === "never") return false;
  if (isFirst) return true;
  if (follows === "at boot" || Math.abs(offsetMs) >= refusesFromMs) return false;
  return follows === "always" || offsetMs > 0;
}

/** How far the server is ahead of the clock; undefined for a packet that does not answer the question. */
function offsetIn(
  packet: Buffer,
  asked: { readonly id: string; readonly sentMs: number },
  clock: Clock,
): number | undefined {
  const mode = (packet[0] ?? 0) & 7;
  if (packet.length < packetBytes || mode !== serverMode) return undefined;
  if (packet.subarray(24, 32).toString("hex") !== asked.id) return undefined;
  const roundTripMs = clock.monotonicMs() - asked.sentMs;
  return epochMsAt(packet, 40) + roundTripMs / 2 - clock.nowMs();
}

function epochMsAt(packet: Buffer, at: number): number {
  const seconds = packet.readUInt32BE(at);
  const era = seconds < eraFrom ? 2 ** 32 : 0;
  return (seconds + era - ntpEpochSec) * 1000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1000;
}
