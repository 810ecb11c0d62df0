// `rackproof fleet prune`: removes old nights from the database.
import { counted } from "../reports/text/visibleText.ts";
import { pruneFleet } from "../workflows/fleet/prune.ts";
import { answer, type FleetOptions, openFleet } from "./support/fleetAccess.ts";

export interface FleetPruneOptions extends FleetOptions {
  readonly days: number;
}

/** Removes what is older and prints how much it was; returns 0. */
export async function fleetPrune(options: FleetPruneOptions): Promise<number> {
  await using database = await openFleet(options);
  const removed = await pruneFleet(database, options.days);
  answer(options, removed, [
    `removed: ${counted(removed.nights, "night")} with ${counted(removed.turns, "turn")} and ` +
      `${counted(removed.results, "result")}, ${counted(removed.holds, "ended use")} of gateways; evidence remains on the hosts`,
  ]);
  return 0;
}
