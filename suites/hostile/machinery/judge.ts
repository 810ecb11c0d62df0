// Whether a gateway may answer a hostile request so. It may refuse it (4xx) or serve it; a mistake of its own (5xx),
// silence and the end of the connection are findings where HTTP gives it no reason for them.
import type { Observation } from "./channel.ts";
import type { HostileRequest } from "./request.ts";

/** RFC 9110: an unknown method may be answered 501, a version that is not spoken 505. */
const allowedServerErrors: ReadonlyMap<HostileRequest["kind"], readonly number[]> = new Map([
  ["odd-method", [501]],
  ["header-game", [501]],
  ["invalid-http", [501, 505]],
]);

/** What is wrong in a few stable words, by which findings are told apart; undefined when nothing is. */
export function faultOf(request: HostileRequest, observation: Observation): string | undefined {
  switch (observation.outcome) {
    case "answered": {
      const { status } = observation.answer;
      if (status < 500 || allowedServerErrors.get(request.kind)?.includes(status) === true) return undefined;
      return `status ${status}`;
    }
    case "unreachable":
      return "no connection";
    case "closed":
      return request.isWellFramed ? "connection closed without an answer" : undefined;
    case "silent":
      return request.isWellFramed ? "no answer" : undefined;
    case "not-http":
      return request.isWellFramed ? "an answer that is not HTTP" : undefined;
  }
}

/** What was observed, for people. */
export function describe(observation: Observation): string {
  switch (observation.outcome) {
    case "answered": {
      const { status, body } = observation.answer;
      const text = body.subarray(0, 200).toString("utf8").replaceAll(/\s+/g, " ");
      return text === "" ? `status ${status}` : `status ${status} ${text}`;
    }
    case "unreachable":
      return `no connection (${observation.how})`;
    case "closed":
      return `the connection ended without an answer (${observation.how})`;
    case "silent":
      return `no answer within ${observation.waitedMs} ms`;
    case "not-http":
      return `bytes that are no HTTP answer: ${JSON.stringify(observation.bytes)}`;
  }
}
