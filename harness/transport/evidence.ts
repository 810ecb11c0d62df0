import type { Transcript } from "../../record/index.ts";

/** What shows the observation of a check: an answer, or an open stream. */
export interface Evidence {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Whether the request was one too many for the gateway; default: with status 429 or 503. */
  readonly limitsRate?: boolean;
  readonly exchange: { readonly number: number };
  /** Of a stream: the lines around the time of the check. */
  readonly transcript?: () => Transcript;
}

/** What a stream shows of itself: its evidence now, or around an earlier moment. */
export interface StreamEvidence extends Evidence {
  /** `atMs`: on the monotonic clock; default: now. */
  readonly transcript: (atMs?: number) => Transcript;
}

/** The stream as evidence of what happened at a moment, such as the arrival of a wrong value. */
export function around(stream: StreamEvidence, atMs: number | undefined): Evidence {
  const { status, exchange } = stream;
  return { status, exchange, transcript: () => stream.transcript(atMs) };
}
