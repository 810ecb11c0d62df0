// `rackproof rig power`: the power switch of one gateway of a rack.
import { findInRack, wiresOf } from "../harness/index.ts";
import { makeSwitch } from "../rigs/index.ts";
import { Lease } from "../workflows/leases/lease.ts";
import { UsageError, messageOf } from "../record/index.ts";

export const powerActions = ["on", "off", "read"] as const;

/** Switches or reads the power switch of a gateway of the rack; never contacts the gateway. */
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
      `rack ${options.rack}: expected a power switch for ${gateway}, found none`,
    );
  const one = makeSwitch(power);
  // Reading a switch disturbs nobody; switching it does.
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
    const state = one.read === undefined ? "cannot be read" : `is ${(await one.read()) ? "on" : "off"}`;
    process.stdout.write(`${one.name} ${state}\n`);
    return 0;
  } catch (thrown) {
    process.stderr.write(`rackproof: ${one.name} cannot be reached: ${messageOf(thrown)}\n`);
    return 3;
  }
}
