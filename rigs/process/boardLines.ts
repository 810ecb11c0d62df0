// Parses the console lines of the reference gateway's board.
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { Sighting } from "../gateway/gateway.ts";
import { machineOffsetMs } from "../host/instant.ts";

/** The line that the gateway prints when it is up. */
export interface ReadyLine {
  readonly httpPort: number;
  /** What stands before every path. */
  readonly basePath?: string;
  readonly version: string;
}

const Ready = Type.Object({
  ready: Type.Literal(true),
  httpPort: Type.Integer(),
  basePath: Type.Optional(Type.String()),
  version: Type.String(),
});
const readyProblems = checker(Ready);

// The board learns of the end of a process after a short delay; five times the longest one observed.
const exitIsSeenWithinMs = 20;

/** The end of the gateway's process by the board, on the monotonic clock of this process. */
export function exitSeen(text: string): Sighting | undefined {
  const [, stamp] = /^board: .* at (\d+\.\d+) ms/.exec(text) ?? [];
  if (stamp === undefined) return undefined;
  const high = Number(stamp) - machineOffsetMs;
  return {
    observer: "process exit",
    what: "down",
    at: { low: high - exitIsSeenWithinMs, high },
    detail: text,
  };
}

export function parseReady(text: string): ReadyLine | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return readyProblems(value).length === 0 ? (value as ReadyLine) : undefined;
  } catch {
    return undefined;
  }
}
