// `rackproof doctor --rack FILE`: tests every wire of a rack and names the broken ones.
import picocolors from "picocolors";
import type { WireCheck } from "../rigs/index.ts";
import { HeldGateway } from "../workflows/leases/heldGateway.ts";
import { LeasedElsewhere } from "../workflows/leases/lease.ts";
import { counted } from "../reports/text/visibleText.ts";
import { type RackGateway, checkWires, readRack, wiresOf } from "../harness/index.ts";

/** Prints one line for each wire; returns 0 when all work, 3 otherwise. Wires that another command holds are not tested. */
export async function rackDoctor(file: string): Promise<number> {
  let broken = 0;
  for (const gateway of await readRack(file)) {
    for (const { wire, ok, detail } of await checkHeld(gateway, file)) {
      const sign = ok ? picocolors.green("works ") : picocolors.red("broken");
      process.stdout.write(`${sign}  ${gateway.name.padEnd(12)} ${wire}: ${detail}\n`);
      if (!ok) broken += 1;
    }
  }
  process.stdout.write(broken === 0 ? "all wires work\n" : `${counted(broken, "wire")} broken\n`);
  return broken === 0 ? 0 : 3;
}

async function checkHeld(gateway: RackGateway, file: string): Promise<readonly WireCheck[]> {
  try {
    await using held = await HeldGateway.takeOrAdopt(gateway, {
      gateway: gateway.name,
      wires: wiresOf(gateway, file),
      owner: `rackproof doctor, process ${process.pid}`,
    });
    return await checkWires(gateway, held.place);
  } catch (thrown) {
    if (!(thrown instanceof LeasedElsewhere)) throw thrown;
    return [{ wire: `gateway ${gateway.name}`, ok: false, detail: `not tested: ${thrown.message}` }];
  }
}
