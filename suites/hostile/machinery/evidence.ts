// A hostile request and its outcome, as an exchange of the case's record.
import { type Exchange, maskText } from "../../../record/index.ts";
import type { Observation } from "./channel.ts";
import { describe } from "./judge.ts";
import type { HostileRequest } from "./request.ts";
import { shellLine } from "./shellLine.ts";

const shownBytes = 16_384;

export function toExchange(
  request: HostileRequest,
  observation: Observation,
  { baseUrl, nowMs }: { baseUrl: string; nowMs: number },
): Omit<Exchange, "number"> {
  const { raw, body } = request;
  const shown = raw ?? body;
  return {
    operation: request.operation,
    session: "hostile",
    startedMs: nowMs,
    durationMs: 0,
    request: {
      method: request.method,
      url: new URL(baseUrl).origin + request.target,
      headers: Object.fromEntries(request.headers.map(([name, value]) => [name, maskText(value)])),
      ...(shown === undefined
        ? {}
        : { body: Buffer.from(shown.slice(0, shownBytes), "latin1").toString("utf8") }),
    },
    ...(observation.outcome === "answered"
      ? {
          answer: {
            status: observation.answer.status,
            headers: observation.answer.headers,
            body: observation.answer.body.toString("utf8"),
            bodyBytes: observation.answer.body.length,
          },
        }
      : { noAnswer: { code: observation.outcome.toUpperCase(), message: describe(observation) } }),
    shellLine: shellLine(request, baseUrl),
  };
}
