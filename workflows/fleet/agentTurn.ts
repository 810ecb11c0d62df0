// A turn of a fleet's night on its own host: under a hold of the fleet and the lease of the machine, neither of which
// outlives the other.
import { join } from "node:path";
import { type Clock, type PartCheck, type RackGateway, type TestCase } from "../../harness/index.ts";
import { Lease, LeasedElsewhere } from "../leases/lease.ts";
import type { RunAttempt } from "../nightly/attempt.ts";
import type { GatewayPlan } from "../nightly/plan.ts";
import { takeTurn } from "../nightly/turn.ts";
import type { FleetDatabase } from "./database.ts";
import type { TurnName } from "./dispatch.ts";
import { FleetHolds } from "./fleetHolds.ts";
import { beginTurn, noteTurn, readOrder, requeueTurn, type TurnOrder } from "./fleetNights.ts";
import { GatewayHold } from "./gatewayHold.ts";
import { type Act, recordActs, resultOf, type Spool } from "./results.ts";
import { UsageError } from "../../record/index.ts";

/** A gateway of this lab. */
export interface AgentGateway {
  readonly gateway: RackGateway;
  readonly wires: readonly string[];
}

/** What all turns of an agent share. */
export interface AgentSurroundings {
  readonly lab: string;
  readonly session: string;
  readonly host: string;
  readonly database: FleetDatabase;
  readonly spool: Spool;
  /** Folder of the agent's runs. */
  readonly out: string;
  readonly rackWords: readonly string[];
  readonly suite: readonly TestCase[];
  /** Time for which a turn continues without the database. */
  readonly holdMs: number;
  readonly clock: Clock;
  /** Aborted when the agent stops. */
  readonly stopped: AbortSignal;
  readonly checkWires: (plan: GatewayPlan) => Promise<readonly PartCheck[]>;
  readonly runAttempt: RunAttempt;
  readonly isStated: (requirement: string) => boolean;
  readonly leaseFile?: string;
}

/** A turn that was delivered to this agent. */
export interface AgentTurn {
  readonly name: TurnName;
  /** Of its hold. */
  readonly holdId: string;
  /** Aborted when its night ends. */
  readonly ended: AbortSignal;
}

/** `again`: the turn could not begin or end here yet. `settled`: it has ended, or is no longer wanted. */
export type TurnAnswer = "again" | "settled";

const longestLeaseTtlMs = 30_000;

export async function agentTurn(
  agent: AgentSurroundings,
  { name, holdId, ended }: AgentTurn,
  { gateway, wires }: AgentGateway,
): Promise<TurnAnswer> {
  const { database, lab, session, holdMs, clock } = agent;
  const order = await readOrder(database, name);
  if (order === undefined) return "settled";
  const wish = {
    id: holdId,
    owner: `agent of lab ${lab}`,
    purpose: `night ${name.night}`,
    gateway: name.gateway,
    wires: [name.gateway],
    ttlMs: holdMs,
    limitMs: order.limit_ms,
  };
  const hold = await GatewayHold.take(new FleetHolds(database), wish, clock);
  if (!(hold instanceof GatewayHold)) {
    await noteTurn(database, name, `in use by ${hold.owner} since ${hold.takenAt} (hold ${hold.fence})`);
    return "again";
  }
  await using _released = hold;
  const lease = await leaseUnder(agent, name, gateway.name, wires, hold);
  if (lease === undefined) return "again";
  using _ended = lease;
  const fence = hold.record.fence;
  if (!(await beginTurn(database, name, session, { id: holdId, fence }))) return "settled";
  return await runUnder(agent, name, gateway, order, { hold, lease, ended });
}

/** The lease of this machine, which ends at the deadline of the hold at the latest. */
async function leaseUnder(
  { database, lab, holdMs, leaseFile }: AgentSurroundings,
  name: TurnName,
  gateway: string,
  wires: readonly string[],
  hold: GatewayHold,
): Promise<Lease | undefined> {
  try {
    return Lease.take({
      gateway,
      wires,
      owner: `rackproof agent of lab ${lab}, process ${process.pid}`,
      ttlMs: Math.min(longestLeaseTtlMs, holdMs),
      leftMs: () => hold.leftMs,
      ...(leaseFile === undefined ? {} : { file: leaseFile }),
    });
  } catch (thrown) {
    if (!(thrown instanceof LeasedElsewhere)) throw thrown;
    await noteTurn(database, name, thrown.message);
    return undefined;
  }
}

async function runUnder(
  agent: AgentSurroundings,
  name: TurnName,
  gateway: RackGateway,
  order: TurnOrder,
  { hold, lease, ended }: { hold: GatewayHold; lease: Lease; ended: AbortSignal },
): Promise<TurnAnswer> {
  const { database, lab, spool, stopped, clock, host } = agent;
  const fence = hold.record.fence;
  const acts: Act[] = [];
  const nowIso = (): string => new Date(clock.epochMs()).toISOString();
  const act = (what: string): void => {
    const one = { number: acts.length, what, at: nowIso() };
    acts.push(one);
    // The result contains all acts again, for a database that is away now.
    recordActs(database, name.gateway, fence, [one]).catch(() => undefined);
  };
  const turn = await takeTurn({
    plan: planOf(agent, gateway, order),
    rackWords: agent.rackWords,
    level: order.level,
    selection: order.selection,
    seed: order.seed,
    retries: order.retries,
    nightFolder: join(agent.out, `night-${name.night}`, `hold-${fence}`),
    lease: {
      environment: lease.environment,
      lost: AbortSignal.any([hold.ending, lease.lost, stopped, ended]),
    },
    signal: new AbortController().signal,
    checkWires: agent.checkWires,
    runAttempt: async (wish) => {
      act("run begins");
      const result = await agent.runAttempt(wish);
      act("run ended");
      return result;
    },
    tell: () => undefined,
    nowIso,
    isStated: agent.isStated,
    quarantined: order.quarantined,
  });
  if (stopped.aborted && !ended.aborted) {
    await requeueTurn(database, name, fence);
    return "again";
  }
  await spool.add(await resultOf({ ...name, lab, fence }, turn, acts, host));
  return "settled";
}

/** The frozen list of the night, with the cases of this suite. */
function planOf({ suite }: AgentSurroundings, gateway: RackGateway, order: TurnOrder): GatewayPlan {
  const byId = new Map(suite.map((one) => [one.id, one]));
  const expected = order.expected.map((id) => {
    const one = byId.get(id);
    if (one === undefined) throw new UsageError("CASE_UNKNOWN", `case ${id}: not in this suite`);
    return one;
  });
  return { gateway, expected, leftOut: new Map(Object.entries(order.left_out)) };
}
