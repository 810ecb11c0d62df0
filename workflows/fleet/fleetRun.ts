// One run on one gateway of the fleet, as the command sees it that waits for it: the gateway first, then the lines of the
// run, its exit code, and where its record is.
import Type from "typebox";
import { exitCodeOf } from "../nightly/attempt.ts";
import { type ClaimWish, claimGateway, readLimits, wishedGateways } from "./claims.ts";
import { type FleetHold, FleetHolds } from "./fleetHolds.ts";
import { type FleetNightOptions, planned, watchNight } from "./fleetNight.ts";
import { endNight, startNight } from "./fleetNights.ts";
import type { Queries } from "./database.ts";
import type { TurnName } from "./dispatch.ts";
import type { Labels } from "./labels.ts";
import { readTail } from "./tails.ts";

export interface FleetRunOptions extends Omit<FleetNightOptions, "finished" | "retries" | "quarantined"> {
  /** Absent: any with the labels. */
  readonly gateway?: string;
  readonly labels: Labels;
  readonly owner: string;
  readonly priority: ClaimWish["priority"];
  /** Receives the lines of the run. */
  readonly printed: (line: string) => void;
}

export type FleetRunResult =
  | { readonly reasons: readonly string[] }
  | {
      readonly id: number;
      readonly gateway: string;
      readonly exitCode: number;
      /** Why the run did not reach its end. */
      readonly reason?: string;
      /** Where its record is, and its SHA-256. */
      readonly record?: { readonly address: string; readonly sha256: string | null };
    };

/** Time for which the granted gateway waits for its agent, and after which a killed command frees it. */
const handoverMs = 20_000;
const readEveryMs = 1000;
const notRun = 3;
const interruptedCode = 130;

export async function runInFleet(options: FleetRunOptions): Promise<FleetRunResult> {
  const { database, dispatch, owner, priority, labels, waitMs, suiteVersion, clock, signal, say } = options;
  const { longestMs = Infinity } = await readLimits(database);
  const limitMs = Math.min(options.limitMs, longestMs);
  const wish: ClaimWish = {
    ...(options.gateway === undefined ? {} : { gateway: options.gateway }),
    labels,
    owner,
    purpose: "run",
    priority,
    forAgentOf: suiteVersion,
    ttlMs: handoverMs,
    limitMs,
    waitMs,
  };
  const claimed = await claimGateway(wish, { database, clock, signal, say });
  if ("reasons" in claimed) return claimed;
  const hold = claimed.granted;
  const [gateway] = await wishedGateways(database, { gateway: hold.gateway, labels });
  if (gateway === undefined) return { reasons: [`${hold.gateway}: not listed any more`] };
  say(`${hold.gateway} is reserved for this run (hold ${hold.fence})`);
  const night = {
    ...options,
    kind: "run",
    retries: 0,
    limitMs,
    aliveMs: handoverMs,
    startedBy: owner,
    finished: () => undefined,
  } as const;
  const id = await startNight(database, night, [{ ...planned(gateway, options), holdId: hold.id }]);
  const name = { night: id, gateway: hold.gateway };
  await dispatch.offer(gateway.lab, [{ ...name, kind: "run", hold: hold.id }]);
  const ended = new AbortController();
  const reading = follow(options, name, hold, ended.signal);
  let turns;
  try {
    turns = await watchNight(night, id);
  } finally {
    ended.abort();
    await reading;
  }
  const [turn] = turns;
  const attempt = await readAttempt(database, name);
  const ran = attempt === undefined ? undefined : exitCodeOf(attempt.ending);
  const isWhole = turn?.outcome !== "set-aside" && ran !== undefined && ran !== interruptedCode;
  const exitCode = signal.aborted ? interruptedCode : isWhole ? ran : notRun;
  await endNight(database, id, signal.aborted ? "interrupted" : "finished", exitCode);
  const reason = isWhole ? undefined : (turn?.reason ?? attempt?.ending ?? "no result");
  return {
    id,
    gateway: hold.gateway,
    exitCode,
    ...(reason === undefined ? {} : { reason }),
    ...(attempt === undefined ? {} : { record: { address: attempt.evidence, sha256: attempt.sha256 } }),
  };
}

/** Hands on the lines of the run; until it begins, its gateway stays reserved. */
async function follow(
  { database, clock, printed }: FleetRunOptions,
  name: TurnName,
  hold: FleetHold,
  ended: AbortSignal,
): Promise<void> {
  const holds = new FleetHolds(database);
  let next = 0;
  let isLast = false;
  while (!isLast) {
    await clock.delay(readEveryMs, ended).catch(() => undefined);
    isLast = ended.aborted;
    try {
      const tail = await readTail(database, name, next);
      for (const line of tail.lines) printed(line);
      next = tail.next;
      if (next === 0 && !isLast) await holds.prolong(hold.id, handoverMs);
    } catch {
      // The watch of the run reports a database that is away.
    }
  }
}

const Attempt = Type.Object({
  ending: Type.String(),
  evidence: Type.String(),
  sha256: Type.Union([Type.String(), Type.Null()]),
});

async function readAttempt(
  queries: Queries,
  { night, gateway }: TurnName,
): Promise<Type.Static<typeof Attempt> | undefined> {
  const [row] = await queries.rows(
    Attempt,
    // Without the identifier of the machine's last start.
    `SELECT ending, regexp_replace(evidence, '^([^/:]+)/[^:]*:', '\\1:') AS evidence, sha256
     FROM rackproof.result WHERE night = $1 AND gateway = $2 ORDER BY attempt DESC LIMIT 1`,
    [night, gateway],
  );
  return row;
}
