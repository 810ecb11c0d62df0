import type { MonitoredValue } from "../../interface/resources/tags.ts";
import type { StreamEvidence } from "../transport/evidence.ts";

/** One value as it arrived on a tag stream. */
export interface StreamedValue {
  readonly value: MonitoredValue;
  /** Monotonic milliseconds at which its bytes were read. */
  readonly receivedMs: number;
}

/** An open tag stream. Every line that starts with `data:` is one JSON value, or an array of them. */
export interface TagStream extends AsyncDisposable, StreamEvidence {
  readonly contentType: string;
  readonly received: readonly StreamedValue[];
  /** Lines starting with `data:` that were not a tag value, as received. */
  readonly malformed: readonly string[];
  next(what: string, fits: (value: StreamedValue) => boolean, deadlineMs?: number): Promise<StreamedValue>;
  readonly ended: boolean;
}
