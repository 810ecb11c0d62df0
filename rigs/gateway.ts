// What every kind of gateway under test offers the harness: where it is, what it says, and how it ends.

/** A line of the gateway's console with the monotonic and the wall time at which it was read. */
export interface ConsoleLine {
  readonly monotonicMs: number;
  readonly epochMs: number;
  readonly text: string;
}

/** A gateway that has been started, or found, and answers. */
export interface RunningGateway extends AsyncDisposable {
  readonly kind: "process" | "container" | "qemu" | "remote";
  readonly name: string;
  readonly version: string;
  readonly baseUrl: string;
  /** All console lines so far, oldest first. */
  readonly console: readonly ConsoleLine[];
}
