// What a variation may change of a gateway, at the edge and inside.
import type { ExtensionId } from "../../interface/binding.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Delivery } from "./delivery.ts";

/** A call as it was recognised by its binding. */
export interface VariedCall {
  /** Undefined for what is no operation, such as the OpenAPI document. */
  readonly id: OperationId | ExtensionId | undefined;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** An answer before it is sent. */
export interface VariedAnswer {
  status: number;
  /** Names in the case in which they are sent. */
  headers: Map<string, string | string[]>;
  body: Buffer;
}

/** How the bytes of an answer are sent. */
export interface Manner {
  delayMs?: number;
  framing?: "bytewise" | "chunked" | "trailers";
  hasEarlyHints?: boolean;
}

/** Text of a stream on its way; one for each stream, called with whole records. */
export type StreamFilter = (text: string) => string;

export interface Behaviour {
  /** Looks at a call before the gateway does, and may change its headers. A status refuses it. */
  request?(call: VariedCall): number | undefined;
  /** The value of a JSON answer or of a record on a stream. */
  value?(value: unknown, call: VariedCall, status: number): unknown;
  /** How JSON is written; `place` is `line` where no line end may be added. */
  json?(text: string, place: "body" | "line"): string;
  /** The whole answer, JSON or not. */
  answer?(answer: VariedAnswer, call: VariedCall): void;
  readonly manner?: () => Manner;
  readonly stream?: (call: VariedCall) => StreamFilter;
  /** Streams arrive in pieces that end anywhere. */
  readonly isStreamInPieces?: true;
  readonly delivery?: Delivery;
}
