// The interface of every field device of a rack, simulated or real, for any protocol.
import type { ServiceId } from "../../interface/resources/services.ts";
import type { InstantMs } from "../host/instant.ts";
import type { FieldPoint, PointValue } from "./point.ts";

type FieldDeviceKind = "modbus-tcp" | "modbus-rtu" | "opcua";

/** Faults that a field device can show. `faults` lists those of a device. */
export const fieldFaults = [
  /** Modbus: answers every request with an exception (`exceptionCode`, default 4). */
  "exception",
  /** Accepts requests and answers none. */
  "silence",
  /** Answers late by `delayMs`. */
  "slow-answer",
  /** Modbus: answers with the identifier of another unit. */
  "wrong-unit",
  /** Ends connections and refuses new ones. */
  "cut",
  /** Answers with bytes that are no frame of the protocol. */
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
  /** OPC UA: sessions are closed by the server, once. */
  "session-loss",
  /** The device stops and restarts at the same address. */
  "restart",
] as const;
export type FieldFault = (typeof fieldFaults)[number];

export interface FaultOptions {
  /** Milliseconds that a slow answer is late; default 300. */
  readonly delayMs?: number;
  /** Modbus exception code, 1 to 11; default 4, server device failure. */
  readonly exceptionCode?: number;
  readonly baudRate?: number;
  /** Modbus: the fault applies to this unit only; the other units of the port or line answer normally. */
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
  /** The check, in words: `read unit 3 over 127.0.0.1:1502`. */
  readonly wire: string;
  readonly ok: boolean;
  /** The finding, and the remedy for a failed check. */
  readonly detail: string;
}

/** One of the two: the id of a service, or the name of an app. */
interface PolledBy {
  readonly service?: ServiceId;
  readonly app?: string;
}

export interface FieldDevice extends AsyncDisposable {
  readonly name: string;
  readonly kind: FieldDeviceKind;
  /** False for a real device, which the rig accesses over the wire as a client. */
  readonly isSimulated: boolean;
  /** Its address for the gateway: `127.0.0.1:1502`, a path of a serial port, an `opc.tcp://` URL. */
  readonly address: string;
  readonly points: readonly FieldPoint[];
  /** The app or service of the gateway that polls it, where the rack file names one. */
  readonly polledBy?: PolledBy;
  /** The faults this device can show; empty for real devices that cannot. */
  readonly faults: readonly FieldFault[];
  /** Sets the value of the point; answers when the device began to show it. Throws when the device cannot. */
  set(point: FieldPoint, value: PointValue): Promise<InstantMs>;
  /** Sets many values in one turn of the device's loop; only simulated devices can. */
  setAll?(changes: Iterable<readonly [FieldPoint, PointValue]>): Promise<InstantMs>;
  /** The present value of the point in the device. */
  get(point: FieldPoint): Promise<PointValue>;
  /** Reports every value that a client writes from now on; only simulated devices can. */
  onWrite?(listener: (write: FieldWrite) => void): Disposable;
  /** Requests that the device has received so far, for polling rates; only simulated devices count. */
  readonly requests?: number | undefined;
  /** Registers and coils of the last change that no request has asked for yet; only simulated Modbus devices count. */
  readonly unread?: number | undefined;
  /** Begins a fault; disposing the answer ends it. One fault at a time and unit. */
  fault(fault: FieldFault, options?: FaultOptions): Promise<AsyncDisposable>;
  /** Checks the wire from the rig. */
  check(): Promise<WireCheck[]>;
}

/** All field devices around one gateway. */
export interface FieldRack extends AsyncDisposable {
  readonly devices: readonly FieldDevice[];
  /** Missing parts of the rack with the reason, for the report: an RTU line without socat. */
  readonly missing: readonly string[];
  /** Longest time in milliseconds that simulated devices stood still since the instant (`performance.now()`). */
  stoodStillMs(sinceMs: number): number;
}
