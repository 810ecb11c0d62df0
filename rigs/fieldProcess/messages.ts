// What the process of the simulated devices is asked, and what it answers. Instants are those of the machine's monotonic
// clock, which all processes share.
import type { FaultOptions, FieldFault, WireCheck } from "../field/device.ts";
import type { PointValue } from "../field/point.ts";
import type { InstantMs } from "../host/instant.ts";
import type { SimulatedDevice } from "./simulated.ts";
import type { Vitals } from "./vitals.ts";

/** What is asked of one device; points are named by their place in its list. */
export type Act =
  | { readonly act: "set"; readonly changes: readonly (readonly [number, PointValue])[] }
  | { readonly act: "get"; readonly point: number }
  | { readonly act: "fault"; readonly fault: FieldFault; readonly options: FaultOptions | undefined }
  | { readonly act: "end-fault"; readonly fault: number }
  | { readonly act: "check" };

export type Request =
  | { readonly kind: "start"; readonly devices: readonly SimulatedDevice[] }
  | { readonly kind: "act"; readonly id: number; readonly device: number; readonly what: Act };

/** The result of an act. */
export type Outcome =
  | { readonly act: "set"; readonly at: InstantMs }
  | { readonly act: "get"; readonly value: PointValue }
  | { readonly act: "fault"; readonly fault: number }
  | { readonly act: "end-fault" }
  | { readonly act: "check"; readonly checks: readonly WireCheck[] };

/** What is known of a device once it runs. */
export interface StartedDevice {
  readonly address: string;
  readonly faults: readonly FieldFault[];
  readonly countsRequests: boolean;
  readonly countsUnread: boolean;
}

export type Message =
  | { readonly kind: "started"; readonly devices: readonly StartedDevice[] }
  | { readonly kind: "not-started"; readonly error: string }
  | { readonly kind: "done"; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: "failed"; readonly id: number; readonly error: string }
  | { readonly kind: "vitals"; readonly vitals: Vitals };
