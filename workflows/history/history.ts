// Results of the nights over a rack, in one SQLite file beside their folders. Written during the night: a killed night
// leaves its results so far and the cases still expected.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { processStart } from "../../rigs/index.ts";
import {
  UsageError,
  messageOf,
  type Measurement,
  type TrendNight,
  type TurnOutcome,
} from "../../record/index.ts";
import type { ConcludedCase, Conclusion } from "./outcome.ts";
import { migrate } from "./schema.ts";

export interface NightStart {
  readonly startedAt: string;
  /** Folder of the night, relative to the folder of all nights. */
  readonly folder: string;
  readonly rack: string;
  readonly level: CampaignLevel;
  readonly selection: string;
  readonly suiteVersion: string;
}

/** An attempt as stored. */
export interface KeptAttempt {
  readonly number: number;
  readonly folder: string;
  readonly selection: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** How it ended, in words: an exit code, a signal, a limit. */
  readonly ending: string;
  readonly concluded: readonly ConcludedCase[];
}

/** A gateway's part of a finished night. */
export interface FinishedTurn {
  readonly gateway: string;
  readonly outcome: TurnOutcome;
  readonly reason?: string;
  readonly firmware?: string;
  readonly profile?: string;
  readonly withoutParts: readonly string[];
  readonly exitCode: number;
  readonly attempts: readonly KeptAttempt[];
  readonly cases: ReadonlyMap<string, Conclusion>;
  readonly requirements: ReadonlyMap<string, Conclusion>;
  /** Of the first attempt, by case. */
  readonly measurements: ReadonlyMap<string, readonly Measurement[]>;
}

const busyTimeoutMs = 10_000;
export const neverRan = "expected, but the night ended before the end of the case";

export class History implements Disposable {
  readonly database: DatabaseSync;

  /** Opens or creates the file; throws a UsageError when it cannot be used. */
  constructor(file: string) {
    try {
      if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
      this.database = new DatabaseSync(file);
      this.database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA foreign_keys = ON;`);
      migrate(this.database);
    } catch (thrown) {
      throw new UsageError(
        "HISTORY_UNUSABLE",
        `history ${file}: cannot be opened (${messageOf(thrown)}); expected a history that this or an earlier release wrote, or no file`,
      );
    }
  }

  /** Begins a night; answers its number. */
  startNight(night: NightStart): number {
    const { lastInsertRowid } = this.database
      .prepare(
        `INSERT INTO night (started_at, folder, rack, level, selection, suite_version, owner_pid, owner_start, state, kept)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', 1)`,
      )
      .run(
        night.startedAt,
        night.folder,
        night.rack,
        night.level,
        night.selection,
        night.suiteVersion,
        process.pid,
        processStart(process.pid),
      );
    return Number(lastInsertRowid);
  }

  /** Stores the expected and the excluded cases of a gateway before it is run. */
  plan(
    night: number,
    gateway: string,
    expected: readonly string[],
    leftOut: ReadonlyMap<string, string>,
  ): void {
    this.#together(() => {
      this.database
        .prepare("INSERT INTO turn (night, gateway, outcome, without_parts) VALUES (?, ?, 'waiting', '[]')")
        .run(night, gateway);
      const expect = this.database.prepare("INSERT INTO case_outcome VALUES (?, ?, ?, 'not-concluded', ?)");
      for (const caseId of expected) expect.run(night, gateway, caseId, neverRan);
      const leave = this.database.prepare("INSERT INTO left_out VALUES (?, ?, ?, ?)");
      for (const [caseId, reason] of leftOut) leave.run(night, gateway, caseId, reason);
    });
  }

  finishTurn(night: number, turn: FinishedTurn): void {
    const { gateway } = turn;
    this.#together(() => {
      this.database
        .prepare(
          `UPDATE turn SET outcome = ?, reason = ?, firmware = ?, profile = ?, without_parts = ?, exit_code = ?
           WHERE night = ? AND gateway = ?`,
        )
        .run(
          turn.outcome,
          turn.reason ?? null,
          turn.firmware ?? null,
          turn.profile ?? null,
          JSON.stringify(turn.withoutParts),
          turn.exitCode,
          night,
          gateway,
        );
      for (const attempt of turn.attempts) this.#keepAttempt(night, gateway, attempt);
      const cases = this.database.prepare("INSERT OR REPLACE INTO case_outcome VALUES (?, ?, ?, ?, ?)");
      for (const [id, { outcome, reason }] of turn.cases)
        cases.run(night, gateway, id, outcome, reason ?? null);
      const requirements = this.database.prepare("INSERT INTO requirement_outcome VALUES (?, ?, ?, ?, ?)");
      for (const [id, { outcome, reason }] of turn.requirements)
        requirements.run(night, gateway, id, outcome, reason ?? null);
      this.#keepMeasurements(night, gateway, turn.measurements);
    });
  }

  endNight(night: number, endedAt: string, state: TrendNight["state"], exitCode: number): void {
    this.database
      .prepare("UPDATE night SET ended_at = ?, state = ?, exit_code = ? WHERE id = ?")
      .run(endedAt, state, exitCode, night);
  }

  /** Marks nights of ended programs as killed; answers the start of each. */
  settleKilled(): string[] {
    const running = this.database.prepare("SELECT * FROM night WHERE state = 'running'").all();
    const killed = running.filter((row) => processStart(Number(row["owner_pid"])) !== row["owner_start"]);
    for (const row of killed)
      this.database.prepare("UPDATE night SET state = 'killed' WHERE id = ?").run(Number(row["id"]));
    return killed.map((row) => String(row["started_at"]));
  }

  /** Folders of finished nights that have not been removed, newest first. */
  keptFolders(): { readonly id: number; readonly folder: string }[] {
    return this.database
      .prepare("SELECT id, folder FROM night WHERE kept = 1 AND state <> 'running' ORDER BY id DESC")
      .all()
      .map((row) => ({ id: Number(row["id"]), folder: String(row["folder"]) }));
  }

  folderIsGone(night: number): void {
    this.database.prepare("UPDATE night SET kept = 0 WHERE id = ?").run(night);
  }

  #keepAttempt(night: number, gateway: string, attempt: KeptAttempt): void {
    const { number, folder, selection, startedAt, endedAt, ending } = attempt;
    this.database
      .prepare("INSERT INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .run(night, gateway, number, folder, selection, startedAt, endedAt, ending);
    const keep = this.database.prepare("INSERT INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const { id, verdict, reason, durationMs } of attempt.concluded)
      keep.run(night, gateway, id, number, verdict, reason ?? null, durationMs);
  }

  #keepMeasurements(
    night: number,
    gateway: string,
    measurements: ReadonlyMap<string, readonly Measurement[]>,
  ): void {
    const keep = this.database.prepare("INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const [caseId, all] of measurements) {
      for (const [number, { name, unit, low, high, limitLow, limitHigh }] of all.entries())
        keep.run(night, gateway, caseId, name, unit, number, low, high, limitLow ?? null, limitHigh ?? null);
    }
  }

  #together(action: () => void): void {
    this.database.exec("BEGIN IMMEDIATE");
    try {
      action();
      this.database.exec("COMMIT");
    } catch (thrown) {
      this.database.exec("ROLLBACK");
      throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}
