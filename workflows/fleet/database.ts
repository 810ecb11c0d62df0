// Access to the database of a fleet. The driver is loaded by the commands of a fleet only.
import type { Pool, PoolClient } from "pg";
import type { Static, TSchema } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { DatabaseAddress } from "./address.ts";
import { UsageError, messageOf } from "../../record/index.ts";

export type Value = string | number | boolean | null | readonly string[];

/** Statements, in a transaction or outside of one. */
export interface Queries {
  /** Rows, each checked against its schema. */
  rows<S extends TSchema>(schema: S, sql: string, values?: readonly Value[]): Promise<Static<S>[]>;
  /** Runs a statement; answers the number of rows it concerned. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
}

/** Waits for a connection or an answer end after this time: a lost network must not hang a lab. */
const connectWithinMs = 5000;
const answerWithinMs = 15_000;
const statementWithinMs = 10_000;
const connections = 4;

export class FleetDatabase implements Queries, AsyncDisposable {
  readonly address: DatabaseAddress;
  readonly #pool: Pool;

  private constructor(address: DatabaseAddress, pool: Pool) {
    this.address = address;
    this.#pool = pool;
  }

  /** Connects; throws a UsageError when the database does not answer. */
  static async open(address: DatabaseAddress): Promise<FleetDatabase> {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({
      connectionString: address.url,
      application_name: "rackproof",
      max: connections,
      connectionTimeoutMillis: connectWithinMs,
      query_timeout: answerWithinMs,
      statement_timeout: statementWithinMs,
      idle_in_transaction_session_timeout: statementWithinMs,
      keepAlive: true,
    });
    // A connection that breaks while idle is replaced at the next statement, which reports the failure.
    pool.on("error", () => undefined);
    const database = new FleetDatabase(address, pool);
    try {
      await database.run("SELECT 1");
      return database;
    } catch (thrown) {
      await pool.end();
      throw new UsageError(
        "FLEET_UNREACHABLE",
        `database ${address.shown}: cannot be used (${failureText(thrown)})`,
      );
    }
  }

  rows<S extends TSchema>(schema: S, sql: string, values: readonly Value[] = []): Promise<Static<S>[]> {
    return queriesOn(this.#pool, this.address).rows(schema, sql, values);
  }

  run(sql: string, values: readonly Value[] = []): Promise<number> {
    return queriesOn(this.#pool, this.address).run(sql, values);
  }

  /** One transaction: all of its statements take effect, or none. */
  async together<T>(action: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = true;
    try {
      await client.query("BEGIN");
      const answer = await action(queriesOn(client, this.address));
      await client.query("COMMIT");
      broken = false;
      return answer;
    } catch (thrown) {
      broken = await client.query("ROLLBACK").then(
        () => false,
        () => true,
      );
      throw thrown;
    } finally {
      client.release(broken);
    }
  }

  /** For the statements of the dispatcher. */
  async executeSql(text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> {
    const query = this.#pool.query<Record<string, unknown>>(text, values);
    const { rows } = await query.catch((thrown: unknown) => rethrown(thrown, this.address));
    return { rows };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

function queriesOn(target: Pool | PoolClient, address: DatabaseAddress): Queries {
  return {
    async rows(schema, sql, values = []) {
      const { rows } = await target
        .query<Record<string, unknown>>(sql, [...values])
        .catch((thrown: unknown) => rethrown(thrown, address));
      return rows.map((row) => parsed(schema, row));
    },
    async run(sql, values = []) {
      const { rowCount } = await target
        .query(sql, [...values])
        .catch((thrown: unknown) => rethrown(thrown, address));
      return rowCount ?? 0;
    },
  };
}

/** A user without the right has a remedy; every other failure is the caller's. */
function rethrown(thrown: unknown, { shown }: DatabaseAddress): never {
  if (thrown instanceof Error && "code" in thrown && thrown.code === "42501")
    throw new UsageError("FLEET_ROLE", `database ${shown}: this user may not do that (${thrown.message})`);
  throw thrown;
}

function parsed<S extends TSchema>(schema: S, row: unknown): Static<S> {
  const [problem] = checker(schema)(row);
  if (problem !== undefined)
    throw new Error(
      `the database of the fleet is damaged: ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return row as Static<S>;
}

/** A name with several addresses fails with one error for each. */
export function failureText(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(messageOf).join("; ");
  return messageOf(thrown);
}
