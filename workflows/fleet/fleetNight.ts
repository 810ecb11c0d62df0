// A night over a fleet, as the command that starts it sees it: the list first, one turn a gateway, and an end that no lab
// can delay beyond the limits.
import { type Clock, type TestCase, select } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { ExpectedFailure } from "../expectedFailures/expectedFailures.ts";
import { planCases } from "../nightly/plan.ts";
import { worst } from "../nightly/night.ts";
import { type FleetDatabase, failureText } from "./database.ts";
import type { Dispatch } from "./dispatch.ts";
import {
  beatNight,
  endNight,
  nightTtlMs,
  type PlannedTurn,
  readTurns,
  setTurnAside,
  startNight,
  type TurnRow,
} from "./fleetNights.ts";
import { type Labels, labelText } from "./labels.ts";
import { type FleetGateway, labTtlMs, listGateways, listLabs, waitingTurns } from "./register.ts";
import { UsageError } from "../../record/index.ts";

export interface FleetNightOptions {
  readonly database: FleetDatabase;
  readonly dispatch: Dispatch;
  readonly suite: readonly TestCase[];
  readonly suiteVersion: string;
  readonly labels: Labels;
  readonly level: CampaignLevel;
  readonly selection: string;
  readonly seed: number;
  readonly retries: number;
  /** Failures that the exit code disregards. */
  readonly quarantined?: readonly ExpectedFailure[];
  /** Longest time of a turn. */
  readonly limitMs: number;
  /** Longest time for which a turn waits for another user of its gateway. */
  readonly waitMs: number;
  /** A lab that gives no sign of life for this time is set aside. */
  readonly silentMs: number;
  /** Without a sign of life of this command for this time, it was killed. */
  readonly aliveMs?: number;
  readonly startedBy: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Called at the end of each turn. */
  readonly finished: (turn: TurnRow) => void;
}

export interface FleetNightResult {
  readonly id: number;
  readonly exitCode: number;
  readonly turns: readonly TurnRow[];
}

const pollMs = 1000;
const longestBeatMs = 10_000;
/** A turn that has reached its limit ends cleanly and reports within this time. */
const reportWithinMs = 120_000;
/** A lab that begins no turn for this time, and for the time of --wait-min, is set aside. */
const idleAtLeastMs = 120_000;

export async function runFleetNight(options: FleetNightOptions): Promise<FleetNightResult> {
  const { database, dispatch, labels, signal } = options;
  const gateways = await listGateways(database, labels);
  if (gateways.length === 0) {
    const wanted = labelText(labels);
    throw new UsageError(
      "FLEET_GATEWAY_UNKNOWN",
      wanted === "" ? "the fleet has no gateway" : `no gateway has the labels ${wanted}`,
    );
  }
  const plan = gateways.map((gateway) => planned(gateway, options));
  const id = await startNight(database, options, plan);
  const waiting = plan.filter((turn) => turn.setAside === undefined);
  for (const [lab, turns] of Map.groupBy(waiting, (turn) => turn.lab))
    await dispatch.offer(
      lab,
      turns.map(({ gateway }) => ({ night: id, gateway })),
    );
  const turns = await watchNight(options, id);
  const exitCode = signal.aborted ? 130 : worst(turns.map((turn) => turn.exit_code ?? 3));
  await endNight(database, id, signal.aborted ? "interrupted" : "finished", exitCode);
  return { id, exitCode, turns };
}

/** Waits until every turn of the night has a result or was set aside. */
export function watchNight(options: FleetNightOptions, id: number): Promise<readonly TurnRow[]> {
  return new NightWatch(options, id).untilEnded();
}

/** The frozen list of a gateway, or why it is not run tonight. */
export function planned(
  gateway: FleetGateway,
  options: Pick<FleetNightOptions, "suite" | "selection" | "suiteVersion">,
): PlannedTurn {
  const { suite, selection, suiteVersion } = options;
  const { id, lab, equipment, capabilities } = gateway;
  const declared = capabilities === null ? undefined : new Set(capabilities);
  const { expected, leftOut } = planCases(suite, selection, new Set(equipment), declared);
  const selected = new Set(select(suite, selection).map((one) => one.id));
  const reason = whyNotTonight(gateway, suiteVersion);
  return {
    gateway: id,
    lab,
    expected: expected.map((one) => one.id),
    leftOut: new Map([...leftOut].filter(([caseId]) => selected.has(caseId))),
    ...(reason === undefined ? {} : { setAside: reason }),
  };
}

/** Why no turn of this release can be run on the gateway now. */
export function whyNotTonight(
  { lab, lab_state, alive, silent_ms, state, health, suite_version }: FleetGateway,
  suiteVersion: string,
): string | undefined {
  if (lab_state === "stopped") return `lab ${lab}: its agent is stopped`;
  if (!alive) return `lab ${lab}: no sign of life for ${seconds(silent_ms)} s`;
  if (state === "unusable") return health ?? "unusable";
  if (suite_version !== suiteVersion)
    return `lab ${lab}: runs rackproof ${suite_version}, this night ${suiteVersion}`;
  return undefined;
}

class NightWatch {
  readonly #options: FleetNightOptions;
  readonly #id: number;
  readonly #startedMs: number;
  readonly #ended = new Map<string, TurnRow>();
  /** Last change of each lab's count of beats, by the clock of this machine while the database answered. */
  readonly #beats = new Map<string, { beats: number; sinceMs: number }>();
  /** Last change of each lab's turns. */
  readonly #activity = new Map<string, { state: string; sinceMs: number }>();

  constructor(options: FleetNightOptions, id: number) {
    this.#options = options;
    this.#id = id;
    this.#startedMs = options.clock.nowMs();
  }

  async untilEnded(): Promise<readonly TurnRow[]> {
    const { clock, signal, database, say, aliveMs = nightTtlMs } = this.#options;
    const beatMs = Math.min(longestBeatMs, aliveMs / 4);
    let beatenMs = this.#startedMs;
    let away = false;
    while (!signal.aborted) {
      try {
        if (clock.nowMs() - beatenMs >= beatMs) {
          await beatNight(database, this.#id, aliveMs);
          beatenMs = clock.nowMs();
        }
        if (away) {
          await this.#afterOutage();
          say("the database answers again");
          away = false;
        }
        if (await this.#look()) return this.#turns();
      } catch (thrown) {
        if (!away) say(`the database does not answer (${failureText(thrown)}); the labs continue`);
        away = true;
      }
      await clock.delay(pollMs, signal).catch(() => undefined);
    }
    for (const turn of await this.#open())
      await setTurnAside(database, this.#name(turn), "the night was interrupted");
    await this.#look();
    return this.#turns();
  }

  /** Reports turns that have ended, and sets slow and silent ones aside; true at the end of the last one. */
  async #look(): Promise<boolean> {
    const silent = await this.#silentLabs();
    const open = await this.#open();
    this.#noteActivity(open);
    for (const turn of open) {
      const reason = this.#whyAside(turn, silent);
      if (reason !== undefined) await setTurnAside(this.#options.database, this.#name(turn), reason);
    }
    return this.#ended.size > 0 && open.length === 0;
  }

  /** By gateway: which one ends first is chance. */
  #turns(): readonly TurnRow[] {
    return [...this.#ended.values()].toSorted((a, b) => (a.gateway < b.gateway ? -1 : 1));
  }

  /** Turns that have not ended; those that have are reported. */
  async #open(): Promise<TurnRow[]> {
    const rows = await readTurns(this.#options.database, this.#id, [...this.#ended.keys()]);
    for (const row of rows.filter(isEnded)) {
      this.#ended.set(row.gateway, row);
      this.#options.finished(row);
    }
    return rows.filter((row) => !isEnded(row));
  }

  #whyAside(turn: TurnRow, silent: ReadonlyMap<string, number>): string | undefined {
    const { waitMs, limitMs, clock } = this.#options;
    const { lab, state, note, running_ms } = turn;
    const silentForMs = silent.get(lab);
    if (silentForMs !== undefined) return `lab ${lab}: no sign of life for ${seconds(silentForMs)} s`;
    if (state === "running" && (running_ms ?? 0) > limitMs + reportWithinMs)
      return `lab ${lab}: the turn did not end within ${minutes(limitMs)} min`;
    if (state !== "queued") return undefined;
    // A turn with a note waits for another user, one without for its lab, which may be busy with others.
    if (note !== null && clock.nowMs() - this.#startedMs > waitMs) return note;
    const idleMs = clock.nowMs() - (this.#activity.get(lab)?.sinceMs ?? clock.nowMs());
    return idleMs > Math.max(waitMs, idleAtLeastMs)
      ? `lab ${lab}: began no turn for ${seconds(idleMs)} s`
      : undefined;
  }

  /** A lab is active when one of its turns runs, begins or ends. */
  #noteActivity(open: readonly TurnRow[]): void {
    const nowMs = this.#options.clock.nowMs();
    for (const [lab, turns] of Map.groupBy(open, (turn) => turn.lab)) {
      const state = turns.map(({ gateway, fence }) => `${gateway} ${fence ?? ""}`).join();
      const isRunning = turns.some((turn) => turn.state === "running");
      if (isRunning || this.#activity.get(lab)?.state !== state)
        this.#activity.set(lab, { state, sinceMs: nowMs });
    }
  }

  async #silentLabs(): Promise<Map<string, number>> {
    const { database, silentMs, clock } = this.#options;
    const nowMs = clock.nowMs();
    const silent = new Map<string, number>();
    for (const { name, beats } of await listLabs(database)) {
      const known = this.#beats.get(name);
      if (known === undefined || known.beats !== beats) this.#beats.set(name, { beats, sinceMs: nowMs });
      else if (nowMs - known.sinceMs > Math.max(silentMs, labTtlMs)) silent.set(name, nowMs - known.sinceMs);
    }
    return silent;
  }

  /** No lab was silent because the database was; deliveries that were lost are made again. */
  async #afterOutage(): Promise<void> {
    this.#beats.clear();
    this.#activity.clear();
    const { database, dispatch } = this.#options;
    const queued = (await this.#open()).filter(({ state }) => state === "queued");
    for (const lab of new Set(queued.map((turn) => turn.lab)))
      await dispatch.offer(lab, await waitingTurns(database, lab));
  }

  #name({ gateway }: TurnRow) {
    return { night: this.#id, gateway };
  }
}

function isEnded({ state }: TurnRow): boolean {
  return state === "done" || state === "set-aside";
}

const seconds = (ms: number): number => Math.round(ms / 1000);
const minutes = (ms: number): number => Math.round(ms / 60_000);
