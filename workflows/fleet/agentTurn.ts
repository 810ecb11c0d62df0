// A turn of a fleet's night on its own host: under a hold of the fleet and the lease of the machine, neither of which
// outlives the other.
import { join } from "node:path";
import { type Clock, type PartCheck, type RackGateway, type TestCase } from "../../harness/index.ts";
import { HeldGateway } from "../leases/heldGateway.ts";
import { LeasedElsewhere } from "../leases/lease.ts";
import type { RunAttempt } from "../nightly/attempt.ts";
import type { GatewayPlan } from "../nightly/plan.ts";
import { setAside, takeTurn, type TurnSurroundings } from "../nightly/turn.ts";
import type { FleetDatabase } from "./database.ts";
import type { TurnName } from "./dispatch.ts";
import { TurnFirmware } from "./firmware.ts";
import { FleetHolds } from "./fleetHolds.ts";
import { beginTurn, noteTurn, readOrder, requeueTurn, setTurnAside, type TurnOrder } from "./fleetNights.ts";
import { GatewayHold } from "./gatewayHold.ts";
import { type Act, recordActs, resultOf, type Spool } from "./results.ts";
import { Tail } from "./tails.ts";
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
  /** Other releases of rackproof on this host: program and first words, by version. */
  readonly suites: Readonly<Record<string, readonly string[]>>;
  /** Time for which a turn continues without the database. */
  readonly holdMs: number;
  readonly clock: Clock;
  /** Aborted when the agent stops. */
  readonly stopped: AbortSignal;
  readonly checkWires: (plan: GatewayPlan, place: HeldGateway["place"]) => Promise<readonly PartCheck[]>;
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
  /** Aborted when its hold is revoked. */
  readonly revoked: AbortSignal;
}

/** `again`: the turn could not begin or end here yet. `settled`: it has ended, or is no longer wanted. */
export type TurnAnswer = "again" | "settled";

const longestLeaseTtlMs = 30_000;

export async function agentTurn(
  agent: AgentSurroundings,
  { name, holdId, ended, revoked }: AgentTurn,
  { gateway, wires }: AgentGateway,
): Promise<TurnAnswer> {
  const { database, lab, session, holdMs, clock } = agent;
  const order = await readOrder(database, name);
  if (order === undefined) return "settled";
  const wish = {
    id: holdId,
    owner: order.kind === "run" ? order.started_by : `agent of lab ${lab}`,
    purpose: `${order.kind} ${name.night}`,
    gateway: name.gateway,
    wires: [name.gateway],
    ttlMs: holdMs,
    limitMs: order.limit_ms,
  };
  const holds = new FleetHolds(database);
  const granted =
    order.hold_id === holdId ? await GatewayHold.adopt(holds, { ...wish, id: holdId }, clock) : undefined;
  if (granted === undefined && order.hold_id !== null && order.fence === null) {
    await setTurnAside(database, name, "its hold ended before the run began");
    return "settled";
  }
  const hold = granted ?? (await GatewayHold.take(holds, wish, clock));
  if (!(hold instanceof GatewayHold)) {
    await noteTurn(database, name, `in use by ${hold.owner} since ${hold.takenAt} (hold ${hold.fence})`);
    return "again";
  }
  await using _released = hold;
  revoked.addEventListener("abort", () => hold.revoked(), { once: true });
  if (revoked.aborted) hold.revoked();
  const lease = await leaseUnder(agent, name, gateway, wires, hold);
  if (lease === undefined) return "again";
  await using _ended = lease;
  const fence = hold.record.fence;
  if (!(await beginTurn(database, name, session, { id: holdId, fence }))) return "settled";
  return await runUnder(agent, name, gateway, order, { hold, lease, ended, revoked });
}

/** The lease of this machine, which ends at the deadline of the hold at the latest. */
async function leaseUnder(
  { database, lab, holdMs, leaseFile }: AgentSurroundings,
  name: TurnName,
  gateway: RackGateway,
  wires: readonly string[],
  hold: GatewayHold,
): Promise<HeldGateway | undefined> {
  try {
    return await HeldGateway.take(gateway, {
      gateway: gateway.name,
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
  {
    hold,
    lease,
    ended,
    revoked,
  }: Pick<AgentTurn, "ended" | "revoked"> & { hold: GatewayHold; lease: HeldGateway },
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
  const plan = planOf(agent, gateway, order);
  await using tail = new Tail(database, name, order.kind, clock);
  await using firmware = new TurnFirmware({
    gateway,
    out: agent.out,
    environment: lease.environment,
    lost: lease.lost,
    act,
  });
  const { suite, firmware: wanted } = order.conditions;
  const launcher = suite === undefined ? undefined : agent.suites[suite];
  const trouble =
    suite !== undefined && launcher === undefined
      ? `lab ${lab}: its rack file names no rackproof ${suite}`
      : ((await firmware.restore()) ??
        (wanted === undefined ? undefined : await firmware.install(wanted.install, wanted.restore)));
  const surroundings: TurnSurroundings = {
    plan,
    rackWords: agent.rackWords,
    level: order.level,
    selection: order.selection,
    seed: order.seed,
    retries: order.retries,
    repeatsAll: order.repeats_all,
    nightFolder: join(agent.out, `night-${name.night}`, `hold-${fence}`),
    lease: {
      environment: lease.environment,
      place: lease.place,
      lost: AbortSignal.any([hold.ending, lease.lost, stopped, ended]),
    },
    signal: new AbortController().signal,
    checkWires: agent.checkWires,
    runAttempt: async (wish) => {
      act("run begins");
      const printed = (line: string): void => tail.add(line);
      const result = await agent.runAttempt({
        ...wish,
        printed,
        ...(launcher === undefined ? {} : { launcher }),
      });
      act("run ended");
      return result;
    },
    tell: () => undefined,
    nowIso,
    isStated: agent.isStated,
    quarantined: order.quarantined,
  };
  const turn = trouble === undefined ? await takeTurn(surroundings) : setAside(plan, trouble);
  const left = await firmware.restore();
  if (left !== undefined) act(left);
  // An agent that was suspended or cut off as the run began: the run has shown nothing of the gateway.
  const wasLostAtOnce =
    turn.outcome === "set-aside" &&
    hold.ending.aborted &&
    hold.isWithinLimit &&
    trouble === undefined &&
    !revoked.aborted;
  if ((stopped.aborted || wasLostAtOnce) && !ended.aborted) {
    await requeueTurn(database, name, fence);
    return "again";
  }
  await tail.close();
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
