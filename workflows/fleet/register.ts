// Labs and their gateways as the fleet lists them. One agent at a time speaks for a lab.
import Type, { type Static } from "typebox";
import type { FleetDatabase, Queries } from "./database.ts";
import { type QueuedTurn, queuedTurnSchema } from "./dispatch.ts";
import { endFormerHolds } from "./fleetHolds.ts";
import type { Labels } from "./labels.ts";
import { UsageError } from "../../record/index.ts";

/** A lab without a beat for this time is silent. */
export const labTtlMs = 30_000;

export interface LabEntry {
  readonly name: string;
  /** Of this process of the agent. */
  readonly session: string;
  /** The machine since its last start. */
  readonly host: string;
  readonly suiteVersion: string;
  readonly parallel: number;
}

export interface GatewayEntry {
  readonly name: string;
  readonly labels: Labels;
  readonly equipment: readonly string[];
  /** What its wiring belongs to. */
  readonly rig: string;
  /** Whether the lab can install a firmware on it. */
  readonly installs: boolean;
  /** Other releases of rackproof in its lab. */
  readonly suites: readonly string[];
  /** Absent when the profile cannot be read. */
  readonly capabilities?: readonly string[];
  /** Why it cannot be run. */
  readonly unusable?: string;
}

/** The name of a gateway in the fleet. */
export function gatewayId(lab: string, name: string): string {
  return `${lab}/${name}`;
}

/** Identifiers of the holds of agents begin with this. */
export const agentPrefix = "agent:";

/** Those of a lab's agent. */
export function holdPrefix(lab: string): string {
  return `${agentPrefix}${lab}:`;
}

/**
 * Enters the lab and its gateways, ends holds of its former agent and queues the turns again that this one left. Answers
 * all turns that wait for the lab.
 * Throws a UsageError while an agent on another machine speaks for the lab.
 */
export async function registerLab(
  database: FleetDatabase,
  lab: LabEntry,
  gateways: readonly GatewayEntry[],
): Promise<QueuedTurn[]> {
  return database.together(async (queries) => {
    const { name, session, host, suiteVersion, parallel } = lab;
    const entered = await queries.run(
      `INSERT INTO rackproof.lab AS lab
         (name, session, host, suite_version, parallel, started_at, seen_at, expires_at, state)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp(),
         clock_timestamp() + $6 * interval '1 millisecond', 'running')
       ON CONFLICT (name) DO UPDATE SET session = excluded.session, host = excluded.host,
         suite_version = excluded.suite_version, parallel = excluded.parallel, started_at = excluded.started_at,
         seen_at = excluded.seen_at, expires_at = excluded.expires_at, state = excluded.state, beats = lab.beats + 1
       WHERE lab.state = 'stopped' OR lab.expires_at <= clock_timestamp() OR lab.host = excluded.host`,
      [name, session, host, suiteVersion, parallel, labTtlMs],
    );
    if (entered === 0)
      throw new UsageError("FLEET_LAB_TAKEN", `lab ${name}: an agent on another machine speaks for it`);
    await endFormerHolds(queries, holdPrefix(name));
    await enterGateways(queries, name, gateways);
    await queries.run(
      "UPDATE rackproof.turn SET state = 'queued' WHERE lab = $1 AND state = 'running' AND session <> $2",
      [name, session],
    );
    // Turns that the former agent received and did not begin are delivered again as well.
    return waitingTurns(queries, name);
  });
}

/** Turns that wait for the lab. */
export function waitingTurns(queries: Queries, lab: string): Promise<QueuedTurn[]> {
  return queries.rows(
    queuedTurnSchema,
    `SELECT turn.night, turn.gateway, kind, hold_id AS hold FROM rackproof.turn JOIN rackproof.night ON night.id = turn.night
     WHERE turn.lab = $1 AND turn.state = 'queued' AND night.state = 'running'`,
    [lab],
  );
}

async function enterGateways(
  queries: Queries,
  lab: string,
  gateways: readonly GatewayEntry[],
): Promise<void> {
  for (const { name, labels, equipment, rig, installs, suites, capabilities, unusable } of gateways)
    await queries.run(
      `INSERT INTO rackproof.gateway
         (id, lab, name, labels, equipment, capabilities, state, health, rig, installs, suites, seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET labels = excluded.labels, equipment = excluded.equipment,
         capabilities = excluded.capabilities, state = excluded.state, health = excluded.health,
         rig = excluded.rig, installs = excluded.installs, suites = excluded.suites, seen_at = excluded.seen_at`,
      [
        gatewayId(lab, name),
        lab,
        name,
        JSON.stringify(labels),
        JSON.stringify(equipment),
        capabilities === undefined ? null : JSON.stringify(capabilities),
        unusable === undefined ? "listed" : "unusable",
        unusable ?? null,
        rig,
        installs,
        JSON.stringify(suites),
      ],
    );
  await queries.run(
    "UPDATE rackproof.gateway SET state = 'removed' WHERE lab = $1 AND NOT (name = ANY ($2))",
    [lab, gateways.map(({ name }) => name)],
  );
}

/** A sign of life; false when another agent speaks for the lab by now. */
export async function beatLab(queries: Queries, { name, session }: LabEntry): Promise<boolean> {
  const beaten = await queries.run(
    `UPDATE rackproof.lab SET seen_at = clock_timestamp(), beats = beats + 1,
       expires_at = clock_timestamp() + $3 * interval '1 millisecond'
     WHERE name = $1 AND session = $2`,
    [name, session, labTtlMs],
  );
  return beaten > 0;
}

export async function stopLab(queries: Queries, { name, session }: LabEntry): Promise<void> {
  await queries.run(
    "UPDATE rackproof.lab SET state = 'stopped', expires_at = clock_timestamp() WHERE name = $1 AND session = $2",
    [name, session],
  );
}

const GatewayRow = Type.Object({
  id: Type.String(),
  lab: Type.String(),
  labels: Type.Record(Type.String(), Type.String()),
  equipment: Type.Array(Type.String()),
  capabilities: Type.Union([Type.Array(Type.String()), Type.Null()]),
  state: Type.String(),
  health: Type.Union([Type.String(), Type.Null()]),
  rig: Type.Union([Type.String(), Type.Null()]),
  installs: Type.Boolean(),
  suites: Type.Array(Type.String()),
  alive: Type.Boolean(),
  silent_ms: Type.Number(),
  lab_state: Type.String(),
  suite_version: Type.String(),
});
export type FleetGateway = Static<typeof GatewayRow>;

/** Gateways of all racks with these labels, except removed ones. */
export function listGateways(queries: Queries, labels: Labels): Promise<FleetGateway[]> {
  return queries.rows(
    GatewayRow,
    `SELECT gateway.id, gateway.lab, gateway.labels, gateway.equipment, gateway.capabilities, gateway.state,
       gateway.health, gateway.rig, gateway.installs, gateway.suites, lab.expires_at > clock_timestamp() AS alive, lab.state AS lab_state, lab.suite_version,
       (extract(epoch FROM clock_timestamp() - lab.seen_at) * 1000)::float8 AS silent_ms
     FROM rackproof.gateway JOIN rackproof.lab ON lab.name = gateway.lab
     WHERE gateway.state <> 'removed' AND gateway.labels @> $1::jsonb ORDER BY gateway.id`,
    [JSON.stringify(labels)],
  );
}

const LabRow = Type.Object({
  name: Type.String(),
  host: Type.String(),
  suite_version: Type.String(),
  state: Type.String(),
  alive: Type.Boolean(),
  silent_ms: Type.Number(),
  gateways: Type.Number(),
  beats: Type.Number(),
});
export type Lab = Static<typeof LabRow>;

export function listLabs(queries: Queries): Promise<Lab[]> {
  return queries.rows(
    LabRow,
    `SELECT name, host, suite_version, state, expires_at > clock_timestamp() AS alive, beats::float8 AS beats,
       (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS silent_ms,
       (SELECT count(*) FROM rackproof.gateway WHERE lab = lab.name AND state <> 'removed')::float8 AS gateways
     FROM rackproof.lab ORDER BY name`,
  );
}
