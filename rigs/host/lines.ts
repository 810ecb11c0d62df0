// The lines of a stream. A reader passes on the errors of its stream, and an unhandled one would end the program.
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";

/** Calls back with each line; when the stream breaks, the lines end, and `onEnd` is called as at its end. */
export function readLines(
  input: Readable,
  onLine: (line: string) => void,
  onEnd: () => void = () => undefined,
): Interface {
  return createInterface({ input })
    .on("line", onLine)
    .on("error", () => undefined)
    .once("close", onEnd);
}
