// `rackproof fleet limits`: how much one owner may have at a time, and for how long.
import { readLimits, writeLimits } from "../workflows/fleet/claims.ts";
import { answer, type FleetOptions, openFleet } from "./support/fleetAccess.ts";

export interface FleetLimitsOptions extends FleetOptions {
  readonly gateways?: number;
  readonly minutes?: number;
  /** Removes the limits that are not given. */
  readonly none?: boolean;
}

const msPerMin = 60_000;

/** Sets the limits that are given and prints all of them; returns 0. */
export async function fleetLimits(options: FleetLimitsOptions): Promise<number> {
  const { gateways, minutes, none } = options;
  await using database = await openFleet(options);
  if (gateways !== undefined || minutes !== undefined || none === true)
    await writeLimits(database, {
      ...(none === true ? {} : await readLimits(database)),
      ...(gateways === undefined ? {} : { perOwner: gateways }),
      ...(minutes === undefined ? {} : { longestMs: minutes * msPerMin }),
    });
  const { perOwner, longestMs } = await readLimits(database);
  const longestMin = longestMs === undefined ? null : longestMs / msPerMin;
  answer(options, { gateways: perOwner ?? null, minutes: longestMin }, [
    `gateways of one owner at a time: ${perOwner ?? "no limit"}`,
    `minutes of a reservation or a run: ${longestMin ?? "no limit"}`,
  ]);
  return 0;
}
