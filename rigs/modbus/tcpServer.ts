// Simulated Modbus TCP servers: any number of units behind one port, answered in the same turn of the loop.
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { FaultOptions, FieldDevice, FieldFault, WireCheck } from "../field/device.ts";
import type { FieldPoint } from "../field/point.ts";
import { checkModbusUnits } from "./check.ts";
import { exceptions } from "./unit.ts";
import { type ActiveFault, UnitFaults } from "./unitFaults.ts";
import { UnitMemory } from "./unitMemory.ts";

export interface ModbusTcpServerOptions {
  readonly name: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, a free one. */
  readonly port?: number;
  readonly points: readonly FieldPoint[];
  /** Answers of a device whose values nobody has changed for a while are late by this; default 0. */
  readonly restMs?: number;
}

const headerBytes = 7;
const mostFrameBytes = 260;
const gatewayPathUnavailable = 0x0a;
const lateByMs = 300;
const restartMs = 300;
/** A device begins to rest when no value was set for this long. */
const restsAfterMs = 2000;

/** Starts listening; throws an Error that names host and port when it cannot. */
export async function startModbusTcpServer(options: ModbusTcpServerOptions): Promise<FieldDevice> {
  const { name, points, host = "127.0.0.1", restMs = 0 } = options;
  const memory = new UnitMemory(points);
  const faults = new UnitFaults();
  const sockets = new Set<Socket>();
  const rest = new Rest(restMs);
  let requests = 0;

  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    let begun: Buffer | undefined;
    socket.on("data", (chunk) => {
      let bytes = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      while (bytes.length > headerBytes) {
        const end = 6 + bytes.readUInt16BE(4);
        if (end <= headerBytes || end > mostFrameBytes || bytes.readUInt16BE(2) !== 0) {
          socket.destroy();
          return;
        }
        if (bytes.length < end) break;
        requests += 1;
        answer(socket, bytes.subarray(0, end));
        bytes = bytes.subarray(end);
      }
      begun = bytes.length === 0 ? undefined : bytes;
    });
  };

  const answer = (socket: Socket, frame: Buffer): void => {
    const unitId = frame[6] ?? 0;
    const fault = faults.of(unitId);
    if (fault !== undefined) {
      misbehave(socket, frame, fault);
      return;
    }
    rest.after(() => socket.write(framed(frame, unitId, respond(frame))));
  };
  const setAll: NonNullable<FieldDevice["setAll"]> = (changes) => {
    const at = memory.setAll(changes);
    rest.end();
    return Promise.resolve(at);
  };
  const respond = (frame: Buffer): Buffer => {
    const unit = memory.unit(frame[6] ?? 0);
    const pdu = frame.subarray(headerBytes);
    return unit === undefined
      ? Buffer.from([(pdu[0] ?? 0) | 0x80, gatewayPathUnavailable])
      : unit.answer(pdu);
  };
  const misbehave = (socket: Socket, frame: Buffer, { fault, options: how }: ActiveFault): void => {
    const unitId = frame[6] ?? 0;
    if (fault === "exception") {
      const code = how.exceptionCode ?? exceptions.failure;
      socket.write(framed(frame, unitId, Buffer.from([(frame[7] ?? 0) | 0x80, code])));
    } else if (fault === "wrong-unit") {
      socket.write(framed(frame, (unitId % 247) + 1, respond(frame)));
    } else if (fault === "slow-answer") {
      const late = framed(frame, unitId, respond(frame));
      setTimeout(() => socket.write(late), how.delayMs ?? lateByMs).unref();
    } else if (fault === "garbage") {
      socket.write(frame.map((byte, index) => (index < 4 ? 0xa5 : byte ^ 0x5a)));
    }
    // A silent device and a cut connection send no answer.
  };

  let server = await listen(serve, host, options.port ?? 0);
  const port = portOf(server);
  const hangUp = async (): Promise<void> => {
    const closing = server;
    for (const socket of sockets) {
      // A connection whose own end is under way refuses the reset, and would then stay open for ever.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
    if (!closing.listening) return;
    closing.close();
    await once(closing, "close");
  };
  const comeBack = async (): Promise<void> => {
    server = await listen(serve, host, port);
  };

  const beginFault = async (fault: FieldFault, how: FaultOptions = {}): Promise<AsyncDisposable> => {
    if (!tcpFaults.includes(fault)) throw new Error(`${name} has no fault ${fault}`);
    if (fault === "cut" || fault === "restart") {
      await hangUp();
      let isBack = false;
      const restore = async (): Promise<void> => {
        if (isBack) return;
        isBack = true;
        await comeBack();
      };
      // A restarting device listens again after a while, also before the fault ends.
      const timer = fault === "restart" ? setTimeout(() => void restore(), restartMs) : undefined;
      return {
        async [Symbol.asyncDispose]() {
          clearTimeout(timer);
          await restore();
        },
      };
    }
    const active = faults.begin(fault, how);
    return {
      [Symbol.asyncDispose]() {
        active[Symbol.dispose]();
        return Promise.resolve();
      },
    };
  };

  return {
    name,
    kind: "modbus-tcp",
    isSimulated: true,
    address: `${host}:${port}`,
    points,
    faults: tcpFaults,
    set: (point, value) => setAll([[point, value]]),
    setAll,
    get: (point) => Promise.resolve(memory.get(point)),
    onWrite: (listener) => memory.onWrite(listener),
    get unread() {
      return memory.unread;
    },
    get requests() {
      return requests;
    },
    fault: beginFault,
    check: (): Promise<WireCheck[]> => checkModbusUnits({ kind: "tcp", host, port }, points),
    [Symbol.asyncDispose]: hangUp,
  };
}

const tcpFaults: readonly FieldFault[] = [
  "exception",
  "silence",
  "slow-answer",
  "wrong-unit",
  "cut",
  "garbage",
  "restart",
];

/** Late answers of a device with which nobody works: polled rarely, it costs the machine little. */
class Rest {
  readonly #lateMs: number;
  readonly #held = new Set<() => void>();
  #fromMs = 0;

  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  /** Runs the action now, or while the device rests after a delay or when the rest ends. */
  after(action: () => void): void {
    if (this.#lateMs === 0 || performance.now() < this.#fromMs) return action();
    const timer = setTimeout(() => release(), this.#lateMs).unref();
    const release = (): void => {
      clearTimeout(timer);
      if (this.#held.delete(release)) action();
    };
    this.#held.add(release);
  }

  end(): void {
    this.#fromMs = performance.now() + restsAfterMs;
    for (const release of this.#held) release();
  }
}

/** The answer in the frame of its request. */
function framed(request: Buffer, unitId: number, pdu: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + pdu.length);
  request.copy(frame, 0, 0, 4);
  frame.writeUInt16BE(pdu.length + 1, 4);
  frame[6] = unitId;
  pdu.copy(frame, headerBytes);
  return frame;
}

async function listen(serve: (socket: Socket) => void, host: string, port: number): Promise<Server> {
  const server = createServer({ noDelay: true }, serve);
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("a TCP listener has no port");
  return address.port;
}
