// Simulated Modbus units on a serial line: a real port, or a pseudo-terminal whose other end is the gateway's.
import { once } from "node:events";
import type { FaultOptions, FieldDevice, FieldFault, WireCheck } from "../field/device.ts";
import type { FieldPoint } from "../field/point.ts";
import { openPort } from "../serial/port.ts";
import { openPtyPair } from "../serial/ptyPair.ts";
import { rtuFrame } from "./crc16.ts";
import { RtuRequests } from "./rtuRequests.ts";
import { exceptions } from "./unit.ts";
import { type ActiveFault, UnitFaults } from "./unitFaults.ts";
import { UnitMemory } from "./unitMemory.ts";

export interface RtuLineOptions {
  readonly name: string;
  /** Path of a serial port; without it a pty pair is made, and the gateway uses its far end. */
  readonly port?: string;
  /** Default 115200. */
  readonly baudRate?: number;
  readonly parity?: "none" | "even" | "odd";
  readonly dataBits?: 7 | 8;
  readonly stopBits?: 1 | 2;
  /** Delays each frame like a line of this speed; for ptys, which have no speed. */
  readonly keepCharacterTime?: boolean;
  readonly points: readonly FieldPoint[];
}

const defaultBaudRate = 115_200;
const bitsOfCharacter = 11;
const silenceMs = 50;
const lateByMs = 500;

const lineFaults: readonly FieldFault[] = [
  "exception",
  "silence",
  "slow-answer",
  "wrong-unit",
  "garbage",
  "crc-error",
  "partial-frame",
  "noise",
];

/** Opens the line and answers for all units that the points name. Throws an Error with the reason when it cannot. */
export async function startModbusRtuLine(options: RtuLineOptions): Promise<FieldDevice> {
  await using stack = new AsyncDisposableStack();
  const { name, points, baudRate = defaultBaudRate } = options;
  const pair = options.port === undefined ? stack.use(await openPtyPair()) : undefined;
  const path = options.port ?? pair?.near ?? "";
  const memory = new UnitMemory(points);
  const faults = new UnitFaults();
  const requests = new RtuRequests();
  const port = await openPort({
    path,
    baudRate,
    parity: options.parity ?? "none",
    dataBits: options.dataBits ?? 8,
    stopBits: options.stopBits ?? 1,
  }).catch((thrown: unknown) => {
    throw new Error(
      `${name}: ${path} cannot be opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    );
  });
  stack.defer(async () => {
    if (!port.isOpen) return;
    port.close();
    await once(port, "close");
  });
  port.on("error", () => undefined);
  let count = 0;

  const send = (bytes: Buffer, requestBytes: number): void => {
    if (options.keepCharacterTime !== true) {
      port.write(bytes);
      return;
    }
    const lineMs = ((requestBytes + bytes.length) * bitsOfCharacter * 1000) / baudRate;
    setTimeout(() => port.write(bytes), lineMs).unref();
  };
  const answer = (frame: Buffer): void => {
    const unit = memory.unit(frame[0] ?? 0);
    // On a line only the addressed unit answers.
    if (unit === undefined) return;
    count += 1;
    const fault = faults.of(unit.id);
    const right = rtuFrame(unit.id, unit.answer(frame.subarray(1, -2)));
    const shown = fault === undefined ? right : misbehave(right, frame, fault);
    if (shown === undefined) return;
    if (fault?.fault === "slow-answer")
      setTimeout(() => port.write(shown), fault.options.delayMs ?? lateByMs).unref();
    else send(shown, frame.length);
  };
  let quiet: NodeJS.Timeout | undefined;
  port.on("data", (chunk: Buffer) => {
    clearTimeout(quiet);
    for (const frame of requests.take(chunk)) answer(frame);
    quiet = setTimeout(() => requests.forget(), silenceMs);
  });
  stack.defer(() => clearTimeout(quiet));

  const beginFault = (fault: FieldFault, how: FaultOptions = {}): Promise<AsyncDisposable> => {
    const known = pair === undefined ? [...lineFaults, "baud-mismatch"] : lineFaults;
    if (!known.includes(fault)) throw new Error(`${name} has no fault ${fault}`);
    return fault === "baud-mismatch"
      ? otherSpeed(port, baudRate, how.baudRate ?? baudRate / 2)
      : begun(faults.begin(fault, how));
  };

  const whole = stack.move();
  return {
    name,
    kind: "modbus-rtu",
    isSimulated: true,
    address: pair?.far ?? path,
    points,
    faults: pair === undefined ? [...lineFaults, "baud-mismatch"] : lineFaults,
    set: (point, value) => Promise.resolve(memory.setAll([[point, value]])),
    setAll: (changes) => Promise.resolve(memory.setAll(changes)),
    get: (point) => Promise.resolve(memory.get(point)),
    onWrite: (listener) => memory.onWrite(listener),
    get unread() {
      return memory.unread;
    },
    get requests() {
      return count;
    },
    fault: beginFault,
    check: () => Promise.resolve([lineCheck(path, port.isOpen, memory.unitIds.length, count)]),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** The bytes sent instead of the correct answer; undefined for none. */
function misbehave(right: Buffer, request: Buffer, { fault, options }: ActiveFault): Buffer | undefined {
  const unit = right[0] ?? 0;
  switch (fault) {
    case "exception":
      return rtuFrame(
        unit,
        Buffer.from([(request[1] ?? 0) | 0x80, options.exceptionCode ?? exceptions.failure]),
      );
    case "wrong-unit":
      return rtuFrame((unit % 247) + 1, right.subarray(1, -2));
    case "crc-error":
      return Buffer.concat([right.subarray(0, -1), Buffer.from([(right.at(-1) ?? 0) ^ 0xff])]);
    case "partial-frame":
      return right.subarray(0, Math.max(2, right.length >> 1));
    case "noise":
      return Buffer.concat([Buffer.from([0x00, 0xff, 0x13]), right, Buffer.from([0x55])]);
    case "garbage":
      return right.map((byte) => byte ^ 0xa5) as Buffer;
    case "slow-answer":
      return right;
    case "silence":
    case "bad-quality":
    case "baud-mismatch":
    case "cut":
    case "restart":
    case "session-loss":
      return undefined;
  }
}

function begun(fault: Disposable): Promise<AsyncDisposable> {
  return Promise.resolve({
    [Symbol.asyncDispose]() {
      fault[Symbol.dispose]();
      return Promise.resolve();
    },
  });
}

/** A real port at another speed than the gateway's. */
async function otherSpeed(
  port: { update(options: { baudRate: number }, done: (refused: Error | null) => void): void },
  right: number,
  wrong: number,
): Promise<AsyncDisposable> {
  const change = (baudRate: number): Promise<void> =>
    new Promise((resolve, reject) =>
      port.update({ baudRate }, (refused) => (refused === null ? resolve() : reject(refused))),
    );
  await change(wrong);
  return { [Symbol.asyncDispose]: () => change(right) };
}

/** A Modbus server sends no requests: received requests show that the line works. */
function lineCheck(path: string, isOpen: boolean, units: number, requests: number): WireCheck {
  return {
    wire: `serial line ${path}`,
    ok: isOpen && requests > 0,
    detail:
      requests > 0
        ? `${requests} requests answered by ${units} units`
        : "no request of a Modbus client received. Fix: check that the gateway polls this line at this speed",
  };
}
