// The gateway's durable state: one SQLite file in the state folder. Acknowledged changes survive the end of the process,
// and a power cut of the machine where every one waits for the disk.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

interface StoreOptions {
  /** Defaults of settings that differ from what the groups say, by the setting's name. */
  readonly defaults?: Readonly<Record<string, object>>;
  /** The number after which ids begin. */
  readonly idsAfter?: number;
  /** A change is on the disk when the call returns; by default it is. */
  readonly isSynced?: boolean;
}

export class Store implements Disposable {
  readonly database: DatabaseSync;
  readonly options: StoreOptions;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /** Opens or creates the database file. */
  constructor(file: string, options: StoreOptions = {}) {
    this.options = options;
    this.database = new DatabaseSync(file);
    const synchronous = (options.isSynced ?? true) ? "FULL" : "OFF";
    this.database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; PRAGMA foreign_keys=ON;`);
    this.database.exec(
      "CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    );
  }

  /** Creates a module's tables; the statements must be repeatable (IF NOT EXISTS). */
  define(sql: string): void {
    this.database.exec(sql);
    const { idsAfter = 0 } = this.options;
    if (idsAfter > 0 && sql.includes("AUTOINCREMENT"))
      this.database.exec(
        `INSERT INTO sqlite_sequence (name, seq) SELECT name, ${idsAfter} FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'
          AND name NOT IN (SELECT name FROM sqlite_sequence)`,
      );
  }

  /** A prepared statement, prepared once per text. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.statement(sql).all(...values) as Record<string, unknown>[];
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.statement(sql).get(...values) as Record<string, unknown> | undefined;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.statement(sql).run(...values);
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  /** Runs the body atomically and durably; nested calls join the outer transaction. */
  transaction<T>(body: () => T): T {
    if (this.#depth > 0) return body();
    this.database.exec("BEGIN IMMEDIATE");
    this.#depth = 1;
    try {
      const result = body();
      this.database.exec("COMMIT");
      return result;
    } catch (error) {
      this.database.exec("ROLLBACK");
      throw error;
    } finally {
      this.#depth = 0;
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.database.close();
  }
}
