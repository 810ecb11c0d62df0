// Whether an answer to a hostile request is allowed: rejected (4xx) or served. 5xx, a missing answer and a closed
// connection are findings where HTTP does not permit them.
import type { Observation } from "./channel.ts";
import type { HostileRequest } from "./request.ts";

/** RFC 9110: an unknown method may be answered with 501, an unsupported version with 505. */
const allowedServerErrors: ReadonlyMap<HostileRequest["kind"], readonly number[]> = new Map([
  ["odd-method", [501]],
  ["header-game", [501]],
  ["invalid-http", [501, 505]],
]);

/** The deviation in a few stable words that distinguish findings; undefined without one. */
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
    case "state-changed":
      return "state changed";
  }
}

/** The observation in words. */
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
      return `connection closed without an answer (${observation.how})`;
    case "silent":
      return `no answer within ${observation.waitedMs} ms`;
    case "not-http":
      return `bytes that are not an HTTP answer: ${JSON.stringify(observation.bytes)}`;
    case "state-changed":
      return observation.how;
  }
}
