// `rackproof rig console`: the console of one gateway, at a terminal.
import { openConsole, parseConsoleSource } from "../rigs/index.ts";
import { consoleWire } from "../harness/index.ts";
import { Lease } from "../workflows/leases/lease.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { UsageError, messageOf } from "../record/index.ts";

const printEveryMs = 50;

/** Prints the console's lines with their time and sends typed input, until interrupted. */
export async function rigConsole(text: string): Promise<number> {
  const source = readSource(text);
  using _lease = Lease.takeOrAdopt({
    gateway: `with the console ${text}`,
    wires: [consoleWire(text)],
    owner: `rackproof rig console, process ${process.pid}`,
  });
  using interrupted = onInterrupt();
  await using console = await openConsole(source);
  process.stdin.on("data", (chunk: Buffer) => console.send(chunk.toString("utf8")));
  let shown = 0;
  while (!interrupted.signal.aborted) {
    for (; shown < console.lines.length; shown++) {
      const line = console.lines[shown];
      if (line !== undefined) process.stdout.write(`${new Date(line.epochMs).toISOString()} ${line.text}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, printEveryMs));
  }
  process.stdin.destroy();
  return 0;
}

function readSource(text: string): ReturnType<typeof parseConsoleSource> {
  try {
    return parseConsoleSource(text);
  } catch (thrown) {
    throw new UsageError("RIG_CONSOLE", messageOf(thrown));
  }
}
