// Those who wait for a gateway of a fleet: the database grants free ones by priority, share and time of waiting.
import { randomUUID } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Clock } from "../../harness/index.ts";
import type { FleetDatabase, Queries } from "./database.ts";
import { type FleetHold, FleetHolds, holdColumns, HoldRow, toHold } from "./fleetHolds.ts";
import { type Labels, labelText } from "./labels.ts";
import { type FleetGateway, listGateways } from "./register.ts";
import { priorities, type Priority } from "./priorities.ts";
import { UsageError } from "../../record/index.ts";

export interface ClaimWish {
  /** Absent: any with the labels. */
  readonly gateway?: string;
  readonly labels: Labels;
  readonly owner: string;
  readonly purpose: string;
  readonly priority: Priority;
  /** The gateway is used by the agent of its lab, which must be of this release. */
  readonly forAgentOf?: string;
  readonly ttlMs: number;
  /** Longest time of the hold; the limits of the fleet may shorten it. */
  readonly limitMs: number;
  /** Longest time of waiting. */
  readonly waitMs: number;
}

const askEveryMs = 1000;
/** A command that gives no sign of life for this time does not wait any more. */
const aliveMs = 15_000;

export interface ClaimSurroundings {
  readonly database: FleetDatabase;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Receives why the command waits, at each change. */
  readonly say: (line: string) => void;
}

export type ClaimAnswer = { readonly granted: FleetHold } | { readonly reasons: readonly string[] };

/** Waits for a gateway; answers its hold, or why none was granted. Throws a UsageError when no such gateway is listed. */
export async function claimGateway(wish: ClaimWish, surroundings: ClaimSurroundings): Promise<ClaimAnswer> {
  const { database, clock, signal, say } = surroundings;
  await checkWish(database, wish);
  const id = randomUUID();
  const untilMs = clock.nowMs() + wish.waitMs;
  let shown = "";
  try {
    for (;;) {
      const hold = await ask(database, id, wish);
      if (hold !== undefined) return { granted: hold };
      const reasons = await whyNone(database, wish);
      if (signal.aborted || clock.nowMs() >= untilMs) break;
      const line = `waiting: ${reasons.join("; ")}`;
      if (line !== shown) say(line);
      shown = line;
      await clock.delay(askEveryMs, signal).catch(() => undefined);
    }
  } catch (thrown) {
    // Without a sign of life the request ends by itself.
    await withdraw(database, id).catch(() => undefined);
    throw thrown;
  }
  const late = await withdraw(database, id);
  if (late !== undefined && !signal.aborted) return { granted: late };
  if (late !== undefined) await new FleetHolds(database).release(late.id);
  return { reasons: await whyNone(database, wish) };
}

/** The gateways of the wish; throws a UsageError when there are none. */
export async function wishedGateways(
  queries: Queries,
  { gateway, labels }: Pick<ClaimWish, "gateway" | "labels">,
): Promise<FleetGateway[]> {
  const wanted = (await listGateways(queries, labels)).filter(
    ({ id }) => gateway === undefined || id === gateway,
  );
  if (wanted.length > 0) return wanted;
  const what = [
    ...(gateway === undefined ? [] : [`named ${gateway}`]),
    ...(labelText(labels) === "" ? [] : [`with labels ${labelText(labels)}`]),
  ];
  throw new UsageError("FLEET_GATEWAY_UNKNOWN", `fleet: no gateway ${what.join(" ")}`);
}

async function checkWish(queries: Queries, wish: ClaimWish): Promise<void> {
  await wishedGateways(queries, wish);
  const { longestMs } = await readLimits(queries);
  if (longestMs !== undefined && wish.forAgentOf === undefined && wish.limitMs > longestMs)
    throw new UsageError(
      "FLEET_LIMIT",
      `--minutes ${minutes(wish.limitMs)}: the fleet allows at most ${minutes(longestMs)}`,
    );
}

async function ask(queries: Queries, id: string, wish: ClaimWish): Promise<FleetHold | undefined> {
  const [row] = await queries.rows(
    HoldRow,
    `SELECT ${holdColumns} FROM rackproof.ask_for($1, $2, $3::jsonb, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      wish.gateway ?? null,
      JSON.stringify(wish.labels),
      wish.owner,
      wish.purpose,
      priorities.indexOf(wish.priority),
      wish.forAgentOf !== undefined,
      wish.forAgentOf ?? null,
      wish.ttlMs,
      wish.limitMs,
      aliveMs,
    ],
  );
  return row === undefined ? undefined : toHold(row);
}

/** Ends the wait; answers the hold that was granted meanwhile. */
async function withdraw(queries: Queries, id: string): Promise<FleetHold | undefined> {
  if ((await queries.run("DELETE FROM rackproof.claim WHERE id = $1", [id])) > 0) return undefined;
  const [row] = await queries.rows(
    HoldRow,
    `SELECT ${holdColumns} FROM rackproof.hold WHERE claim = $1 AND expires_at > clock_timestamp()`,
    [id],
  );
  return row === undefined ? undefined : toHold(row);
}

/** Why none of the gateways is granted now. */
async function whyNone(queries: Queries, wish: ClaimWish): Promise<string[]> {
  const { perOwner } = await readLimits(queries);
  const holds = await new FleetHolds(queries).all();
  const own = new Set(holds.filter(({ owner }) => owner === wish.owner).map(({ gateway }) => gateway));
  if (perOwner !== undefined && own.size >= perOwner)
    return [`${wish.owner} has ${own.size} gateways, the fleet allows at most ${perOwner}`];
  return (await wishedGateways(queries, wish)).map((gateway) => {
    const hold = holds.find((one) => one.gateway === gateway.id);
    const absent = whyUnavailable(gateway, wish.forAgentOf);
    if (absent !== undefined) return `${gateway.id}: ${absent}`;
    return `${gateway.id}: ${hold === undefined ? "another request is first" : holdText(hold)}`;
  });
}

function whyUnavailable(
  { alive, lab, lab_state, state, health, suite_version }: FleetGateway,
  suiteVersion: string | undefined,
): string | undefined {
  if (!alive || lab_state === "stopped") return `the agent of lab ${lab} does not run`;
  if (state !== "listed") return health ?? "unusable";
  return suiteVersion === undefined || suiteVersion === suite_version
    ? undefined
    : `lab ${lab} runs rackproof ${suite_version}, this command ${suiteVersion}`;
}

/** The holder in words. */
export function holdText({ owner, purpose, takenAt, fence }: FleetHold): string {
  return `in use by ${owner} since ${takenAt} (hold ${fence}${purpose === "" ? "" : `, ${purpose}`})`;
}

const optional = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const LimitsRow = Type.Object({ per_owner: optional(Type.Integer()), longest_ms: optional(Type.Number()) });

export interface FleetLimits {
  /** Most gateways of one owner at a time. */
  readonly perOwner?: number;
  /** Longest time of a reservation or a run. */
  readonly longestMs?: number;
}

export async function readLimits(queries: Queries): Promise<FleetLimits> {
  const [row] = await queries.rows(
    LimitsRow,
    "SELECT gateways_per_owner AS per_owner, longest_ms FROM rackproof.limits",
  );
  const { per_owner, longest_ms }: Static<typeof LimitsRow> = row ?? { per_owner: null, longest_ms: null };
  return {
    ...(per_owner === null ? {} : { perOwner: per_owner }),
    ...(longest_ms === null ? {} : { longestMs: longest_ms }),
  };
}

export async function writeLimits(queries: Queries, { perOwner, longestMs }: FleetLimits): Promise<void> {
  await queries.run("UPDATE rackproof.limits SET gateways_per_owner = $1, longest_ms = $2", [
    perOwner ?? null,
    longestMs ?? null,
  ]);
}

const minutes = (ms: number): number => Math.round(ms / 60_000);
