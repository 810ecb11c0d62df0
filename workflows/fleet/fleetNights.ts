// Nights and their turns as rows: the list of a night is complete before its first turn begins.
import Type, { type Static } from "typebox";
import { type CampaignLevel, campaignLevels } from "../../interface/vocabulary/levels.ts";
import { ExpectedFailure } from "../expectedFailures/expectedFailures.ts";
import { outcomes, turnOutcomes } from "../../record/index.ts";
import type { FleetDatabase, Queries } from "./database.ts";
import { type QueuedTurn, queuedTurnSchema, turnKinds, type TurnName } from "./dispatch.ts";
import { endLostHolds } from "./fleetHolds.ts";

export interface FleetNightStart {
  readonly startedBy: string;
  readonly level: CampaignLevel;
  readonly selection: string;
  readonly seed: number;
  readonly retries: number;
  readonly limitMs: number;
  readonly suiteVersion: string;
  /** Failures that the exit code disregards. */
  readonly quarantined?: readonly ExpectedFailure[];
  /** The night whose new failure this one explains. */
  readonly causeOf?: number;
  /** A run that somebody waits for; default: a night. */
  readonly kind?: QueuedTurn["kind"];
  /** Without a sign of life for this time it was killed; default 45 s. */
  readonly aliveMs?: number;
}

/** What a turn changes to find the cause of a failure. */
const Conditions = Type.Object({
  /** Installed before the turn; `restore` afterwards. */
  firmware: Type.Optional(Type.Object({ install: Type.String(), restore: Type.String() })),
  /** The release of rackproof that runs it. */
  suite: Type.Optional(Type.String()),
});
export type Conditions = Static<typeof Conditions>;

/** A turn before the night; with a reason it is set aside at once. */
export interface PlannedTurn {
  readonly gateway: string;
  readonly lab: string;
  readonly expected: readonly string[];
  /** Excluded by equipment or profile. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly setAside?: string;
  readonly conditions?: Conditions;
  /** The hold that was granted for it. */
  readonly holdId?: string;
}

/** A night whose command gave no sign of life for this time was killed. */
export const nightTtlMs = 45_000;

export function startNight(
  database: FleetDatabase,
  night: FleetNightStart,
  turns: readonly PlannedTurn[],
): Promise<number> {
  return database.together(async (queries) => {
    const {
      startedBy,
      level,
      selection,
      seed,
      retries,
      limitMs,
      suiteVersion,
      quarantined = [],
      causeOf,
      kind = "night",
      aliveMs = nightTtlMs,
    } = night;
    const [row] = await queries.rows(
      Type.Object({ id: Type.Integer() }),
      `INSERT INTO rackproof.night
         (started_at, started_by, level, selection, seed, retries, limit_ms, suite_version, quarantined, cause_of,
          kind, state, expires_at)
       VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $9, $10, $11, 'running',
         clock_timestamp() + $8 * interval '1 millisecond') RETURNING id`,
      [
        startedBy,
        level,
        selection,
        seed,
        retries,
        limitMs,
        suiteVersion,
        aliveMs,
        JSON.stringify(quarantined),
        causeOf ?? null,
        kind,
      ],
    );
    if (row === undefined) throw new Error("the night has no number");
    for (const { gateway, lab, expected, leftOut, setAside, conditions = {}, holdId } of turns) {
      await queries.run(
        `INSERT INTO rackproof.turn (night, gateway, lab, expected, left_out, conditions, hold_id, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued')`,
        [
          row.id,
          gateway,
          lab,
          JSON.stringify(expected),
          JSON.stringify(Object.fromEntries(leftOut)),
          JSON.stringify(conditions),
          holdId ?? null,
        ],
      );
      if (setAside !== undefined) await setTurnAside(queries, { night: row.id, gateway }, setAside);
    }
    return row.id;
  });
}

/** A sign of life of the night's command; a night that was taken for killed runs again. */
export async function beatNight(queries: Queries, night: number, aliveMs = nightTtlMs): Promise<void> {
  await queries.run(
    `UPDATE rackproof.night SET state = 'running', ended_at = NULL,
       expires_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = $1`,
    [night, aliveMs],
  );
}

export async function endNight(
  queries: Queries,
  night: number,
  state: "finished" | "interrupted",
  exitCode: number,
): Promise<void> {
  await queries.run(
    "UPDATE rackproof.night SET state = $2, exit_code = $3, ended_at = clock_timestamp() WHERE id = $1",
    [night, state, exitCode],
  );
}

/** Ends nights whose command was killed, which frees their gateways. */
export async function settleKilledNights(queries: Queries): Promise<void> {
  await queries.run(
    `UPDATE rackproof.night SET state = 'killed', ended_at = clock_timestamp()
     WHERE state = 'running' AND expires_at <= clock_timestamp()`,
  );
}

const Conclusion = Type.Object({ outcome: Type.Enum([...outcomes]), reason: Type.Optional(Type.String()) });
export const Conclusions = Type.Object({
  cases: Type.Record(Type.String(), Conclusion),
  requirements: Type.Record(Type.String(), Conclusion),
  firmware: Type.Optional(Type.String()),
  profile: Type.Optional(Type.String()),
  withoutParts: Type.Array(Type.String()),
});

const optional = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const TurnRow = Type.Object({
  gateway: Type.String(),
  lab: Type.String(),
  state: Type.String(),
  note: optional(Type.String()),
  fence: optional(Type.Number()),
  running_ms: optional(Type.Number()),
  outcome: optional(Type.Enum([...turnOutcomes])),
  reason: optional(Type.String()),
  exit_code: optional(Type.Integer()),
  expected: Type.Array(Type.String()),
  conclusions: optional(Conclusions),
});
export type TurnRow = Static<typeof TurnRow>;

/** All turns of the night, or those that have ended since the given ones did. */
export function readTurns(
  queries: Queries,
  night: number,
  known: readonly string[] = [],
): Promise<TurnRow[]> {
  return queries.rows(
    TurnRow,
    `SELECT gateway, lab, state, note, fence::float8 AS fence, outcome, reason, exit_code, expected, conclusions,
       (extract(epoch FROM clock_timestamp() - begun_at) * 1000)::float8 AS running_ms
     FROM rackproof.turn WHERE night = $1 AND NOT (gateway = ANY ($2)) ORDER BY gateway`,
    [night, known],
  );
}

/** Ends a turn that has no result; one that has its result by now remains as it is. */
export async function setTurnAside(
  queries: Queries,
  { night, gateway }: TurnName,
  reason: string,
): Promise<void> {
  await queries.run(
    `UPDATE rackproof.turn SET state = 'set-aside', outcome = 'set-aside', reason = $3, exit_code = 3,
       ended_at = clock_timestamp()
     WHERE night = $1 AND gateway = $2 AND state IN ('queued', 'running')`,
    [night, gateway, reason],
  );
}

const OrderRow = Type.Object({
  level: Type.Enum([...campaignLevels]),
  selection: Type.String(),
  seed: Type.Number(),
  retries: Type.Integer(),
  limit_ms: Type.Number(),
  expected: Type.Array(Type.String()),
  left_out: Type.Record(Type.String(), Type.String()),
  quarantined: Type.Array(ExpectedFailure),
  conditions: Conditions,
  /** Every case is repeated, whatever its verdict. */
  repeats_all: Type.Boolean(),
  kind: Type.Enum([...turnKinds]),
  started_by: Type.String(),
  /** The hold that was granted for the turn. */
  hold_id: optional(Type.String()),
  /** Of its last run. */
  fence: optional(Type.Number()),
});
export type TurnOrder = Static<typeof OrderRow>;

/** What the turn consists of; undefined when it is not waiting, or its night has ended. */
export async function readOrder(
  queries: Queries,
  { night, gateway }: TurnName,
): Promise<TurnOrder | undefined> {
  const [row] = await queries.rows(
    OrderRow,
    `SELECT level, selection, seed::float8 AS seed, retries, limit_ms, expected, left_out, quarantined, conditions,
       cause_of IS NOT NULL AS repeats_all, kind, started_by, hold_id, fence::float8 AS fence
     FROM rackproof.turn JOIN rackproof.night ON night.id = turn.night
     WHERE turn.night = $1 AND gateway = $2 AND turn.state = 'queued' AND night.state = 'running'`,
    [night, gateway],
  );
  return row;
}

/** Begins the turn under a valid hold; false when another run has begun it, or the hold or the night has ended. */
export async function beginTurn(
  queries: Queries,
  { night, gateway }: TurnName,
  session: string,
  hold: { readonly id: string; readonly fence: number },
): Promise<boolean> {
  const begun = await queries.run(
    `UPDATE rackproof.turn SET state = 'running', session = $3, fence = $5, note = NULL, begun_at = clock_timestamp()
     FROM rackproof.night, rackproof.hold
     WHERE turn.night = $1 AND turn.gateway = $2 AND turn.state = 'queued' AND night.id = turn.night
       AND night.state = 'running' AND hold.id = $4 AND hold.fence = $5 AND hold.expires_at > clock_timestamp()`,
    [night, gateway, session, hold.id, hold.fence],
  );
  return begun > 0;
}

/** Queues the turn again, as long as no later run has begun it. */
export async function requeueTurn(
  queries: Queries,
  { night, gateway }: TurnName,
  fence: number,
): Promise<void> {
  await queries.run(
    `UPDATE rackproof.turn SET state = 'queued'
     WHERE night = $1 AND gateway = $2 AND fence = $3 AND state = 'running'`,
    [night, gateway, fence],
  );
}

/** One word for a turn. */
export function turnKey({ night, gateway }: TurnName): string {
  return `${night} ${gateway}`;
}

/**
 * Settles what an outage has left of runs that have ended: holds without a release, and turns without a result, which are
 * queued again. Answers these turns. Results that wait on the disk are pushed before.
 */
export function settleRuns(database: FleetDatabase, holdIds: readonly string[]): Promise<QueuedTurn[]> {
  return database.together(async (queries) => {
    await endLostHolds(queries, holdIds);
    return queries.rows(
      queuedTurnSchema,
      `UPDATE rackproof.turn SET state = 'queued' FROM rackproof.past_hold, rackproof.night
       WHERE night.id = turn.night AND past_hold.id = ANY ($1) AND turn.gateway = past_hold.wire AND turn.fence = past_hold.fence
         AND turn.state = 'running' RETURNING turn.night, turn.gateway, kind, hold_id AS hold`,
      [holdIds],
    );
  });
}

/** Why the turn waits. */
export async function noteTurn(queries: Queries, { night, gateway }: TurnName, note: string): Promise<void> {
  await queries.run(
    "UPDATE rackproof.turn SET note = $3 WHERE night = $1 AND gateway = $2 AND state = 'queued'",
    [night, gateway, note],
  );
}

/** Those of these nights that have ended. */
export async function endedNights(queries: Queries, nights: readonly number[]): Promise<Set<number>> {
  // Whatever the state of a turn: an interrupted night has set it aside before its run has ended.
  const rows = await queries.rows(
    Type.Object({ id: Type.Integer() }),
    "SELECT id FROM rackproof.night WHERE id = ANY ($1::text[]::integer[]) AND state <> 'running'",
    [nights.map(String)],
  );
  return new Set(rows.map(({ id }) => id));
}

const NightRow = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum([...turnKinds]),
  started_by: Type.String(),
  started_ms: Type.Number(),
  state: Type.String(),
  waiting: Type.Number(),
  ended: Type.Number(),
});

/** Nights and runs under way. */
export function runningNights(queries: Queries): Promise<Static<typeof NightRow>[]> {
  return queries.rows(
    NightRow,
    `SELECT id, kind, started_by, night.state, (extract(epoch FROM started_at) * 1000)::float8 AS started_ms,
       (count(*) FILTER (WHERE turn.state IN ('queued', 'running')))::float8 AS waiting,
       (count(*) FILTER (WHERE turn.state IN ('done', 'set-aside')))::float8 AS ended
     FROM rackproof.night JOIN rackproof.turn ON turn.night = night.id
     WHERE night.state = 'running' GROUP BY night.id ORDER BY night.id`,
  );
}
