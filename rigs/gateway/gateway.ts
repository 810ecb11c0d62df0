// The interface of every kind of gateway under test: address, console, equipment, end.
import type { FieldRack } from "../field/device.ts";
import type { LeaseCheck } from "../host/leaseCheck.ts";
import type { InstantMs } from "../host/instant.ts";
import type { Impairment, LinePace } from "./impairment.ts";

/** A line of the gateway's console with the monotonic and the wall time at which it was read. */
export interface ConsoleLine {
  readonly monotonicMs: number;
  readonly epochMs: number;
  readonly text: string;
  /** True of a line that the recorder inserted and the gateway did not print. */
  readonly isRemark?: boolean;
}

/** A time in which the wire of a console was lost: an unplugged adapter, a server that restarted. */
export interface ConsoleGap {
  readonly from: ConsoleInstant;
  /** Absent while it lasts. */
  until?: ConsoleInstant;
}

export interface ConsoleInstant {
  readonly monotonicMs: number;
  readonly epochMs: number;
}

/** Bytes received from or sent to a console, with the monotonic and the wall time. */
export interface ConsoleChunk {
  readonly direction: "received" | "sent";
  readonly monotonicMs: number;
  readonly epochMs: number;
  readonly bytes: Buffer;
}

/** An event of the gateway that the equipment observed without a request to the gateway. */
export interface Sighting {
  /** The observer: `qmp`, `process exit`, `engine`... */
  readonly observer: string;
  readonly what: "down" | "up" | "reset" | "power-off" | "power-on";
  /** Monotonic milliseconds between which it happened, the observer's own uncertainty included. */
  readonly at: InstantMs;
  /** The message of the equipment. */
  readonly detail: string;
}

/** Control of the power of a gateway. Each call answers when it took effect. */
export interface PowerControl {
  /** Cuts the power without a warning to the gateway. */
  cut(): Promise<InstantMs>;
  /** Restores the power; the gateway boots. */
  restore(): Promise<InstantMs>;
  /** Presses the reset button; absent without one. */
  reset?(): Promise<InstantMs>;
}

/** Control of the line to the gateway. */
export interface NetworkControl {
  cut(): Promise<InstantMs>;
  /** Ends a cut and an impairment. */
  restore(): Promise<InstantMs>;
  /** Impairs the line, in addition to what it has from the start; absent where it can only be cut. */
  impair?(impairment: Impairment): Promise<InstantMs>;
}

/** Control of the gateway's disk; both calls cut and restore the power. */
export interface StorageControl {
  /** Fills it almost completely. */
  fill(): Promise<InstantMs>;
  /** Frees the space again. */
  free(): Promise<InstantMs>;
}

/** Control of the gateway's clock. */
export interface ClockControl {
  /** Boots the gateway with a clock that is wrong by this many seconds; 0 corrects it. */
  jump(offsetSec: number): Promise<InstantMs>;
}

/** Control of the time that the gateway gets from its time server. */
export interface TimeControl {
  /** From now on the server is ahead of the true time by this many milliseconds; behind, where negative. */
  shift(offsetMs: number): Promise<InstantMs>;
}

/** Further control by the engine of a contained gateway. Each call answers when it took effect. */
export interface ContainerControl {
  /** Suspends all processes; connections remain open. */
  pause(): Promise<InstantMs>;
  resume(): Promise<InstantMs>;
  /** Ends the gateway by a signal, and kills it after the engine's time. */
  stop(): Promise<InstantMs>;
  /** Limits memory or processor time, or lifts the limit. */
  limit(limits: { readonly memoryMiB?: number; readonly cpus?: number }): Promise<InstantMs>;
}

/** Servers of the gateway for the plant, as reachable from the harness. */
export interface FieldServers {
  /** Host and port where Modbus clients of the plant read the gateway's tags over Modbus TCP. */
  readonly modbusSlave?: { readonly host: string; readonly port: number; readonly unitId: number };
  /** Endpoint of the gateway's own OPC UA server. */
  readonly opcua?: string;
}

/** This machine, as reachable from the gateway. */
export interface HostAddress {
  /** Host name or address under which the gateway reaches servers of this machine. */
  readonly address: string;
  /** Address on which such servers listen. */
  readonly listen: string;
}

/** Resources that the gateway uses now, as far as its rig can read them from outside. */
export interface ResourceUse {
  readonly memoryBytes?: number;
  readonly diskBytes?: number;
}

/** A gateway that was started or found, and answers. */
export interface RunningGateway extends AsyncDisposable {
  readonly kind: "process" | "container" | "qemu" | "remote";
  readonly name: string;
  readonly version: string;
  readonly baseUrl: string;
  /** Id of the fault injected into a reference gateway. */
  readonly fault?: string;
  /** All console lines so far, oldest first. */
  readonly console: readonly ConsoleLine[];
  /** All bytes of the console in both directions, where they are recorded. */
  readonly consoleChunks?: readonly ConsoleChunk[];
  /** Times in which lines of the console were lost; absent where the console cannot be lost. */
  readonly consoleGaps?: readonly ConsoleGap[];
  /** Lines of the console that report trouble: a panic, an oops; absent where they are not searched. */
  readonly alarms?: readonly ConsoleLine[];
  /** Sightings of the equipment so far, oldest first; absent without such equipment. */
  readonly sightings?: readonly Sighting[];
  readonly power?: PowerControl;
  readonly network?: NetworkControl;
  /** What the line adds to times, where it is impaired from the start. */
  readonly linePace?: LinePace;
  readonly storage?: StorageControl;
  readonly clock?: ClockControl;
  readonly time?: TimeControl;
  /** Control by the engine, for contained gateways. */
  readonly container?: ContainerControl;
  /** The field devices wired to it. */
  readonly field?: FieldRack;
  readonly servers?: FieldServers;
  /** How the gateway reaches servers of this machine; default over loopback. */
  readonly host?: HostAddress;
  /** A port that the gateway may move a listener to, reachable from here under the same number; default any free one. */
  readonly openPort?: () => Promise<number>;
  /** Reads its use of resources; absent where the rig cannot. */
  readonly resources?: () => Promise<ResourceUse>;
  /** Why the gateway's process, container or emulator ended without a request to end it; undefined while it runs. */
  readonly ended?: () => string | undefined;
  /** Why the gateway or a part of its rig could not be started; only the health check of a run continues then. */
  readonly notStarted?: string;
  /** The lease of this run; absent where no other run can use the gateway. */
  readonly lease?: LeaseCheck;
}
