// Holds of a fleet in PostgreSQL: every time is of the database's clock, every hold has a number of one sequence.
import Type, { type Static } from "typebox";
import type { HoldAnswer, HoldRecord, HoldWish, Holds } from "../leases/holds.ts";
import type { Queries } from "./database.ts";

export interface FleetHold extends HoldRecord {
  readonly purpose: string;
  /** Time to its expiry when it was read. */
  readonly leftMs: number;
}

export interface FleetWish extends HoldWish {
  /** What it is for, as `rackproof who` shows it. */
  readonly purpose?: string;
}

export const HoldRow = Type.Object({
  id: Type.String(),
  gateway: Type.String(),
  owner: Type.String(),
  purpose: Type.String(),
  fence: Type.Number(),
  taken_ms: Type.Number(),
  left_ms: Type.Number(),
});

export const holdColumns = `id, gateway, owner, purpose, fence::float8 AS fence,
  (extract(epoch FROM taken_at) * 1000)::float8 AS taken_ms,
  (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS left_ms`;
const valid = "expires_at > clock_timestamp()";

/** Ends holds that the condition selects; their record remains. */
const endHolds = (condition: string, ending: string): string =>
  `WITH ended AS (DELETE FROM rackproof.hold WHERE ${condition} RETURNING *)
   INSERT INTO rackproof.past_hold
   SELECT wire, fence, id, gateway, owner, purpose, taken_at, least(expires_at, clock_timestamp()), '${ending}' FROM ended`;

export class FleetHolds implements Holds {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async take(wish: FleetWish): Promise<HoldAnswer<FleetHold>> {
    const { id, gateway, owner, purpose = "", wires, ttlMs, limitMs } = wish;
    const [row] = await this.#queries.rows(
      HoldRow,
      `SELECT ${holdColumns} FROM rackproof.take_hold($1, $2, $3, $4, $5, $6, $7)`,
      [wires, id, gateway, owner, purpose, ttlMs, limitMs],
    );
    if (row === undefined) throw new Error(`gateway ${gateway}: no wire to take`);
    const hold = toHold(row);
    return hold.id === id ? { taken: hold } : { heldBy: hold };
  }

  async renew(id: string, ttlMs: number): Promise<number | undefined> {
    const [row] = await this.#queries.rows(
      Type.Object({ left_ms: Type.Number() }),
      `UPDATE rackproof.hold SET expires_at = least(clock_timestamp() + $2 * interval '1 millisecond', limit_at)
       WHERE id = $1 AND ${valid} AND NOT revoked
       RETURNING (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS left_ms`,
      [id, ttlMs],
    );
    return row?.left_ms;
  }

  async release(id: string): Promise<void> {
    await this.#queries.run("SELECT rackproof.release_hold($1)", [id]);
  }

  /** Refuses further renewals: the holder ends its run and releases the wires. */
  async revoke(id: string): Promise<void> {
    await this.#queries.run("SELECT rackproof.revoke_hold($1)", [id]);
  }

  /** Extends a hold that waits for its agent, and never shortens it. */
  async prolong(id: string, ttlMs: number): Promise<void> {
    await this.#queries.run(
      `UPDATE rackproof.hold
       SET expires_at = greatest(expires_at, least(clock_timestamp() + $2 * interval '1 millisecond', limit_at))
       WHERE id = $1 AND ${valid} AND NOT revoked`,
      [id, ttlMs],
    );
  }

  async find(id: string): Promise<FleetHold | undefined> {
    return (await this.#select("id = $1", [id]))[0];
  }

  async holderOf(wire: string): Promise<FleetHold | undefined> {
    return (await this.#select("wire = $1", [wire]))[0];
  }

  /** All valid holds, by gateway. */
  all(): Promise<FleetHold[]> {
    return this.#select("true", []);
  }

  #select(condition: string, values: readonly string[]): Promise<FleetHold[]> {
    return this.#queries
      .rows(
        HoldRow,
        `SELECT DISTINCT ON (gateway, fence) ${holdColumns} FROM rackproof.hold
         WHERE ${condition} AND ${valid} ORDER BY gateway, fence`,
        values,
      )
      .then((rows) => rows.map(toHold));
  }
}

/** Ends the holds of former processes of an agent, whose identifiers begin with the prefix. */
export async function endFormerHolds(queries: Queries, prefix: string): Promise<void> {
  await queries.run(endHolds("starts_with(id, $1)", "the agent started anew"), [prefix]);
}

/** Holds of an agent that were revoked. */
export async function revokedHolds(queries: Queries, prefix: string): Promise<string[]> {
  const rows = await queries.rows(
    Type.Object({ id: Type.String() }),
    "SELECT id FROM rackproof.hold WHERE revoked AND starts_with(id, $1)",
    [prefix],
  );
  return rows.map(({ id }) => id);
}

/** Ends holds whose release was lost. */
export async function endLostHolds(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.run(endHolds("id = ANY ($1)", "released late"), [ids]);
}

export function toHold({ taken_ms, left_ms, ...row }: Static<typeof HoldRow>): FleetHold {
  return { ...row, takenAt: new Date(taken_ms).toISOString(), leftMs: left_ms };
}
