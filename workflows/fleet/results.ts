// The result of a turn on its way to the database: stored on the lab's disk first, pushed as often as necessary, counted
// once. A run that was followed by a later one of the same turn cannot write any more.
import { mkdir, readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { FinishedTurn } from "../history/history.ts";
import { sha256, turnOutcomes, writeWhole } from "../../record/index.ts";
import type { FleetDatabase, Queries } from "./database.ts";
import { Conclusions } from "./fleetNights.ts";
import { recordVerdicts } from "./verdicts.ts";

const format = "rackproof/fleet-result@1";

const Act = Type.Object({ number: Type.Integer(), what: Type.String(), at: Type.String() });
/** An act on a gateway, by the clock of its lab. */
export type Act = Static<typeof Act>;

const SpooledResult = Type.Object({
  format: Type.Literal(format),
  night: Type.Integer(),
  gateway: Type.String(),
  lab: Type.String(),
  fence: Type.Integer(),
  outcome: Type.Enum([...turnOutcomes]),
  reason: Type.Optional(Type.String()),
  exitCode: Type.Integer(),
  conclusions: Conclusions,
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer(),
      startedAt: Type.String(),
      endedAt: Type.String(),
      ending: Type.String(),
      selection: Type.String(),
      concluded: Type.Array(Type.Object({ id: Type.String(), verdict: Type.String() })),
      /** Where the record is: host and folder. */
      evidence: Type.String(),
      /** Of `campaign.json`; absent when the run left none. */
      sha256: Type.Optional(Type.String()),
    }),
  ),
  acts: Type.Array(Act),
});
export type SpooledResult = Static<typeof SpooledResult>;

export interface ResultName {
  readonly night: number;
  readonly gateway: string;
  readonly lab: string;
  readonly fence: number;
}

/** The turn as it is stored and pushed; the folders remain on the host. */
export async function resultOf(
  name: ResultName,
  turn: FinishedTurn,
  acts: readonly Act[],
  host: string,
): Promise<SpooledResult> {
  const { outcome, reason, exitCode, firmware, profile, withoutParts, cases, requirements } = turn;
  return {
    format,
    ...name,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    exitCode,
    conclusions: {
      cases: Object.fromEntries(cases),
      requirements: Object.fromEntries(requirements),
      ...(firmware === undefined ? {} : { firmware }),
      ...(profile === undefined ? {} : { profile }),
      withoutParts: [...withoutParts],
    },
    attempts: await Promise.all(
      turn.attempts.map(async ({ folder, concluded, ...attempt }) => {
        const record = await readFile(join(folder, "campaign.json")).catch(() => undefined);
        return {
          ...attempt,
          concluded: concluded.map(({ id, verdict }) => ({ id, verdict })),
          evidence: `${host}:${folder}`,
          ...(record === undefined ? {} : { sha256: sha256(record) }),
        };
      }),
    ),
    acts: [...acts],
  };
}

type PushAnswer = "accepted" | "known" | "refused";

const TurnState = Type.Object({
  state: Type.String(),
  fence: Type.Union([Type.Number(), Type.Null()]),
});

/** Whether a result of this hold counts: twice is once, and one of an earlier run than the last one begun is refused. */
export function answerTo(turn: Static<typeof TurnState> | undefined, fence: number): PushAnswer {
  if (turn === undefined || (turn.fence ?? 0) > fence) return "refused";
  return turn.state === "done" ? "known" : "accepted";
}

/** Writes a result, if it counts. */
export function pushResult(database: FleetDatabase, result: SpooledResult): Promise<PushAnswer> {
  return database.together(async (queries) => {
    const { night, gateway, fence } = result;
    await recordActs(queries, gateway, fence, result.acts);
    const [turn] = await queries.rows(
      TurnState,
      "SELECT state, fence::float8 AS fence FROM rackproof.turn WHERE night = $1 AND gateway = $2 FOR UPDATE",
      [night, gateway],
    );
    const answer = answerTo(turn, fence);
    if (answer !== "accepted") return answer;
    await recordAttempts(queries, result);
    await recordVerdicts(queries, result, result.conclusions);
    // A turn that was set aside meanwhile stays so: the night has been reported. Its results are stored.
    await queries.run(
      `UPDATE rackproof.turn SET conclusions = $3, note = CASE state WHEN 'set-aside' THEN 'its result came later' END,
         ended_at = clock_timestamp(), outcome = CASE state WHEN 'set-aside' THEN outcome ELSE $4 END,
         reason = CASE state WHEN 'set-aside' THEN reason ELSE $5 END,
         exit_code = CASE state WHEN 'set-aside' THEN exit_code ELSE $6 END,
         state = CASE state WHEN 'set-aside' THEN state ELSE 'done' END
       WHERE night = $1 AND gateway = $2`,
      [
        night,
        gateway,
        JSON.stringify(result.conclusions),
        result.outcome,
        result.reason ?? null,
        result.exitCode,
      ],
    );
    await queries.run(
      "UPDATE rackproof.gateway SET seen_at = clock_timestamp(), health = $2 WHERE id = $1 AND state = 'listed'",
      [gateway, result.outcome === "set-aside" ? (result.reason ?? null) : null],
    );
    return answer;
  });
}

async function recordAttempts(queries: Queries, result: SpooledResult): Promise<void> {
  const { night, lab, gateway, fence } = result;
  for (const one of result.attempts)
    await queries.run(
      `INSERT INTO rackproof.result AS known
         (night, lab, gateway, attempt, fence, started_at, ended_at, ending, selection, concluded, evidence, sha256,
          received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp())
       ON CONFLICT (night, lab, gateway, attempt) DO UPDATE SET fence = excluded.fence,
         started_at = excluded.started_at, ended_at = excluded.ended_at, ending = excluded.ending,
         selection = excluded.selection, concluded = excluded.concluded, evidence = excluded.evidence,
         sha256 = excluded.sha256, received_at = excluded.received_at
       WHERE known.fence <= excluded.fence`,
      [
        night,
        lab,
        gateway,
        one.number,
        fence,
        one.startedAt,
        one.endedAt,
        one.ending,
        one.selection,
        JSON.stringify(one.concluded),
        one.evidence,
        one.sha256 ?? null,
      ],
    );
}

/** Adds to the log of fenced acts. */
export async function recordActs(
  queries: Queries,
  gateway: string,
  fence: number,
  acts: readonly Act[],
): Promise<void> {
  for (const { number, what, at } of acts)
    await queries.run("INSERT INTO rackproof.act VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING", [
      gateway,
      fence,
      number,
      what,
      at,
    ]);
}

/** Results on the lab's disk that the database has not confirmed. */
export class Spool {
  readonly #folder: string;
  #pushing: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(result: SpooledResult): Promise<void> {
    await writeWhole(join(this.#folder, `${fileName(result)}.json`), `${JSON.stringify(result)}\n`);
  }

  /** Pushes every result, oldest first; answers a line for each one that was refused. */
  push(database: FleetDatabase): Promise<string[]> {
    // One at a time: each file is pushed and removed by one of several turns that end together.
    const pushed = this.#pushing.catch(() => undefined).then(() => this.#pushAll(database));
    this.#pushing = pushed;
    return pushed;
  }

  async #pushAll(database: FleetDatabase): Promise<string[]> {
    const lines: string[] = [];
    for (const name of await this.#names()) {
      const file = join(this.#folder, name);
      const result = readResult(await readFile(file, "utf8"), file);
      if ((await pushResult(database, result)) === "refused") {
        lines.push(
          `${result.gateway}: the result under hold ${result.fence} was refused: a later run has begun`,
        );
        await mkdir(join(this.#folder, "refused"), { recursive: true });
        await rename(file, join(this.#folder, "refused", name));
      } else await rm(file);
    }
    return lines;
  }

  async #names(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.filter((name) => name.endsWith(".json")).toSorted();
  }
}

function fileName({ night, fence, gateway }: SpooledResult): string {
  const padded = String(fence).padStart(12, "0");
  return `${padded}-night-${night}-${gateway.replaceAll(/[^\w.-]/g, "_")}`;
}

function readResult(text: string, file: string): SpooledResult {
  const value: unknown = JSON.parse(text);
  const [problem] = checker(SpooledResult)(value);
  if (problem !== undefined)
    throw new Error(`${file}: ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  return value as SpooledResult;
}
