// `rackproof doctor --rack FILE`: tries every wire of a rack and names the broken ones.
import picocolors from "picocolors";
import { readRack } from "../rack/rackFile.ts";
import { checkWires } from "../rack/wireChecks.ts";

/** Prints one line a wire; answers 0 when all work, 3 otherwise. */
export async function rackDoctor(file: string): Promise<number> {
  let broken = 0;
  for (const gateway of await readRack(file)) {
    for (const { wire, ok, detail } of await checkWires(gateway)) {
      const sign = ok ? picocolors.green("works ") : picocolors.red("broken");
      process.stdout.write(`${sign}  ${gateway.name.padEnd(12)} ${wire}: ${detail}\n`);
      if (!ok) broken += 1;
    }
  }
  process.stdout.write(broken === 0 ? "every wire works\n" : `${broken} broken\n`);
  return broken === 0 ? 0 : 3;
}
