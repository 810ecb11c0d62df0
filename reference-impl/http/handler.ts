// The boundary between HTTP and the rules of a group: an authenticated and validated call, and an answer.
import type { OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { OperationId } from "../../interface/operations/index.ts";
import type { ExtensionId } from "../../interface/binding.ts";

/** The caller, as of the moment of the check. */
export interface Caller {
  readonly userId: number;
  readonly name: string;
  readonly permissions: ReadonlySet<string>;
  /** Default false. */
  readonly hasAdminRole?: boolean;
}

/** A file of a multipart form, stored in a temporary file that is removed after the call unless it is moved. */
export interface UploadedFile {
  readonly fieldName: string;
  readonly fileName: string;
  readonly path: string;
  readonly size: number;
}

/** One call: inputs are validated against the interface's schemas before a handler sees them. */
export interface Call {
  /** Absent only for operations that need no sign-in. */
  readonly caller: Caller | undefined;
  /** The peer's IP address. */
  readonly address: string;
  readonly path: Readonly<Record<string, string>>;
  /** Query parameters converted to the types of the operation's schema; absent ones are absent. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON body, or the scalar fields of a form converted to their types. Integers beyond 2^53 are bigint. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly UploadedFile[];
  /** Aborted when the client goes away or the gateway stops. */
  readonly signal: AbortSignal;
}

/** Where a stream is written: the response, or an edge in front of it. */
export interface StreamSink {
  writeHead(status: number, headers?: OutgoingHttpHeaders): StreamSink;
  flushHeaders(): void;
  write(chunk: string | Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  readonly writableLength: number;
  once(event: "close", listener: () => void): unknown;
  on(event: "error", listener: () => void): unknown;
}

export type Answer =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | {
      readonly kind: "file";
      readonly contentType: string;
      readonly fileName: string;
      readonly content: Buffer | Readable;
    }
  /** The handler writes the response itself, head included, and ends it when `call.signal` aborts. */
  | { readonly kind: "stream"; readonly run: (sink: StreamSink) => void };

/** A JSON answer; status 200 by default. */
export function json(body: unknown, status = 200): Answer {
  return { kind: "json", status, body };
}

/** The usual answer: the value under `data`. */
export function data(value: unknown): Answer {
  return json({ data: value });
}

/** A list answer: the items under `data`, their number in `count`. */
export function list(items: readonly unknown[]): Answer {
  return json({ count: items.length, data: items });
}

export type Handler = (call: Call) => Answer | Promise<Answer>;
export type Handlers = Partial<Record<OperationId | ExtensionId, Handler>>;
