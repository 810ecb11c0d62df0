// One request and what came back, as it was on the wire; secrets are masked when it is written.

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
  /** The operation's id, or `extension:<id>`, or `raw`. */
  readonly operation: string;
  /** Who asked: `admin`, `anonymous`, or the scratch user's name. */
  readonly session: string;
  /** Milliseconds on the campaign's monotonic clock when the request was handed to the socket. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly request: SentRequest;
  readonly answer?: ReceivedAnswer | undefined;
  readonly noAnswer?: NoAnswer | undefined;
  /** A line for the shell that sends it again, where the usual form of one would send something else. */
  readonly shellLine?: string;
}
