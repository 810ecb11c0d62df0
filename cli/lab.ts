// `rackproof rig console` and `rackproof rig power`: the wires to one gateway, tried by hand.
import { makeSwitch, openConsole, parseConsoleSource } from "../rigs/index.ts";
import { UsageError, consoleWire, findInRack, messageOf, wiresOf } from "../harness/index.ts";
import { Lease } from "../workflows/leases/lease.ts";
import { onInterrupt } from "./interrupt.ts";

const printEveryMs = 50;

/** Prints the console's lines with their time, and sends what is typed, until it is interrupted. */
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

export const powerActions = ["on", "off", "read"] as const;

/** Switches or asks the power switch of a gateway of the rack, without asking the gateway. */
export async function rigPower(
  action: (typeof powerActions)[number],
  gateway: string,
  options: { readonly rack: string },
): Promise<number> {
  const entry = await findInRack(options.rack, gateway);
  const power = entry.kind === "remote" ? entry.power : undefined;
  if (power === undefined)
    throw new UsageError(
      "RACK_POWER",
      `rack ${options.rack}: ${gateway} has no power switch; add power: to it`,
    );
  const one = makeSwitch(power);
  // Asking a switch disturbs nobody; switching it does.
  using _lease =
    action === "read"
      ? undefined
      : Lease.takeOrAdopt({
          gateway,
          wires: wiresOf(entry, options.rack),
          owner: `rackproof rig power, process ${process.pid}`,
        });
  try {
    if (action !== "read") await one.set(action === "on");
    const state =
      one.read === undefined ? "cannot be asked" : `says that it is ${(await one.read()) ? "on" : "off"}`;
    process.stdout.write(`${one.name} ${state}\n`);
    return 0;
  } catch (thrown) {
    process.stderr.write(`rackproof: ${one.name} cannot be reached: ${messageOf(thrown)}\n`);
    return 3;
  }
}

function readSource(text: string): ReturnType<typeof parseConsoleSource> {
  try {
    return parseConsoleSource(text);
  } catch (thrown) {
    throw new UsageError("RIG_CONSOLE", messageOf(thrown));
  }
}
