// Reads the nights of a fleet back: few statements, whatever the number of gateways and nights.
import Type, { type Static } from "typebox";
import { campaignLevels } from "../../interface/vocabulary/levels.ts";
import {
  type FleetHistory,
  type FleetLab,
  type FleetTurn,
  type FleetUnit,
  type LastResult,
  type TrendNight,
  turnOutcomes,
} from "../../record/index.ts";
import { readCauses } from "./causeTables.ts";
import type { Queries } from "./database.ts";
import { type Lab, listGateways, listLabs } from "./register.ts";
import { decodeVerdicts, readRequirements } from "./verdicts.ts";

export interface HistoryWish {
  /** The newest nights. */
  readonly nights: number;
  /** A gateway without a result for this time is stale. */
  readonly staleAfterHours: number;
  /** The last night; the newest one when absent. */
  readonly until?: number;
}

export const defaultNights = 60;
/** A night a day, and two hours for a longer one. */
export const defaultStaleHours = 26;

const optional = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const instant = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const NightRow = Type.Object({
  id: Type.Integer(),
  started_at: Type.String(),
  level: Type.Enum([...campaignLevels]),
  selection: Type.String(),
  suite_version: Type.String(),
  state: Type.Enum(["running", "finished", "interrupted", "killed"]),
  exit_code: optional(Type.Integer()),
});
// One row a gateway: a year of a fleet has 100,000 results, and a row of each would take most of the time.
const VerdictsRow = Type.Object({
  gateway: Type.String(),
  nights: Type.String(),
  lines: Type.String(),
  firmware: Type.Array(optional(Type.String())),
});
const TurnsRow = Type.Object({ gateway: Type.String(), nights: Type.String(), outcomes: Type.String() });
const NoteRow = Type.Object({
  gateway: Type.String(),
  night: Type.Integer(),
  reason: optional(Type.String()),
  running_since: optional(Type.String()),
});
const LastRow = Type.Object({ gateway: Type.String(), at: Type.String(), hours: Type.Number() });
const DetailRow = Type.Object({
  gateway: Type.String(),
  reasons: optional(Type.Record(Type.String(), Type.String())),
  evidence: optional(Type.String()),
});

export async function readFleetHistory(
  queries: Queries,
  { nights: mostNights, staleAfterHours, until }: HistoryWish,
): Promise<FleetHistory> {
  const nights = await readNights(queries, mostNights, until ?? 2 ** 31 - 1);
  // A requirement that is tested for the first time has its place before its verdict is stored.
  const [verdicts, turns, notes, lasts, gateways, labs, causes] = await Promise.all([
    readVerdicts(queries, nights),
    readTurns(queries, nights),
    readNotes(queries, nights),
    readLast(queries),
    listGateways(queries, {}),
    listLabs(queries),
    readCauses(queries, ...firstAndLast(nights)),
  ]);
  const ids = await readRequirements(queries);
  const column = new Map(nights.map(({ id }, index) => [id, index]));
  const notesOf = Map.groupBy(notes, ({ gateway }) => gateway);
  const lastOf = new Map(lasts.map((row) => [row.gateway, row]));
  const cells = gateways.map(({ id }) => ({
    turns: turnCells(turns.get(id), verdicts.get(id), notesOf.get(id) ?? [], column),
    results: resultCells(verdicts.get(id), column, ids.length),
  }));
  const newest = new Map(
    gateways.flatMap(({ id }, index) => {
      const night = nights[cells[index]?.results.findLastIndex((codes) => codes !== undefined) ?? -1];
      return night === undefined ? [] : [[id, night.id] as const];
    }),
  );
  const details = await readDetails(queries, newest);
  const units = gateways.map(({ id, lab, labels }, index): FleetUnit => {
    const known = lastOf.get(id);
    const last = lastResult(column.get(newest.get(id) ?? 0), details.get(id));
    return {
      name: id,
      lab,
      labels,
      turns: cells[index]?.turns ?? [],
      results: cells[index]?.results ?? [],
      ...(last === undefined ? {} : { last }),
      ...(known === undefined ? {} : { lastResultAt: known.at }),
      ...(known !== undefined && known.hours > staleAfterHours ? { staleHours: known.hours } : {}),
    };
  });
  const [now] = await queries.rows(
    Type.Object({ at: Type.String() }),
    `SELECT ${instant("clock_timestamp()")} AS at`,
  );
  return {
    madeAt: now?.at ?? "",
    requirements: ids.map((id) => id ?? ""),
    nights,
    labs: labs.map(toLab),
    units,
    staleAfterHours,
    ...(causes.length === 0 ? {} : { causes }),
  };
}

type Columns = ReadonlyMap<number, number>;

/** All nights of a gateway in one piece of memory. */
function resultCells(
  row: Static<typeof VerdictsRow> | undefined,
  column: Columns,
  count: number,
): (Uint8Array | undefined)[] {
  const cells: (Uint8Array | undefined)[] = Array.from({ length: column.size }, () => undefined);
  if (row === undefined) return cells;
  const lines = row.lines.split(" ");
  const memory = new Uint8Array(lines.length * count);
  for (const [index, night] of row.nights.split(" ").entries()) {
    const place = column.get(Number(night));
    const codes = memory.subarray(index * count, (index + 1) * count);
    decodeVerdicts(lines[index] ?? "", codes);
    if (place !== undefined) cells[place] = codes;
  }
  return cells;
}

function turnCells(
  row: Static<typeof TurnsRow> | undefined,
  verdicts: Static<typeof VerdictsRow> | undefined,
  notes: readonly Static<typeof NoteRow>[],
  column: Columns,
): (FleetTurn | undefined)[] {
  const cells: (FleetTurn | undefined)[] = Array.from({ length: column.size }, () => undefined);
  const outcomes = row?.outcomes.split(" ") ?? [];
  for (const [index, night] of (row?.nights.split(" ") ?? []).entries()) {
    const place = column.get(Number(night));
    const outcome = turnOutcomes.find((one) => one === outcomes[index]);
    if (place !== undefined) cells[place] = { outcome: outcome ?? "waiting" };
  }
  const add = (night: number, facts: Partial<FleetTurn>): void => {
    const place = column.get(night);
    const cell = place === undefined ? undefined : cells[place];
    if (place !== undefined && cell !== undefined) cells[place] = { ...cell, ...facts };
  };
  for (const [index, night] of (verdicts?.nights.split(" ") ?? []).entries()) {
    const firmware = verdicts?.firmware[index];
    if (typeof firmware === "string") add(Number(night), { firmware });
  }
  for (const { night, reason, running_since } of notes)
    add(night, {
      ...(reason === null ? {} : { reason }),
      ...(running_since === null ? {} : { runningSince: running_since }),
    });
  return cells;
}

function lastResult(
  night: number | undefined,
  detail: Static<typeof DetailRow> | undefined,
): LastResult | undefined {
  if (night === undefined) return undefined;
  // Without the identifier of the machine's last start.
  const evidence = detail?.evidence?.replace(/^([^/:]+)\/[^:]*:/, "$1:");
  return {
    night,
    reasons: new Map(Object.entries(detail?.reasons ?? {})),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

async function readNights(queries: Queries, most: number, until: number): Promise<TrendNight[]> {
  const rows = await queries.rows(
    NightRow,
    `SELECT id, ${instant("started_at")} AS started_at, level, selection, suite_version, state, exit_code
     FROM rackproof.night WHERE id <= $2 AND cause_of IS NULL AND kind = 'night' ORDER BY id DESC LIMIT $1`,
    [most, until],
  );
  return rows.toReversed().map(({ id, started_at, level, selection, suite_version, state, exit_code }) => ({
    id,
    startedAt: started_at,
    level,
    selection,
    suiteVersion: suite_version,
    state,
    ...(exit_code === null ? {} : { exitCode: exit_code }),
  }));
}

const firstAndLast = (nights: readonly TrendNight[]): [number, number] => [
  nights[0]?.id ?? 1,
  nights.at(-1)?.id ?? 0,
];

async function readVerdicts(
  queries: Queries,
  nights: readonly TrendNight[],
): Promise<Map<string, Static<typeof VerdictsRow>>> {
  const rows = await queries.rows(
    VerdictsRow,
    `SELECT gateway, string_agg(night::text, ' ') AS nights, string_agg(line, ' ') AS lines, json_agg(firmware) AS firmware
     FROM rackproof.verdicts WHERE night BETWEEN $1 AND $2 GROUP BY gateway`,
    firstAndLast(nights),
  );
  return new Map(rows.map((row) => [row.gateway, row]));
}

async function readTurns(
  queries: Queries,
  nights: readonly TrendNight[],
): Promise<Map<string, Static<typeof TurnsRow>>> {
  const rows = await queries.rows(
    TurnsRow,
    `SELECT gateway, string_agg(night::text, ' ') AS nights, string_agg(coalesce(outcome, 'waiting'), ' ') AS outcomes
     FROM rackproof.turn WHERE night BETWEEN $1 AND $2 GROUP BY gateway`,
    firstAndLast(nights),
  );
  return new Map(rows.map((row) => [row.gateway, row]));
}

/** Reasons of turns, which few have, and turns under way. */
function readNotes(queries: Queries, nights: readonly TrendNight[]): Promise<Static<typeof NoteRow>[]> {
  return queries.rows(
    NoteRow,
    `SELECT gateway, night, reason, CASE state WHEN 'running' THEN ${instant("begun_at")} END AS running_since
     FROM rackproof.turn WHERE night BETWEEN $1 AND $2 AND (reason IS NOT NULL OR state = 'running')`,
    firstAndLast(nights),
  );
}

/** The newest result of each gateway, in whatever night; a gateway that was not run has none. */
function readLast(queries: Queries): Promise<Static<typeof LastRow>[]> {
  return queries.rows(
    LastRow,
    `SELECT gateway.id AS gateway, ${instant("newest.ended_at")} AS at,
       (extract(epoch FROM clock_timestamp() - newest.ended_at) / 3600)::float8 AS hours
     FROM rackproof.gateway CROSS JOIN LATERAL (
       SELECT turn.ended_at FROM rackproof.turn JOIN rackproof.night ON night.id = turn.night
       WHERE turn.gateway = gateway.id AND turn.state = 'done' AND turn.outcome <> 'set-aside' AND cause_of IS NULL
         AND kind = 'night' ORDER BY turn.night DESC LIMIT 1) AS newest`,
  );
}

async function readDetails(
  queries: Queries,
  newest: ReadonlyMap<string, number>,
): Promise<Map<string, Static<typeof DetailRow>>> {
  const rows = await queries.rows(
    DetailRow,
    `SELECT wanted.gateway, verdict_reasons.reasons, result.evidence
     FROM unnest($1::text[], $2::text[]::integer[]) AS wanted (gateway, night)
     LEFT JOIN rackproof.verdict_reasons USING (night, gateway)
     LEFT JOIN rackproof.result ON result.night = wanted.night AND result.gateway = wanted.gateway AND result.attempt = 1`,
    [[...newest.keys()], [...newest.values()].map(String)],
  );
  return new Map(rows.map((row) => [row.gateway, row]));
}

function toLab({ name, host, state, alive, silent_ms }: Lab): FleetLab {
  return {
    name,
    // Without the identifier of the machine's last start.
    host: host.split("/")[0] ?? host,
    state: state === "stopped" ? "stopped" : alive ? "running" : "silent",
    silentMs: silent_ms,
  };
}
