// What the console lines of the reference gateway's board say, wherever that board runs on this machine.
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { Sighting } from "../gateway/gateway.ts";

/** What the gateway says when it is up. */
export interface ReadyLine {
  readonly httpPort: number;
  readonly version: string;
}

const Ready = Type.Object({
  ready: Type.Literal(true),
  httpPort: Type.Integer(),
  version: Type.String(),
});
const readyProblems = checker(Ready);

// The board is told of a process's end a little later than it happens; five times what was seen at the most.
const exitIsSeenWithinMs = 20;

/** The end of the gateway's process as the board saw it, on the monotonic clock of this process. */
export function exitSeen(text: string): Sighting | undefined {
  const [, stamp] = /^board: .* at (\d+\.\d+) ms/.exec(text) ?? [];
  if (stamp === undefined) return undefined;
  const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  const high = Number(stamp) - offsetMs;
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
