// A hostile request as plain data, to be sent, shrunk, shown and compared. All texts are bytes: one character each,
// from 0 to 255.
import type { OperationId } from "../../../interface/operations/index.ts";

/** The deviation of a request, which distinguishes findings. */
export type HostileKind =
  | "boundary-value"
  | "wrong-type"
  | "deep-nesting"
  | "long-text"
  | "odd-text"
  | "duplicate-key"
  | "extreme-number"
  | "broken-json"
  | "wrong-media-type"
  | "broken-multipart"
  | "odd-query"
  | "path-trick"
  | "header-game"
  | "odd-method"
  | "invalid-http";

/** Stands for the caller's token until the request is sent: no stored request contains a token. */
export const tokenPlaceholder = "{token}";

export interface HostileRequest {
  readonly operation: OperationId;
  readonly kind: HostileKind;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** In sending order; Host and Content-Length are added unless present. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Sent instead of all of the above where it is not an HTTP request. */
  readonly raw?: string;
  /**
   * False where a server cannot be sure where the request ends or whether it is HTTP: it may then close the connection
   * without an answer, or wait for more.
   */
  readonly isWellFramed: boolean;
}

/** The UTF-8 bytes of the text, one character each. Lone surrogates become the replacement character. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The request as sent on the wire. */
export function toWire(request: HostileRequest, host: string, token: string): Buffer {
  if (request.raw !== undefined) return Buffer.from(request.raw, "latin1");
  const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const lines = [`${request.method} ${request.target} HTTP/1.1`];
  if (!names.has("host")) lines.push(`Host: ${host}`);
  for (const [name, value] of request.headers)
    lines.push(`${name}: ${value.replaceAll(tokenPlaceholder, token)}`);
  const { body } = request;
  if (body !== undefined && !names.has("content-length") && !names.has("transfer-encoding"))
    lines.push(`Content-Length: ${body.length}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`, "latin1");
}
