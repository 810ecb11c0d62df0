// The first step of every boot: the system of one of the two slots is chosen and started, and a new one has to become
// healthy before it is confirmed.
import { join } from "node:path";
import type { Clock } from "./base/clock.ts";
import { createBoard } from "./board/board.ts";
import type { Edges } from "./edges.ts";
import type { Board } from "./foundation/gateway.ts";
import type { Systems } from "./groups/upgrade/systemInstall.ts";
import type { GatewayOptions } from "./options.ts";
import { checkHealth, type Listeners } from "./slots/health.ts";
import { packageChecks } from "./slots/systemPackage.ts";
import { openSlots, startSystem } from "./slots/systemSlots.ts";

/** A new system that is not healthy within this time is given another try, or given up. */
const trialMs = 30_000;

export interface BootedSystem {
  readonly board: Board;
  readonly systems: Systems;
  /** Version of the system in the slot; undefined for the one that this program contains. */
  readonly version: string | undefined;
  /** Checks the health of a system that is tried, and confirms it. */
  confirm(listeners: Listeners): Promise<void>;
}

/** Starts the system of this boot. One that fails requests a reboot, and this never resolves. */
export async function bootSystem(
  { stateFolder }: GatewayOptions,
  edges: Edges,
  clock: Clock,
): Promise<BootedSystem> {
  const board = edges.board(createBoard(clock.nowMs()));
  const folder = join(stateFolder, "slots");
  const slots = edges.slots(openSlots(folder, clock), folder);
  const choice = slots.choose();
  const { trialOf } = choice;
  const giveUp = (why: string): void => board.reboot(`the system of slot ${choice.slot} failed: ${why}`);
  const watchdog =
    trialOf === undefined ? undefined : clock.after(trialMs, () => giveUp("it was not healthy in time"));
  const healthy = Promise.withResolvers<void>();
  const version = await startSystem(choice).catch((thrown: unknown) => {
    giveUp(String(thrown));
    return new Promise<never>(() => undefined);
  });
  return {
    board,
    version,
    systems: {
      slots,
      checks: edges.packageChecks(packageChecks),
      trialOf,
      untilHealthy: healthy.promise,
    },
    async confirm(listeners) {
      if (trialOf !== undefined) {
        await checkHealth(listeners);
        slots.confirm();
        watchdog?.[Symbol.dispose]();
      }
      healthy.resolve();
    },
  };
}
