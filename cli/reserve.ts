// `rackproof reserve`, `release` and `who`: gateways of a fleet for people and for other programs.
import { randomInt, randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { oneLine } from "../reports/text/visibleText.ts";
import { type FleetHold, FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import { type Labels, labelText, parseLabels } from "../workflows/fleet/labels.ts";
import { agentPrefix, type FleetGateway, listGateways } from "../workflows/fleet/register.ts";
import { answer, type FleetOptions, openFleet } from "./support/fleetAccess.ts";
import { UsageError } from "../record/index.ts";

export interface ReserveOptions extends FleetOptions {
  readonly labels?: string;
  readonly minutes: number;
  readonly owner?: string;
  readonly purpose: string;
}

export interface ReleaseOptions extends FleetOptions {
  readonly owner?: string;
  readonly force?: boolean;
}

const msPerMin = 60_000;
const noneFree = 3;

/** Reserves one gateway with these labels; returns 0, or 3 when none is free now. */
export async function reserve(name: string | undefined, options: ReserveOptions): Promise<number> {
  const labels = parseLabels(options.labels);
  if (name === undefined && Object.keys(labels).length === 0)
    throw new UsageError("FLEET_LABELS", "reserve: expected a gateway or --labels, found neither");
  await using database = await openFleet(options);
  const candidates = await listGateways(database, labels);
  const wanted = candidates.filter(({ id }) => name === undefined || id === name);
  if (wanted.length === 0) throw unknownGateway(name, labels);
  const holds = new FleetHolds(database);
  const reasons: string[] = [];
  for (const gateway of shuffled(wanted)) {
    const absent = whyNot(gateway);
    if (absent !== undefined) {
      reasons.push(`${gateway.id}: ${absent}`);
      continue;
    }
    const lastingMs = options.minutes * msPerMin;
    const taken = await holds.take({
      id: randomUUID(),
      gateway: gateway.id,
      wires: [gateway.id],
      owner: ownerOf(options),
      purpose: options.purpose,
      ttlMs: lastingMs,
      limitMs: lastingMs,
    });
    if ("taken" in taken) {
      report(options, gateway, taken.taken);
      return 0;
    }
    reasons.push(`${gateway.id}: ${holdText(taken.heldBy)}`);
  }
  for (const line of reasons) process.stderr.write(`${oneLine(line)}\n`);
  answer(options, { reserved: false, reasons }, ["no gateway is free"]);
  return noneFree;
}

/** Two commands at the same time begin with different gateways. */
function shuffled<T>(all: readonly T[]): T[] {
  const start = all.length === 0 ? 0 : randomInt(all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

function report(options: ReserveOptions, gateway: FleetGateway, hold: FleetHold): void {
  const until = new Date(Date.now() + hold.leftMs).toISOString();
  const { id, lab, labels } = gateway;
  answer(options, { reserved: true, gateway: id, lab, labels, hold: hold.fence, until }, [
    `${id} reserved until ${until} (hold ${hold.fence}). Release it: rackproof release ${id}`,
  ]);
}

function whyNot({ state, alive, lab, health }: FleetGateway): string | undefined {
  if (!alive) return `the agent of lab ${lab} does not run`;
  return state === "listed" ? undefined : (health ?? "unusable");
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

function holdText({ owner, purpose, takenAt, fence }: FleetHold): string {
  return `in use by ${owner} since ${takenAt} (hold ${fence}${purpose === "" ? "" : `, ${purpose}`})`;
}

function ownerOf({ owner }: { readonly owner?: string }): string {
  return owner ?? `${userInfo().username}@${hostname()}`;
}

function unknownGateway(name: string | undefined, labels: Labels): UsageError {
  const what = [
    ...(name === undefined ? [] : [`named ${name}`]),
    ...(labelText(labels) === "" ? [] : [`with labels ${labelText(labels)}`]),
  ];
  return new UsageError("FLEET_GATEWAY_UNKNOWN", `fleet: no gateway ${what.join(" ")}`);
}
