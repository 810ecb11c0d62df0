import type { SessionSurroundings } from "./sessionSurroundings.ts";
import type { WireRequest } from "./transport.ts";

/** Records the opening of a stream: the request and the head of the answer, without the values that follow. Answers the number. */
export function recordStreamHead(
  surroundings: SessionSurroundings,
  request: WireRequest,
  startedMs: number,
  status: number,
  contentType: string,
): number {
  const number = surroundings.record.next();
  surroundings.record.keep({
    number,
    operation: request.operation,
    session: request.session,
    startedMs,
    durationMs: surroundings.transport.clock.nowMs() - startedMs,
    request: { method: request.method, url: request.origin + request.path, headers: request.headers },
    answer: { status, headers: { "content-type": contentType }, body: "(stream)", bodyBytes: 0 },
  });
  return number;
}
