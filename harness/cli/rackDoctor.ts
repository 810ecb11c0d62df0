// `rackproof doctor --rack FILE`: tries every wire of a rack and names the broken ones.
import picocolors from "picocolors";
import { openConsole } from "../../rigs/console/console.ts";
import { parseConsoleSource } from "../../rigs/console/source.ts";
import type { WireCheck } from "../../rigs/field/device.ts";
import { makeSwitch } from "../../rigs/power/switch.ts";
import { lifeOf } from "../../rigs/remote/lifeSigns.ts";
import { messageOf } from "../errors.ts";
import { loadProfile } from "../profile/load.ts";
import { startFieldDevice } from "../rack/fieldRack.ts";
import { type RackGateway, readRack } from "../rack/rackFile.ts";

const answerWithinMs = 3000;
/** A gateway that polls a line must have asked something by then. */
const firstPollWithinMs = 5000;

/** Prints one line a wire; answers 0 when all work, 3 otherwise. */
export async function rackDoctor(file: string): Promise<number> {
  let broken = 0;
  for (const gateway of await readRack(file)) {
    for (const { wire, ok, detail } of await checkGateway(gateway)) {
      const sign = ok ? picocolors.green("works ") : picocolors.red("broken");
      process.stdout.write(`${sign}  ${gateway.name.padEnd(12)} ${wire}: ${detail}\n`);
      if (!ok) broken += 1;
    }
  }
  process.stdout.write(broken === 0 ? "every wire works\n" : `${broken} broken\n`);
  return broken === 0 ? 0 : 3;
}

async function checkGateway(gateway: RackGateway): Promise<WireCheck[]> {
  const checks = [
    await attempt(`gateway ${gateway.url}`, "is it on, and the address right?", async () => {
      if (!(await lifeOf(gateway.url).isAlive(answerWithinMs))) throw new Error("nothing takes a connection");
      return "takes connections";
    }),
    await attempt(`profile ${gateway.profileFile}`, "the line above says what to mend", async () => {
      const { name } = await loadProfile(gateway.profileFile, { environment: process.env });
      return `is of ${name}`;
    }),
  ];
  const { console: source, power, reset } = gateway;
  if (source !== undefined) {
    checks.push(
      await attempt(`console ${source}`, "is the adapter plugged in, and nobody else reading?", async () => {
        await using _console = await openConsole(parseConsoleSource(source));
        return "opens";
      }),
    );
  }
  for (const [what, settings] of [
    ["power", power],
    ["reset", reset],
  ] as const) {
    if (settings === undefined) continue;
    const one = makeSwitch(settings);
    checks.push(
      await attempt(`${what} ${one.name}`, "can the switch be reached from here?", async () =>
        one.read === undefined
          ? "cannot be asked; not switched for a check"
          : `is ${(await one.read()) ? "on" : "off"}`,
      ),
    );
  }
  for (const entry of gateway.field ?? []) {
    try {
      await using device = await startFieldDevice(entry);
      if (entry.kind === "modbus-rtu") await untilPolled(device);
      checks.push(...(await device.check()));
    } catch (thrown) {
      checks.push({ wire: entry.name, ok: false, detail: messageOf(thrown) });
    }
  }
  return checks;
}

async function untilPolled(device: { readonly requests?: number }): Promise<void> {
  const startedMs = performance.now();
  while ((device.requests ?? 1) === 0 && performance.now() - startedMs < firstPollWithinMs)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function attempt(wire: string, advice: string, action: () => Promise<string>): Promise<WireCheck> {
  try {
    return { wire, ok: true, detail: await action() };
  } catch (thrown) {
    return { wire, ok: false, detail: `${messageOf(thrown)}; ${advice}` };
  }
}
