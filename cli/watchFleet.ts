// `rackproof watch LAB/GATEWAY --fleet`: prints what a run on another host prints, until it ends.
import { monotonicClock } from "../harness/index.ts";
import { wishedGateways } from "../workflows/fleet/claims.ts";
import { followGateway } from "../workflows/fleet/tails.ts";
import { type FleetOptions, openFleet } from "./support/fleetAccess.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { UsageError } from "../record/index.ts";

const noneUnderWay = 3;

/** Returns 0; 3 when nothing runs on the gateway. */
export async function watchFleet(gateway: string | undefined, options: FleetOptions): Promise<number> {
  if (gateway === undefined)
    throw new UsageError("FLEET_GATEWAY_UNKNOWN", "watch --fleet: expected LAB/GATEWAY");
  await using database = await openFleet(options);
  await wishedGateways(database, { gateway, labels: {} });
  using interrupted = onInterrupt();
  const { signal } = interrupted;
  const printed = (line: string): void => void process.stdout.write(`${line}\n`);
  const ending = await followGateway(database, gateway, { clock: monotonicClock, signal, printed });
  printed(ending === undefined ? `${gateway}: no run is under way` : `${gateway}: ${ending}`);
  return ending === undefined ? noneUnderWay : 0;
}
