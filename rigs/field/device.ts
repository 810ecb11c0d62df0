// What every field device of a rack offers, simulated or real, whatever its protocol.
import type { InstantMs } from "../host/instant.ts";
import type { FieldPoint, PointValue } from "./point.ts";

type FieldDeviceKind = "modbus-tcp" | "modbus-rtu" | "opcua";

/** Ways in which a field device can misbehave on purpose. Which of them a device knows is in its `faults`. */
export const fieldFaults = [
  /** Modbus: answers every request with an exception (`exceptionCode`, default 4). */
  "exception",
  /** Takes requests and answers none. */
  "silence",
  /** Answers late, by `delayMs`. */
  "slow-answer",
  /** Modbus: answers in the name of another unit. */
  "wrong-unit",
  /** Ends connections and refuses new ones. */
  "cut",
  /** Answers bytes that are no frame of the protocol. */
  "garbage",
  /** Serial line: the checksum of answers is wrong. */
  "crc-error",
  /** Serial line: answers stop in the middle. */
  "partial-frame",
  /** Serial line: stray bytes between and before answers. */
  "noise",
  /** Serial line with a real port: answers at another speed (`baudRate`). */
  "baud-mismatch",
  /** OPC UA: values carry a bad status. */
  "bad-quality",
  /** OPC UA: sessions are closed from the server's side, once. */
  "session-loss",
  /** The device goes away and comes back with the same address. */
  "restart",
] as const;
export type FieldFault = (typeof fieldFaults)[number];

export interface FaultOptions {
  /** Milliseconds that a slow answer is late; default 300. */
  readonly delayMs?: number;
  /** Modbus exception code, 1 to 11; default 4, server device failure. */
  readonly exceptionCode?: number;
  readonly baudRate?: number;
  /** Modbus: the fault is this unit's alone, the others of the port or line answer as ever. */
  readonly unit?: number;
}

/** A value that the gateway wrote into the device. */
export interface FieldWrite {
  readonly point: FieldPoint;
  readonly value: PointValue;
  /** Monotonic milliseconds at which the request was carried out. */
  readonly atMs: number;
}

/** Whether a wire of the rack works, for `rackproof doctor --rack`. */
export interface WireCheck {
  /** What was tried, in words: `read unit 3 over 127.0.0.1:1502`. */
  readonly wire: string;
  readonly ok: boolean;
  /** What was found, and what to do when it is not all right. */
  readonly detail: string;
}

export interface FieldDevice extends AsyncDisposable {
  readonly name: string;
  readonly kind: FieldDeviceKind;
  /** False for a real device, which the rig reaches over the wire like every other client. */
  readonly isSimulated: boolean;
  /** Where the gateway finds it: `127.0.0.1:1502`, a path of a serial port, an `opc.tcp://` URL. */
  readonly address: string;
  readonly points: readonly FieldPoint[];
  /** The faults this device can show; empty for real devices that cannot. */
  readonly faults: readonly FieldFault[];
  /** Puts a value behind the point; answers when the device began to show it. Throws when the device cannot. */
  set(point: FieldPoint, value: PointValue): Promise<InstantMs>;
  /** Puts many values at once, all in one turn of the loop; only simulated devices can. */
  setAll?(changes: Iterable<readonly [FieldPoint, PointValue]>): InstantMs;
  /** The value that the device has behind the point now. */
  get(point: FieldPoint): Promise<PointValue>;
  /** Tells of every value that a client writes from now on; only simulated devices can. */
  onWrite?(listener: (write: FieldWrite) => void): Disposable;
  /** Requests that the device has taken so far, for polling rates; only simulated devices count. */
  readonly requests?: number;
  /** Begins a fault; disposing the answer ends it. One fault at a time and unit. */
  fault(fault: FieldFault, options?: FaultOptions): Promise<AsyncDisposable>;
  /** Tries the wire from the rig's side. */
  check(): Promise<WireCheck[]>;
}

/** All field devices around one gateway. */
export interface FieldRack extends AsyncDisposable {
  readonly devices: readonly FieldDevice[];
  /** Why a part of the rack is not there, in words, for the report: an RTU line without socat. */
  readonly missing: readonly string[];
}
