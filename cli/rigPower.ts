// `rackproof rig power`: the power switch of one gateway of a rack.
import { checkSecrets, findInRack, wiresOf } from "../harness/index.ts";
import { makeSwitch, switchConfirmed } from "../rigs/index.ts";
import { HeldGateway } from "../workflows/leases/heldGateway.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { UsageError, messageOf } from "../record/index.ts";
import type { powerActions } from "./support/choices.ts";

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
  checkSecrets({ name: gateway, power }, process.env);
  // Reading a switch disturbs nobody; switching it does.
  // Only the holder of a place of labgrid can read its switch.
  const isHeld = action !== "read" || (power.driver === "labgrid" && power.place === undefined);
  await using held = !isHeld
    ? undefined
    : await HeldGateway.takeOrAdopt(entry, {
        gateway,
        wires: wiresOf(entry, options.rack),
        owner: `rackproof rig power, process ${process.pid}`,
      });
  const one = makeSwitch(power, { place: held?.place?.wish });
  try {
    const isOn = action === "read" ? await one.read?.() : await switchConfirmed(one, action === "on");
    process.stdout.write(`${one.name} ${inWords(action, isOn)}\n`);
    if (action !== "read" && one.release !== undefined) await heldUntilInterrupted(one);
    return 0;
  } catch (thrown) {
    process.stderr.write(`rackproof: ${messageOf(thrown)}\n`);
    return 3;
  }
}

function inWords(action: (typeof powerActions)[number], isOn: boolean | undefined): string {
  if (isOn !== undefined) return `is ${isOn ? "on" : "off"}`;
  return action === "read" ? "cannot be read" : `was switched ${action}; its state cannot be read`;
}

/** The switch returns to rest when this command ends. */
async function heldUntilInterrupted(held: ReturnType<typeof makeSwitch>): Promise<void> {
  using interrupted = onInterrupt();
  process.stdout.write("The state lasts while this command runs. Press Ctrl-C to stop.\n");
  await new Promise<void>((resolve) =>
    interrupted.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  await held.release?.();
}
