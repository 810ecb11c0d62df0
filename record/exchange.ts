// One request and its answer, byte for byte; secrets are masked when it is written.
import { type CallId, type ExtensionId, isExtensionId } from "../interface/binding.ts";
import type { OperationId } from "../interface/operations/index.ts";

/**
 * How a record names a call, so that an extension is never taken for an operation of Core 2.3.0. `raw` is a request to a
 * path of the binding that calls no operation, such as OPTIONS.
 */
export type CallName = OperationId | `extension:${ExtensionId}` | "raw";

export function callName(id: CallId): CallName {
  return isExtensionId(id) ? `extension:${id}` : id;
}

interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when there was no body; a form is shown by its parts. */
  readonly body?: string;
}

interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of bytes of the body on the wire; `body` may be shortened. */
  readonly bodyBytes: number;
}

/** Why no answer came: the system's or the client's code (`ECONNRESET`, `UND_ERR_HEADERS_TIMEOUT`...). */
export interface NoAnswer {
  readonly code: string;
  readonly message: string;
}

export interface Exchange {
  /** Position within the case, from 1. */
  readonly number: number;
  readonly operation: CallName;
  /** The caller: `admin`, `anonymous`, or the scratch user's name. */
  readonly session: string;
  /** Milliseconds on the campaign's monotonic clock when the request was handed to the socket. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly request: SentRequest;
  readonly answer?: ReceivedAnswer | undefined;
  readonly noAnswer?: NoAnswer | undefined;
  /** A line for the shell that sends it again, where the usual form would send a different request. */
  readonly shellLine?: string;
}
