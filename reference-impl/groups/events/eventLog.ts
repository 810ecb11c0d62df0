// The event log on SQLite. Totals come from counters per combination of the filtered fields, because counting rows of a
// large log takes tens of milliseconds and summing a few counters takes microseconds.
import type { EventRecord, Severity } from "../../../interface/resources/events.ts";
import { epochMsOf } from "../../../interface/schema/instant.ts";
import { type Conduct, plainConduct } from "../../product/conduct.ts";
import type { Store } from "../../store/store.ts";
import { type EventFilter, type EventPageQuery, fits } from "./eventQuery.ts";

/** Of an event that no user triggered both texts are empty. */
type StoredEvent = EventRecord & { readonly user: string; readonly userOrigin: string };
export type NewEvent = Omit<StoredEvent, "id" | "severity"> & { readonly severity: Severity };
interface Counter {
  readonly category: string;
  readonly event: string;
  readonly severity: string;
  readonly origin: string;
  count: number;
}

const insertSql = `INSERT INTO event (category, event, message, origin, severity, user, user_origin, created_at, created_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
// What a row costs beside its texts: the key, the columns' headers and its place in the indexes.
const rowOverheadBytes = 120;
const filtered = [
  { name: "categories", column: "category" },
  { name: "events", column: "event" },
  { name: "severities", column: "severity" },
  { name: "origins", column: "origin" },
] as const;

export class EventLog {
  readonly #store: Store;
  readonly #ids: Conduct["eventIds"];
  readonly #counters = new Map<string, Counter>();
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  #bytes = 0;
  #shownFromMs: number | undefined;

  constructor(store: Store, ids = plainConduct.eventIds) {
    this.#store = store;
    this.#ids = ids;
    store.define(`
      CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY AUTOINCREMENT, category TEXT NOT NULL, event TEXT NOT NULL,
        message TEXT NOT NULL, origin TEXT NOT NULL, severity TEXT NOT NULL, user TEXT NOT NULL,
        user_origin TEXT NOT NULL, created_at TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT;
      CREATE INDEX IF NOT EXISTS event_by_time ON event (created_ms);
      CREATE INDEX IF NOT EXISTS event_by_category ON event (category, created_ms);
      CREATE INDEX IF NOT EXISTS event_by_name ON event (event, created_ms);`);
    this.#load();
  }

  /** Bytes that the records take, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Records events, all or none; they are durable when it returns. */
  insert(events: readonly NewEvent[]): StoredEvent[] {
    const insert = this.#store.statement(insertSql);
    const records = this.#store.transaction(() =>
      events.map((event): StoredEvent => {
        const { lastInsertRowid } = insert.run(
          event.category,
          event.event,
          event.message,
          event.origin,
          event.severity,
          event.user,
          event.userOrigin,
          event.createdAt,
          epochMsOf(event.createdAt),
        );
        return { id: this.#shownId(lastInsertRowid), ...event };
      }),
    );
    for (const record of records) {
      this.#count(record, 1);
      this.#bytes += sizeOf(record);
      for (const listener of this.#listeners) listener(record);
    }
    return records;
  }

  /** Number of records that fit. */
  total(filter: EventFilter): number {
    if (this.#shownFromMs !== undefined) {
      const { where, values } = this.#conditions(filter);
      return Number(this.#store.get(`SELECT count(*) AS total FROM event ${where}`, ...values)?.["total"]);
    }
    let total = 0;
    for (const counter of this.#counters.values()) if (fits(filter, counter)) total += counter.count;
    return total;
  }

  page(query: EventPageQuery): StoredEvent[] {
    const { where, values } = this.#conditions(query);
    const direction = query.sort === "asc" ? "ASC" : "DESC";
    const first =
      query.order === "time" ? "" : `${query.order === "category" ? "category" : "event"} ${direction}, `;
    const sql = `SELECT * FROM event ${where} ORDER BY ${first}created_ms ${direction}, id ${direction} LIMIT ? OFFSET ?`;
    return this.#store.all(sql, ...values, query.limit, query.offset).map((row) => this.#toRecord(row));
  }

  /** All records that fit and follow the one with the id, oldest first, at most `limit`. */
  after(id: number, filter: EventFilter, limit: number): StoredEvent[] {
    const { where, values } = this.#conditions(filter);
    const joined = where === "" ? "WHERE id > ?" : `${where} AND id > ?`;
    return this.#store
      .all(
        `SELECT * FROM event ${joined} ORDER BY id LIMIT ?`,
        ...values,
        (id - this.#ids.base) / this.#ids.step,
        limit,
      )
      .map((row) => this.#toRecord(row));
  }

  subscribe(listener: (event: StoredEvent) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** Shows no record that is older than the instant; without one, all. */
  hideOlderThan(epochMs: number | undefined): void {
    this.#shownFromMs = epochMs;
  }

  /** Removes what is older than the instant. */
  removeOlderThan(epochMs: number): void {
    this.#remove("DELETE FROM event WHERE created_ms < ? RETURNING *", epochMs);
  }

  /** Removes the record that was the newest one then, and those before it. */
  removeUpTo(newest: number): void {
    this.#remove("DELETE FROM event WHERE id <= ? RETURNING *", newest);
  }

  /** What `removeUpTo` takes for the present records. */
  get newest(): number {
    return Number(this.#store.get("SELECT max(id) AS newest FROM event")?.["newest"] ?? 0);
  }

  /** Removes the oldest records until at most this many bytes are left. */
  shrinkTo(bytes: number): void {
    while (this.#bytes > bytes) {
      const removed = this.#remove(
        "DELETE FROM event WHERE id IN (SELECT id FROM event ORDER BY id LIMIT ?) RETURNING *",
        500,
      );
      if (removed === 0) return;
    }
  }

  clear(): void {
    this.#store.run("DELETE FROM event");
    this.#counters.clear();
    this.#bytes = 0;
  }

  #remove(sql: string, value: number): number {
    const removed = this.#store.all(sql, value).map((row) => this.#toRecord(row));
    for (const record of removed) {
      this.#count(record, -1);
      this.#bytes -= sizeOf(record);
    }
    return removed.length;
  }

  #conditions(filter: EventFilter): { where: string; values: string[] } {
    const parts: string[] = this.#shownFromMs === undefined ? [] : [`created_ms >= ${this.#shownFromMs}`];
    const values: string[] = [];
    for (const { name, column } of filtered) {
      const wanted = filter[name];
      if (wanted === undefined) continue;
      const present = new Set([...this.#counters.values()].map((counter) => counter[column]));
      const fitting = [...present].filter((text) => wanted.has(text));
      parts.push(`${column} IN (${fitting.map(() => "?").join(", ")})`);
      values.push(...fitting);
    }
    return { where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`, values };
  }

  #shownId(number: unknown): number {
    return this.#ids.base + Number(number) * this.#ids.step;
  }

  #toRecord(row: Record<string, unknown>): StoredEvent {
    return {
      id: this.#shownId(row["id"]),
      category: String(row["category"]),
      event: String(row["event"]),
      message: String(row["message"]),
      origin: String(row["origin"]),
      severity: String(row["severity"]) as Severity,
      user: String(row["user"]),
      userOrigin: String(row["user_origin"]),
      createdAt: String(row["created_at"]),
    };
  }

  #count(event: Omit<Counter, "count">, step: 1 | -1): void {
    const { category, event: name, severity, origin } = event;
    const key = `${category}\u0000${name}\u0000${severity}\u0000${origin}`;
    const counter = this.#counters.get(key);
    if (counter === undefined)
      this.#counters.set(key, { category, event: name, severity, origin, count: step });
    else if (counter.count + step === 0) this.#counters.delete(key);
    else counter.count += step;
  }

  #load(): void {
    const rows = this.#store.all(
      `SELECT category, event, severity, origin, COUNT(*) AS count,
        SUM(length(category) + length(event) + length(message) + length(origin) + length(user) + length(user_origin) + ${rowOverheadBytes}) AS bytes
        FROM event GROUP BY category, event, severity, origin`,
    );
    for (const row of rows) {
      const [category, event, severity, origin] = ["category", "event", "severity", "origin"].map((name) =>
        String(row[name]),
      ) as [string, string, string, string];
      this.#counters.set(`${category}\u0000${event}\u0000${severity}\u0000${origin}`, {
        category,
        event,
        severity,
        origin,
        count: Number(row["count"]),
      });
      this.#bytes += Number(row["bytes"]);
    }
  }
}

function sizeOf({ category, event, message, origin, user, userOrigin }: NewEvent): number {
  return (
    category.length +
    event.length +
    message.length +
    origin.length +
    user.length +
    userOrigin.length +
    rowOverheadBytes
  );
}
