// The last lines that the run of a turn printed, for those who wait for it and for the page of the fleet.
import Type from "typebox";
import type { Clock } from "../../harness/index.ts";
import type { Queries } from "./database.ts";
import type { QueuedTurn, TurnName } from "./dispatch.ts";

/** Somebody waits for the lines of a run; those of a night are for whoever looks, and there are many at a time. */
const plans = { run: { lines: 400, everyMs: 1000 }, night: { lines: 100, everyMs: 2000 } } as const;
const longestLine = 400;

export class Tail implements AsyncDisposable {
  readonly #queries: Queries;
  readonly #name: TurnName;
  readonly #kind: keyof typeof plans;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  readonly #work: Promise<void>;
  #lines: string[] = [];
  /** Number of the first one of these lines. */
  #first = 0;
  #isWritten = true;

  constructor(queries: Queries, name: TurnName, kind: NonNullable<QueuedTurn["kind"]>, clock: Clock) {
    this.#queries = queries;
    this.#name = name;
    this.#kind = kind;
    this.#clock = clock;
    this.#work = this.#writeUntilClosed();
  }

  add(line: string): void {
    // PostgreSQL stores no character of this code.
    this.#lines.push(line.replaceAll("\0", "").slice(0, longestLine));
    const surplus = this.#lines.length - plans[this.#kind].lines;
    if (surplus > 0) {
      this.#lines = this.#lines.slice(surplus);
      this.#first += surplus;
    }
    this.#isWritten = false;
  }

  /** Writes the last lines; of all nights of a gateway, those of the last one remain. */
  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    await this.#work;
    await this.#write();
    const { night, gateway } = this.#name;
    if (this.#kind === "run") return;
    const formerNights = `DELETE FROM rackproof.tail USING rackproof.night
      WHERE tail.gateway = $2 AND tail.night < $1 AND night.id = tail.night AND night.kind = 'night'`;
    await this.#queries.run(formerNights, [night, gateway]).catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #writeUntilClosed(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await this.#clock.delay(plans[this.#kind].everyMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.#write();
    }
  }

  /** A database that is away gets the lines at the next time. */
  async #write(): Promise<void> {
    if (this.#isWritten) return;
    this.#isWritten = true;
    const { night, gateway } = this.#name;
    try {
      await this.#queries.run(
        `INSERT INTO rackproof.tail VALUES ($1, $2, $3, $4, clock_timestamp())
         ON CONFLICT (night, gateway) DO UPDATE SET first = excluded.first, lines = excluded.lines, at = excluded.at`,
        [night, gateway, this.#first, JSON.stringify(this.#lines)],
      );
    } catch {
      this.#isWritten = false;
    }
  }
}

const TailRow = Type.Object({
  night: Type.Integer(),
  gateway: Type.String(),
  first: Type.Integer(),
  lines: Type.Array(Type.String()),
});

/** Lines of one turn from this number on, and the number of the next one. */
export async function readTail(
  queries: Queries,
  { night, gateway }: TurnName,
  from: number,
): Promise<{ readonly lines: readonly string[]; readonly next: number }> {
  const [row] = await queries.rows(
    TailRow,
    "SELECT night, gateway, first, lines FROM rackproof.tail WHERE night = $1 AND gateway = $2",
    [night, gateway],
  );
  if (row === undefined) return { lines: [], next: from };
  const next = row.first + row.lines.length;
  // A turn that was begun anew prints from its beginning.
  const start = next < from ? 0 : Math.max(0, from - row.first);
  return { lines: row.lines.slice(start), next };
}

const RunRow = Type.Object({
  night: Type.Integer(),
  state: Type.String(),
  outcome: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
});

/**
 * Hands on the lines of the run that is under way on the gateway, until it ends or the signal is aborted. Answers how it
 * ended, or undefined when none is under way.
 */
export async function followGateway(
  queries: Queries,
  gateway: string,
  { clock, signal, printed }: { clock: Clock; signal: AbortSignal; printed: (line: string) => void },
): Promise<string | undefined> {
  const columns = "SELECT night, state, outcome, reason FROM rackproof.turn WHERE gateway = $1";
  const [found] = await queries.rows(RunRow, `${columns} AND state = 'running'`, [gateway]);
  if (found === undefined) return undefined;
  const { night } = found;
  for (let next = 0; ; await clock.delay(plans.run.everyMs, signal).catch(() => undefined)) {
    const [run = found] = await queries.rows(RunRow, `${columns} AND night = $2`, [gateway, night]);
    // Its last lines are written before its end.
    const tail = await readTail(queries, { night, gateway }, next);
    for (const line of tail.lines) printed(line);
    next = tail.next;
    if (run.state === "queued") return "it was interrupted and waits for another turn";
    if (run.state !== "running") return [run.outcome ?? run.state, run.reason ?? []].flat().join(": ");
    if (signal.aborted) return "it continues";
  }
}

/** What runs of now printed last. */
export interface RunningTail {
  readonly gateway: string;
  readonly lines: readonly string[];
}

/** Gateways and lines that a page shows at most. */
const mostShown = { gateways: 60, lines: 5 };

/** The last lines of turns under way, by gateway. */
export async function runningTails(queries: Queries): Promise<readonly RunningTail[]> {
  const rows = await queries.rows(
    TailRow,
    `SELECT night, gateway, first, lines FROM rackproof.tail JOIN rackproof.turn USING (night, gateway)
     WHERE turn.state = 'running' ORDER BY gateway LIMIT $1`,
    [mostShown.gateways],
  );
  return rows.map(({ gateway, lines }) => ({ gateway, lines: lines.slice(-mostShown.lines) }));
}
