// The terminal of the person at the bench, where there is one.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface Terminal {
  /** False in a night, in CI and behind a pipe. */
  readonly isPresent: boolean;
  /** Shows the text and waits for a line; undefined when none came within the time. */
  ask(text: string, withinMs: number): Promise<string | undefined>;
}

/** Questions of one process wait for each other. */
export function terminalOn(
  input: Readable & { readonly isTTY?: boolean },
  output: Writable,
  isPresent = input.isTTY === true,
): Terminal {
  let last: Promise<unknown> = Promise.resolve();
  return {
    isPresent,
    ask(text, withinMs) {
      const answer = last.then(() => oneLine(input, output, text, withinMs));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

/** The terminal of this process. */
export const ownTerminal: Terminal = terminalOn(process.stdin, process.stderr);

async function oneLine(
  input: Readable,
  output: Writable,
  text: string,
  withinMs: number,
): Promise<string | undefined> {
  output.write(`${text}\n`);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // Not as a terminal: Ctrl-C must still interrupt the run.
  const lines = createInterface({ input, terminal: false })
    .once("line", resolve)
    .once("close", () => resolve(undefined))
    .on("error", () => resolve(undefined));
  const timer = setTimeout(() => resolve(undefined), withinMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    lines.close();
    input.pause();
  }
}
