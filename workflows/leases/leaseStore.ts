// The holder of each wire of each gateway, in a database shared by all programs of this machine. Every lease has a
// growing number, which distinguishes a former holder from the present one.
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { processStart } from "../../rigs/index.ts";
import type { HoldAnswer, HoldRecord, HoldWish, Holds } from "./holds.ts";
import { UsageError, messageOf } from "../../record/index.ts";

/** One lease of some wires, as recorded. Instants are milliseconds of this machine's monotonic clock. */
export interface LeaseRecord extends HoldRecord {
  readonly pid: number;
  readonly expiresMs: number;
  /** No heartbeat extends it beyond this. */
  readonly limitMs: number;
}

const schemaVersion = 1;
const busyTimeoutMs = 5000;

/** The database of this machine; RACKPROOF_LEASES names another one, writable for all users of the rack. */
export function leaseFile(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return environment["RACKPROOF_LEASES"] ?? join(tmpdir(), "rackproof-leases", "leases.db");
}

export class LeaseStore implements Holds, Disposable {
  readonly #database: DatabaseSync;
  readonly #bootId: string;
  readonly #nowMs: () => number;
  #find: StatementSync | undefined;

  /** Throws a UsageError when the file cannot be used. */
  constructor(file: string, nowMs = machineNowMs) {
    this.#nowMs = nowMs;
    this.#bootId = bootId();
    try {
      mkdirSync(dirname(file), { recursive: true });
      this.#database = new DatabaseSync(file);
      this.#database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL;`);
      this.#migrate();
    } catch (thrown) {
      throw new UsageError("LEASE_STORE", `leases ${file}: cannot be opened (${messageOf(thrown)})`);
    }
  }

  /** Takes all the wires or none; answers the record, or the holder of one of them. */
  take(wish: HoldWish): HoldAnswer<LeaseRecord> {
    return this.#exclusively(() => {
      for (const wire of wish.wires) {
        const holder = this.holderOf(wire);
        if (holder !== undefined) return { heldBy: holder };
      }
      const nowMs = this.#nowMs();
      const limitMs = nowMs + wish.limitMs;
      const expiresMs = Math.min(nowMs + wish.ttlMs, limitMs);
      this.#database.prepare("UPDATE counter SET fence = fence + 1").run();
      const fence = Number(this.#database.prepare("SELECT fence FROM counter").get()?.["fence"]);
      const takenAt = new Date().toISOString();
      const { id, owner, gateway } = wish;
      this.#database
        .prepare("INSERT INTO lease VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .run(
          id,
          owner,
          gateway,
          process.pid,
          processStart(process.pid),
          this.#bootId,
          fence,
          takenAt,
          expiresMs,
          limitMs,
        );
      const hold = this.#database.prepare("INSERT OR REPLACE INTO wire VALUES (?, ?)");
      for (const wire of wish.wires) hold.run(wire, id);
      return { taken: { id, owner, gateway, pid: process.pid, fence, takenAt, expiresMs, limitMs } };
    });
  }

  /** Extends the lease, never beyond its limit; answers the granted milliseconds, or undefined when it is lost. */
  renew(id: string, ttlMs: number): number | undefined {
    return this.#exclusively(() => {
      const record = this.find(id);
      if (record === undefined) return undefined;
      const nowMs = this.#nowMs();
      const expiresMs = Math.min(nowMs + ttlMs, record.limitMs);
      this.#database.prepare("UPDATE lease SET expires_ms = ? WHERE id = ?").run(expiresMs, id);
      return expiresMs - nowMs;
    });
  }

  release(id: string): void {
    this.#exclusively(() => this.#remove(id));
  }

  /** The lease while it is valid; undefined after its expiry or when another lease took one of its wires. */
  find(id: string): LeaseRecord | undefined {
    // Used before every request: prepared once.
    this.#find ??= this.#database.prepare(
      "SELECT * FROM lease WHERE id = ? AND boot_id = ? AND expires_ms > ?",
    );
    const row = this.#find.get(id, this.#bootId, this.#nowMs());
    return row === undefined ? undefined : toRecord(row);
  }

  /** The holder of the wire; expired leases and those of ended processes do not count. */
  holderOf(wire: string): LeaseRecord | undefined {
    const row = this.#database
      .prepare("SELECT lease.* FROM wire JOIN lease ON lease.id = wire.lease_id WHERE wire.name = ?")
      .get(wire);
    if (row === undefined) return undefined;
    const record = toRecord(row);
    const isAlive =
      row["boot_id"] === this.#bootId &&
      record.expiresMs > this.#nowMs() &&
      processStart(record.pid) === row["pid_start"];
    return isAlive ? record : undefined;
  }

  #remove(id: string): void {
    this.#database.prepare("DELETE FROM wire WHERE lease_id = ?").run(id);
    this.#database.prepare("DELETE FROM lease WHERE id = ?").run(id);
  }

  #exclusively<T>(action: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      // Ended leases are removed first: every lease in the database counts.
      for (const { name } of this.#database.prepare("SELECT name FROM wire").all()) {
        const wire = String(name);
        if (this.holderOf(wire) === undefined) this.#forget(wire);
      }
      const answer = action();
      this.#database.exec("COMMIT");
      return answer;
    } catch (thrown) {
      this.#database.exec("ROLLBACK");
      throw thrown;
    }
  }

  #forget(wire: string): void {
    const row = this.#database.prepare("SELECT lease_id FROM wire WHERE name = ?").get(wire);
    if (row !== undefined) this.#remove(String(row["lease_id"]));
  }

  #migrate(): void {
    const found = Number(this.#database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (found > schemaVersion)
      throw new Error(`written by a later rackproof: version ${found}, expected at most ${schemaVersion}`);
    if (found === schemaVersion) return;
    this.#database.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS counter (fence INTEGER NOT NULL);
      INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
      CREATE TABLE IF NOT EXISTS lease (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, gateway TEXT NOT NULL, pid INTEGER NOT NULL, pid_start TEXT NOT NULL,
        boot_id TEXT NOT NULL, fence INTEGER NOT NULL, taken_at TEXT NOT NULL, expires_ms REAL NOT NULL, limit_ms REAL NOT NULL);
      CREATE TABLE IF NOT EXISTS wire (name TEXT PRIMARY KEY, lease_id TEXT NOT NULL);
      PRAGMA user_version = ${schemaVersion};
      COMMIT;`);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function toRecord(row: Readonly<Record<string, unknown>>): LeaseRecord {
  return {
    id: String(row["id"]),
    owner: String(row["owner"]),
    gateway: String(row["gateway"]),
    pid: Number(row["pid"]),
    fence: Number(row["fence"]),
    takenAt: String(row["taken_at"]),
    expiresMs: Number(row["expires_ms"]),
    limitMs: Number(row["limit_ms"]),
  };
}

/** Milliseconds since this machine booted: the same for all its processes, and unaffected by changes of the clock. */
function machineNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}
