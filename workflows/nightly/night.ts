// A night over a rack: a plan that is written first, then every gateway in its turn, independent of the others.
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { Clock, HeldLease, PartCheck } from "../../harness/index.ts";
import type { ExpectedFailure } from "../expectedFailures/expectedFailures.ts";
import type { FinishedTurn, History } from "../history/history.ts";
import { HeldGateway } from "../leases/heldGateway.ts";
import { LeasedElsewhere } from "../leases/lease.ts";
import type { LiveNews } from "../live/events.ts";
import type { RunAttempt } from "./attempt.ts";
import type { GatewayPlan } from "./plan.ts";
import { TurnQueue, type Waiting } from "./queue.ts";
import { setAside, takeTurn } from "./turn.ts";
import { messageOf } from "../../record/index.ts";

/** A gateway of tonight; or the reason why it cannot be run. */
export interface NightGateway extends Waiting {
  readonly plan: GatewayPlan;
  readonly unusable?: string;
}

export interface NightOptions {
  readonly gateways: readonly NightGateway[];
  readonly rackWords: readonly string[];
  readonly rack: string;
  readonly level: CampaignLevel;
  readonly selection: string;
  readonly seed: number;
  readonly retries: number;
  /** Gateways at the same time. */
  readonly parallel: number;
  /** Limit of a lease. */
  readonly limitMs: number;
  /** How long the night waits for a gateway that another run uses. */
  readonly waitMs: number;
  readonly leaseTtlMs?: number;
  readonly leaseFile?: string;
  readonly history: History;
  /** Folder of the night, as it is opened and as the history names it. */
  readonly folder: string;
  readonly folderName: string;
  readonly suiteVersion: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly checkWires: (plan: GatewayPlan, place: HeldLease["place"]) => Promise<readonly PartCheck[]>;
  readonly runAttempt: RunAttempt;
  readonly isStated: (requirement: string) => boolean;
  /** Failures that the exit code disregards. */
  readonly quarantined?: readonly ExpectedFailure[];
  readonly tell: (news: LiveNews) => void;
  /** Called at the end of a gateway's turn. */
  readonly finished: (turn: FinishedTurn) => void;
}

export interface NightResult {
  readonly id: number;
  readonly exitCode: number;
  readonly turns: readonly FinishedTurn[];
}

const lookAgainMs = 1000;
/** From best to worst, as the exit code of the night is the worst of its gateways. */
const exitOrder = [0, 3, 1];

export async function runNight(options: NightOptions): Promise<NightResult> {
  const { history, gateways, signal } = options;
  const id = history.startNight({
    startedAt: nowIso(options),
    folder: options.folderName,
    rack: options.rack,
    level: options.level,
    selection: options.selection,
    suiteVersion: options.suiteVersion,
  });
  for (const { name, plan } of gateways) {
    history.plan(
      id,
      name,
      plan.expected.map((one) => one.id),
      plan.leftOut,
    );
    options.tell({ kind: "turn", gateway: name, state: "waiting" });
  }
  const turns: FinishedTurn[] = [];
  const queue = new TurnQueue(gateways, options.parallel);
  const untilMs = options.clock.nowMs() + options.waitMs;
  const running = new Set<Promise<void>>();
  const finish = (turn: FinishedTurn): void => {
    history.finishTurn(id, withRelativeFolders(turn, options));
    turns.push(turn);
    const { gateway, outcome, reason } = turn;
    const state = outcome === "set-aside" ? "set-aside" : "done";
    const note = reason === undefined ? outcome : `${outcome}: ${reason}`;
    options.tell({ kind: "turn", gateway, state, note });
    options.finished(turn);
  };
  const start = async (gateway: NightGateway): Promise<void> => {
    const turn = await oneTurn(options, gateway, options.clock.nowMs() < untilMs);
    if (turn !== undefined) {
      finish(turn);
      queue.done(gateway);
      return;
    }
    // It is queued again for the time when it may be free.
    await options.clock.delay(lookAgainMs, signal).catch(() => undefined);
    queue.later(gateway);
  };
  while (!queue.isEmpty && !signal.aborted) {
    const gateway = queue.take();
    if (gateway === undefined) {
      await Promise.race(running);
      continue;
    }
    const work = start(gateway).finally(() => running.delete(work));
    running.add(work);
  }
  await Promise.all(running);
  const exitCode = signal.aborted ? 130 : worst(turns.map((turn) => turn.exitCode));
  history.endNight(id, nowIso(options), signal.aborted ? "interrupted" : "finished", exitCode);
  options.tell({ kind: "ended", text: `exit code ${exitCode}` });
  return { id, exitCode, turns };
}

/** The turn; undefined when another run uses the gateway and waiting is permitted. */
async function oneTurn(
  options: NightOptions,
  gateway: NightGateway,
  mayWait: boolean,
): Promise<FinishedTurn | undefined> {
  const { name, wires, plan, unusable } = gateway;
  if (unusable !== undefined) return setAside(plan, unusable);
  try {
    await using lease = await HeldGateway.take(plan.gateway, {
      gateway: name,
      wires,
      owner: `rackproof nightly, process ${process.pid}`,
      limitMs: options.limitMs,
      ...(options.leaseTtlMs === undefined ? {} : { ttlMs: options.leaseTtlMs }),
      ...(options.leaseFile === undefined ? {} : { file: options.leaseFile }),
    });
    return await takeTurn({
      ...options,
      plan,
      lease,
      nightFolder: options.folder,
      nowIso: () => nowIso(options),
      tell: (state, folder, attempt) =>
        options.tell({
          kind: "turn",
          gateway: name,
          state,
          ...(folder === undefined ? {} : { folder: folder.slice(options.folder.length + 1) }),
          ...(attempt === undefined ? {} : { attempt }),
        }),
    });
  } catch (thrown) {
    if (thrown instanceof LeasedElsewhere && mayWait) {
      options.tell({ kind: "turn", gateway: name, state: "held", note: thrown.message });
      return undefined;
    }
    // A fault of the harness in one turn is reported there; the others continue.
    return setAside(plan, messageOf(thrown));
  }
}

function withRelativeFolders(turn: FinishedTurn, { folder, folderName }: NightOptions): FinishedTurn {
  const attempts = turn.attempts.map((one) => ({
    ...one,
    folder: `${folderName}${one.folder.slice(folder.length)}`,
  }));
  return { ...turn, attempts };
}

export function worst(exitCodes: readonly number[]): number {
  return exitCodes.toSorted((a, b) => exitOrder.indexOf(b) - exitOrder.indexOf(a))[0] ?? 3;
}

function nowIso({ clock }: NightOptions): string {
  return new Date(clock.epochMs()).toISOString();
}
