// What every kind of gateway under test offers the harness: where it is, what it says, and how it ends.
import type { FieldRack } from "../field/device.ts";
import type { LeaseCheck } from "../host/leaseCheck.ts";
import type { InstantMs } from "../host/instant.ts";

/** A line of the gateway's console with the monotonic and the wall time at which it was read. */
export interface ConsoleLine {
  readonly monotonicMs: number;
  readonly epochMs: number;
  readonly text: string;
}

/** Bytes of a console as they came or went, with the monotonic and the wall time. */
export interface ConsoleChunk {
  readonly direction: "received" | "sent";
  readonly monotonicMs: number;
  readonly epochMs: number;
  readonly bytes: Buffer;
}

/** Something that the equipment saw the gateway do, by itself and without asking the gateway. */
export interface Sighting {
  /** Who saw it: `qmp`, `process exit`, `engine`... */
  readonly observer: string;
  readonly what: "down" | "up" | "reset" | "power-off" | "power-on";
  /** Monotonic milliseconds between which it happened, the observer's own uncertainty included. */
  readonly at: InstantMs;
  /** The equipment's own words. */
  readonly detail: string;
}

/** Power of a gateway in the hands of the rig. Each answers when it took effect. */
export interface PowerControl {
  /** Takes the power away, without any warning to the gateway. */
  cut(): Promise<InstantMs>;
  /** Gives the power back; the gateway boots by itself. */
  restore(): Promise<InstantMs>;
  /** Presses the reset button; absent where there is none. */
  reset?(): Promise<InstantMs>;
}

/** The gateway's network in the hands of the rig. */
export interface NetworkControl {
  cut(): Promise<InstantMs>;
  restore(): Promise<InstantMs>;
}

/** The gateway's disk in the hands of the rig; both take the power away and give it back. */
export interface StorageControl {
  /** Leaves next to no room on it. */
  fill(): Promise<InstantMs>;
  /** Gives the room back. */
  free(): Promise<InstantMs>;
}

/** The gateway's clock in the hands of the rig. */
export interface ClockControl {
  /** Boots the gateway with a clock that is wrong by so many seconds; 0 puts it right. */
  jump(offsetSec: number): Promise<InstantMs>;
}

/** What the engine of a contained gateway can do to it besides. Each answers when it took effect. */
export interface ContainerControl {
  /** All processes stand still; connections stay. */
  pause(): Promise<InstantMs>;
  resume(): Promise<InstantMs>;
  /** Asks the gateway to end, and kills it when it does not within the engine's time. */
  stop(): Promise<InstantMs>;
  /** Takes memory or processor time away, or gives it back. */
  limit(limits: { readonly memoryMiB?: number; readonly cpus?: number }): Promise<InstantMs>;
}

/** What a gateway serves to the plant, as the harness reaches it. */
export interface FieldServers {
  /** Host and port where masters of the plant read the gateway's tags over Modbus TCP. */
  readonly modbusSlave?: { readonly host: string; readonly port: number; readonly unitId: number };
  /** Endpoint of the gateway's own OPC UA server. */
  readonly opcua?: string;
}

/** This machine as the gateway sees it. */
export interface HostAddress {
  /** Host name or address under which the gateway reaches servers of this machine. */
  readonly address: string;
  /** Address on which such servers listen. */
  readonly listen: string;
}

/** A gateway that has been started, or found, and answers. */
export interface RunningGateway extends AsyncDisposable {
  readonly kind: "process" | "container" | "qemu" | "remote";
  readonly name: string;
  readonly version: string;
  readonly baseUrl: string;
  /** Id of the misbehaviour that a reference gateway was told to have. */
  readonly fault?: string;
  /** All console lines so far, oldest first. */
  readonly console: readonly ConsoleLine[];
  /** The console's bytes as they came and went, where somebody keeps them. */
  readonly consoleChunks?: readonly ConsoleChunk[];
  /** Lines of the console that say the gateway is in trouble: a panic, an oops; absent where nobody looks for them. */
  readonly alarms?: readonly ConsoleLine[];
  /** What the equipment saw so far, oldest first; absent where nothing watches. */
  readonly sightings?: readonly Sighting[];
  readonly power?: PowerControl;
  readonly network?: NetworkControl;
  readonly storage?: StorageControl;
  readonly clock?: ClockControl;
  /** The engine's hold on it, for contained gateways. */
  readonly container?: ContainerControl;
  /** The field devices wired to it. */
  readonly field?: FieldRack;
  readonly servers?: FieldServers;
  /** How the gateway reaches servers of this machine; default over loopback. */
  readonly host?: HostAddress;
  /** A port that the gateway may move a listener to, reached from here under the same number; default any free one. */
  readonly openPort?: () => Promise<number>;
  /** Why the gateway's process, container or emulator ended although nothing here ended it; undefined while it runs. */
  readonly ended?: () => string | undefined;
  /** Whether this run still holds it; absent where nobody else could. */
  readonly lease?: LeaseCheck;
}
