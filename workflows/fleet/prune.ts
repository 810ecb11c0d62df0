// Removes from the database what is older than a fleet wants to keep; evidence stays on the hosts.
import type { FleetDatabase } from "./database.ts";

/** Tables with rows of a turn, and the turn itself, in the order in which they can be removed. */
const ofTurns = ["cause", "tail", "verdicts", "verdict_reasons", "result", "turn"] as const;

/** What was removed. */
export interface Pruned {
  readonly nights: number;
  readonly turns: number;
  readonly results: number;
  /** Ended uses of gateways. */
  readonly holds: number;
}

/**
 * Removes nights and runs that ended more than `days` days ago with all that belongs to them, and uses of gateways that
 * ended before that. A night stays while a later search for the cause of its failures stays.
 */
export function pruneFleet(database: FleetDatabase, days: number): Promise<Pruned> {
  return database.together(async (queries) => {
    const age = "clock_timestamp() - $1 * interval '1 day'";
    const isOld = (night: string): string =>
      `${night}.state <> 'running' AND coalesce(${night}.ended_at, ${night}.expires_at) < ${age}`;
    const old = `SELECT id FROM rackproof.night WHERE ${isOld("night")} AND NOT EXISTS (
      SELECT FROM rackproof.night AS later WHERE later.cause_of = night.id AND NOT (${isOld("later")}))`;
    const removed = new Map<string, number>();
    for (const table of ofTurns)
      removed.set(table, await queries.run(`DELETE FROM rackproof.${table} WHERE night IN (${old})`, [days]));
    const nights = await queries.run(`DELETE FROM rackproof.night WHERE id IN (${old})`, [days]);
    await queries.run(`DELETE FROM rackproof.act WHERE at < ${age}`, [days]);
    const holds = await queries.run(`DELETE FROM rackproof.past_hold WHERE ended_at < ${age}`, [days]);
    return { nights, turns: removed.get("turn") ?? 0, results: removed.get("result") ?? 0, holds };
  });
}
