import type { EventRecord } from "../../interface/resources/events.ts";
import type { StreamEvidence } from "../transport/evidence.ts";

/** One record as it arrived on the event stream. */
export interface StreamedEvent {
  /** The `id:` field; empty when there was none. */
  readonly id: string;
  readonly record: EventRecord;
  /** Monotonic milliseconds at which it was read. */
  readonly receivedMs: number;
}

/** An open event stream; reading ends with the waits of the case. */
export interface EventStream extends AsyncDisposable, StreamEvidence {
  readonly contentType: string;
  /** All records so far, in order. */
  readonly received: readonly StreamedEvent[];
  /** Resolves with the first record that fits, also one that arrived already; Unmet after the deadline. */
  next(what: string, fits: (event: StreamedEvent) => boolean, deadlineMs?: number): Promise<StreamedEvent>;
  /** Whether the gateway ended the stream. */
  readonly ended: boolean;
}
