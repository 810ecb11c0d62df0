// Reads the nights of a history back as rows of cells, one column a night.
import type { DatabaseSync } from "node:sqlite";
import Type, { type Static } from "typebox";
import { campaignLevels } from "../../interface/vocabulary/levels.ts";
import {
  type Cell,
  outcomes,
  type Trend,
  type TrendGateway,
  type TrendNight,
  type TrendTurn,
  turnOutcomes,
} from "../../record/index.ts";
import { changesOf } from "./changes.ts";
import type { History } from "./history.ts";
import { rows } from "./rows.ts";
import { readMeasured, slowerLately, slowerNow } from "./slower.ts";

const Optional = Type.Union([Type.String(), Type.Null()]);
const NightRow = Type.Object({
  id: Type.Integer(),
  started_at: Type.String(),
  level: Type.Enum([...campaignLevels]),
  selection: Type.String(),
  suite_version: Type.String(),
  rack: Type.String(),
  state: Type.Enum(["running", "finished", "interrupted", "killed"]),
  exit_code: Type.Union([Type.Integer(), Type.Null()]),
});
const TurnRow = Type.Object({
  night: Type.Integer(),
  gateway: Type.String(),
  outcome: Type.Enum([...turnOutcomes]),
  reason: Optional,
  firmware: Optional,
  profile: Optional,
  without_parts: Type.String(),
  attempts: Type.Integer(),
  folder: Optional,
});
const CellRow = Type.Object({
  night: Type.Integer(),
  gateway: Type.String(),
  subject: Type.String(),
  outcome: Type.Enum([...outcomes]),
  reason: Optional,
});

/** The last nights up to the given one, and its changes. */
export function readTrend({ database }: History, night: number, mostNights = 60): Trend {
  const found = rows(
    database,
    NightRow,
    "SELECT * FROM night WHERE id <= ? ORDER BY id DESC LIMIT ?",
    night,
    mostNights,
  ).toReversed();
  const nights = found.map(toNight);
  const column = new Map(nights.map(({ id }, index) => [id, index]));
  const first = nights[0]?.id ?? night;
  const turns = rows(
    database,
    TurnRow,
    `SELECT turn.*, (SELECT count(*) FROM attempt WHERE attempt.night = turn.night AND attempt.gateway = turn.gateway) AS attempts,
       (SELECT attempt.folder FROM attempt JOIN night ON night.id = attempt.night
        WHERE attempt.night = turn.night AND attempt.gateway = turn.gateway AND number = 1 AND kept = 1) AS folder
     FROM turn WHERE turn.night BETWEEN ? AND ?`,
    first,
    night,
  );
  const cells = (table: "case_outcome" | "requirement_outcome", subject: string) =>
    Map.groupBy(
      rows(
        database,
        CellRow,
        `SELECT night, gateway, ${subject} AS subject, outcome, reason FROM ${table} WHERE night BETWEEN ? AND ?`,
        first,
        night,
      ),
      (row) => row.gateway,
    );
  const cases = cells("case_outcome", "case_id");
  const requirements = cells("requirement_outcome", "requirement");
  const names = [...new Set(turns.filter((row) => row.night === night).map((row) => row.gateway))];
  const measured = new Map(names.map((name) => [name, readMeasured(database, name, nights)]));
  const gateways = names.toSorted().map((name): TrendGateway => {
    const row: (TrendTurn | undefined)[] = nights.map(() => undefined);
    for (const turn of turns) if (turn.gateway === name) row[column.get(turn.night) ?? 0] = toTurn(turn);
    return {
      name,
      turns: row,
      cases: toRows(cases.get(name) ?? [], column),
      requirements: toRows(requirements.get(name) ?? [], column),
      leftOut: readLeftOut(database, night, name),
      slower: slowerNow(measured.get(name) ?? []),
    };
  });
  const before = new Map(names.map((name) => [name, slowerLately(measured.get(name) ?? [])]));
  return {
    rack: found.at(-1)?.rack ?? "",
    nights,
    gateways,
    changes: changesOf(nights, gateways, before),
  };
}

function toNight(row: Static<typeof NightRow>): TrendNight {
  return {
    id: row.id,
    startedAt: row.started_at,
    level: row.level,
    selection: row.selection,
    suiteVersion: row.suite_version,
    state: row.state,
    ...(row.exit_code === null ? {} : { exitCode: row.exit_code }),
  };
}

function toTurn(row: Static<typeof TurnRow>): TrendTurn {
  const parts: unknown = JSON.parse(row.without_parts);
  return {
    outcome: row.outcome,
    withoutParts: Array.isArray(parts) ? parts.map(String) : [],
    attempts: row.attempts,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.firmware === null ? {} : { firmware: row.firmware }),
    ...(row.profile === null ? {} : { profile: row.profile }),
    ...(row.folder === null ? {} : { folder: row.folder }),
  };
}

function toRows(
  all: readonly Static<typeof CellRow>[],
  column: ReadonlyMap<number, number>,
): Map<string, (Cell | undefined)[]> {
  const found = new Map<string, (Cell | undefined)[]>();
  for (const { night, subject, outcome, reason } of all) {
    const row = found.get(subject) ?? Array.from({ length: column.size }, () => undefined);
    found.set(subject, row);
    row[column.get(night) ?? 0] = reason === null ? { outcome } : { outcome, reason };
  }
  return found;
}

const LeftOutRow = Type.Object({ case_id: Type.String(), reason: Type.String() });

function readLeftOut(database: DatabaseSync, night: number, gateway: string): Map<string, string> {
  const query = "SELECT case_id, reason FROM left_out WHERE night = ? AND gateway = ?";
  return new Map(rows(database, LeftOutRow, query, night, gateway).map((row) => [row.case_id, row.reason]));
}
