// The event log beside SQLite itself: durable inserts one at a time and in batches, and the newest page with a filter
// and its exact total out of a million events.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventKinds } from "../interface/catalogue.ts";
import { EventLog, type NewEvent } from "../reference-impl/groups/events/eventLog.ts";
import { Store } from "../reference-impl/store/store.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

const roundMs = 700;
const rounds = 5;
const batch = 100;
const manyEvents = 1_000_000;
const pageReads = 2000;

function anEvent(index: number): NewEvent {
  const { category, event, severity } = eventKinds[index % eventKinds.length] as (typeof eventKinds)[number];
  return {
    category,
    event,
    severity,
    message: `event number ${index}`,
    origin: "system",
    user: "admin",
    userOrigin: "127.0.0.1",
    createdAt: new Date(1_700_000_000_000 + index * 1000).toISOString(),
  };
}

export async function benchEvents(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-bench-"));
  try {
    using store = new Store(join(folder, "gateway.db"));
    const log = new EventLog(store);
    using plain = new DatabaseSync(join(folder, "plain.db"));
    plain.exec(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE event (id INTEGER PRIMARY KEY, text TEXT, at INTEGER)",
    );
    const insert = plain.prepare("INSERT INTO event (text, at) VALUES (?, ?)");
    let next = 0;
    const rows: BenchRow[] = [];
    for (const [size, limit] of [
      [1, 4000],
      [batch, 50_000],
    ] as const) {
      const own: number[] = [];
      const peer: number[] = [];
      for (let round = 0; round < rounds; round++) {
        own.push(rate(size, () => log.insert(Array.from({ length: size }, () => anEvent(next++)))));
        peer.push(
          rate(size, () => {
            plain.exec("BEGIN");
            for (let i = 0; i < size; i++) insert.run(`event number ${next++}`, next);
            plain.exec("COMMIT");
          }),
        );
      }
      const perSecond = median(own);
      rows.push({
        what: size === 1 ? "durable events, one at a time" : `durable events, ${size} at a time`,
        measured: `${Math.round(perSecond)}/s`,
        peer: `plain SQLite ${Math.round(median(peer))}/s`,
        ratio: (perSecond / median(peer)).toFixed(2),
        limit: `at least ${limit}/s`,
        outcome: outcomeOf(perSecond >= limit),
      });
    }
    rows.push(pageRow(store, log, next));
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pageRow(store: Store, log: EventLog, from: number): BenchRow {
  for (let index = from; index < manyEvents; index += 5000) {
    log.insert(Array.from({ length: Math.min(5000, manyEvents - index) }, (_, i) => anEvent(index + i)));
  }
  const query = {
    categories: new Set(["system"]),
    severities: new Set(["warning"]),
    limit: 100,
    offset: 0,
    order: "time",
    sort: "desc",
  } as const;
  const timesMs: number[] = [];
  for (let i = 0; i < pageReads; i++) {
    const startedMs = performance.now();
    const page = log.page(query);
    const total = log.total(query);
    timesMs.push(performance.now() - startedMs);
    if (page.length !== 100 || total < 100) throw new Error("the page is not what was asked for");
  }
  const startedMs = performance.now();
  const counted = store.get(
    "SELECT COUNT(*) AS count FROM event WHERE category = 'system' AND severity = 'warning'",
  );
  const countMs = performance.now() - startedMs;
  if (Number(counted?.["count"]) !== log.total(query)) throw new Error("the total is not exact");
  const p99 = timesMs.toSorted((a, b) => a - b)[Math.floor(pageReads * 0.99)] ?? Number.NaN;
  return {
    what: `newest page of ${manyEvents} events with two filters and its total, p99`,
    measured: `${p99.toFixed(2)} ms`,
    peer: `counting the rows ${countMs.toFixed(0)} ms`,
    ratio: (p99 / countMs).toFixed(3),
    limit: "under 10 ms",
    outcome: outcomeOf(p99 < 10),
  };
}

function rate(size: number, once: () => unknown): number {
  const startedMs = performance.now();
  let done = 0;
  while (performance.now() - startedMs < roundMs) {
    once();
    done += size;
  }
  return done / ((performance.now() - startedMs) / 1000);
}
