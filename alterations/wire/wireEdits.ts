// What can be altered of calls and answers on their way between client and gateway.
import type { IncomingMessage } from "node:http";
import type { ExtensionId } from "../../interface/binding.ts";
import type { OperationId } from "../../interface/operations/index.ts";

/** A call as its binding recognised it. */
export interface WireCall {
  /** Undefined for anything but an operation, such as the OpenAPI document. */
  readonly id: OperationId | ExtensionId | undefined;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** An answer before it is sent. */
export interface WireAnswer {
  status: number;
  /** Names in the case in which they are sent. */
  headers: Map<string, string | string[]>;
  body: Buffer;
}

/** How the bytes of an answer are sent. */
export interface Sending {
  readonly delayMs?: number;
  readonly framing?: "bytewise" | "chunked" | "trailers";
  readonly hasEarlyHints?: boolean;
}

/** Changes the text of a stream; one for each stream, called with whole records. */
export type StreamFilter = (text: string) => string;
/** Where JSON is written: in a body, or in a line to which no line end may be added. */
export type JsonPlace = "body" | "line";

/** Edits of the wire, in the order in which they take effect. */
export interface WireEdits {
  /** See each request as it arrives, before its call is recognised, and may change its URL and headers. */
  readonly arrivals: ((request: IncomingMessage) => void)[];
  /** Sees a call before the gateway does, and may change its headers. A status rejects it. */
  readonly requests: ((call: WireCall) => number | undefined)[];
  /** Change the value of a JSON answer or of a record on a stream. */
  readonly values: ((value: unknown, call: WireCall, status: number) => unknown)[];
  /** Change how JSON is written. */
  readonly texts: ((text: string, place: JsonPlace) => string)[];
  /** Change a whole answer, JSON or not. */
  readonly answers: ((answer: WireAnswer, call: WireCall) => void)[];
  readonly sendings: (() => Sending)[];
  readonly streams: ((call: WireCall) => StreamFilter)[];
  /** Whether streams arrive in pieces that end anywhere. */
  areStreamsInPieces: boolean;
  /** Whether HEAD and OPTIONS are answered. */
  areHeadAndOptionsServed: boolean;
}
