// `rackproof reserve`, `release` and `who`: gateways of a fleet for people and for other programs.
import { oneLine } from "../reports/text/visibleText.ts";
import { monotonicClock } from "../harness/index.ts";
import { claimGateway, holdText, readLimits, wishedGateways } from "../workflows/fleet/claims.ts";
import type { Priority } from "../workflows/fleet/priorities.ts";
import { type FleetHold, FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import { parseLabels } from "../workflows/fleet/labels.ts";
import { agentPrefix, type FleetGateway } from "../workflows/fleet/register.ts";
import { answer, type FleetOptions, openFleet, ownerOf, priorityOf } from "./support/fleetAccess.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { UsageError } from "../record/index.ts";

export interface ReserveOptions extends FleetOptions {
  readonly labels?: string;
  readonly minutes?: number;
  readonly owner?: string;
  readonly purpose: string;
  readonly priority?: Priority;
  readonly waitMin: number;
}

export interface ReleaseOptions extends FleetOptions {
  readonly owner?: string;
  readonly force?: boolean;
}

const msPerMin = 60_000;
const defaultMin = 30;
const noneFree = 3;

/** Reserves one gateway with these labels; returns 0, or 3 when none was free in time. */
export async function reserve(name: string | undefined, options: ReserveOptions): Promise<number> {
  const labels = parseLabels(options.labels);
  if (name === undefined && Object.keys(labels).length === 0)
    throw new UsageError("FLEET_LABELS", "reserve: expected a gateway or --labels, found neither");
  await using database = await openFleet(options);
  using interrupted = onInterrupt();
  const { longestMs = Infinity } = await readLimits(database);
  const lastingMs =
    options.minutes === undefined ? Math.min(defaultMin * msPerMin, longestMs) : options.minutes * msPerMin;
  const claimed = await claimGateway(
    {
      ...(name === undefined ? {} : { gateway: name }),
      labels,
      owner: ownerOf(options),
      purpose: options.purpose,
      priority: priorityOf(options),
      ttlMs: lastingMs,
      limitMs: lastingMs,
      waitMs: options.waitMin * msPerMin,
    },
    {
      database,
      clock: monotonicClock,
      signal: interrupted.signal,
      say: (line) => void process.stderr.write(`${oneLine(line)}\n`),
    },
  );
  if ("granted" in claimed) {
    const [gateway] = await wishedGateways(database, { gateway: claimed.granted.gateway, labels });
    if (gateway !== undefined) report(options, gateway, claimed.granted);
    return 0;
  }
  const { reasons } = claimed;
  for (const line of reasons) process.stderr.write(`${oneLine(line)}\n`);
  answer(options, { reserved: false, reasons }, ["no gateway is free"]);
  return noneFree;
}

function report(options: ReserveOptions, gateway: FleetGateway, hold: FleetHold): void {
  const until = new Date(Date.now() + hold.leftMs).toISOString();
  const { id, lab, labels } = gateway;
  answer(options, { reserved: true, gateway: id, lab, labels, hold: hold.fence, until }, [
    `${id} reserved until ${until} (hold ${hold.fence}). Release it: rackproof release ${id}`,
  ]);
}

/** Releases the gateway; returns 0. */
export async function release(gateway: string, options: ReleaseOptions): Promise<number> {
  await using database = await openFleet(options);
  const holds = new FleetHolds(database);
  const hold = await holds.holderOf(gateway);
  if (hold === undefined) throw new UsageError("FLEET_HOLD_UNKNOWN", `gateway ${gateway}: not reserved`);
  if (options.force !== true && hold.owner !== ownerOf(options))
    throw new UsageError("FLEET_HOLD_UNKNOWN", `gateway ${gateway}: ${holdText(hold)}`);
  // A turn that runs ends first: until then the gateway is in use.
  const isTurn = hold.id.startsWith(agentPrefix);
  await (isTurn ? holds.revoke(hold.id) : holds.release(hold.id));
  const { fence, owner } = hold;
  answer(options, { gateway, hold: fence, owner, isFree: !isTurn }, [
    isTurn
      ? `${gateway}: its turn ends, then it is free (hold ${fence})`
      : `${gateway} released (hold ${fence})`,
  ]);
  return 0;
}

/** Prints who uses which gateway; returns 0. */
export async function who(options: FleetOptions): Promise<number> {
  await using database = await openFleet(options);
  const holds = await new FleetHolds(database).all();
  const rows = holds.map(({ gateway, owner, purpose, fence, takenAt, leftMs }) => ({
    gateway,
    owner,
    purpose,
    since: takenAt,
    until: new Date(Date.now() + leftMs).toISOString(),
    hold: fence,
  }));
  answer(
    options,
    rows,
    rows.length === 0
      ? ["no gateway is in use"]
      : holds.map((hold) => oneLine(`${hold.gateway}: ${holdText(hold)}`)),
  );
  return 0;
}
