// What the search for a cause reads from the nights of a fleet, and where it stores what it has found.
import Type, { type Static } from "typebox";
import { Cause, type CauseTurn } from "../../record/index.ts";
import type { Queries } from "./database.ts";
import type { TurnName } from "./dispatch.ts";

const optional = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const GoodRow = Type.Object({
  id: Type.String(),
  firmware: optional(Type.String()),
  suite: Type.String(),
});
/** Conditions under which a case passed before. */
export type LastGood = Static<typeof GoodRow>;

/** The cases that passed when they last had a result before this night, with the conditions of then. */
export function lastGoods(
  queries: Queries,
  { night, gateway }: TurnName,
  cases: readonly string[],
): Promise<LastGood[]> {
  return queries.rows(
    GoodRow,
    `SELECT wanted.id, firmware, suite FROM unnest($3::text[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT conclusions -> 'cases' -> wanted.id ->> 'outcome' AS outcome, conclusions ->> 'firmware' AS firmware,
         suite_version AS suite
       FROM rackproof.turn JOIN rackproof.night ON night.id = turn.night
       WHERE gateway = $2 AND night.id < $1 AND cause_of IS NULL AND kind = 'night'
         AND conclusions -> 'cases' -> wanted.id ->> 'outcome' IN ('pass', 'flaky', 'fail', 'error', 'inconclusive')
       ORDER BY night.id DESC LIMIT 1) AS latest
     WHERE outcome IN ('pass', 'flaky') ORDER BY wanted.id`,
    [night, gateway, cases],
  );
}

const AttemptRow = Type.Object({
  selection: Type.String(),
  evidence: Type.String(),
  concluded: Type.Array(Type.Object({ id: Type.String(), verdict: Type.String() })),
});

/** The attempts of a turn, in their order. */
export function readAttempts(
  queries: Queries,
  { night, gateway }: TurnName,
): Promise<Static<typeof AttemptRow>[]> {
  return queries.rows(
    AttemptRow,
    // Without the identifier of the machine's last start.
    `SELECT selection, concluded, regexp_replace(evidence, '^([^/:]+)/[^:]*:', '\\1:') AS evidence
     FROM rackproof.result WHERE night = $1 AND gateway = $2 ORDER BY attempt`,
    [night, gateway],
  );
}

/** A broken wire mostly makes a case inconclusive or an error. */
const failures: ReadonlySet<string> = new Set(["fail", "error", "inconclusive"]);

/** Whether an outcome needs a cause. */
export function hasFailed(outcome: string | undefined): boolean {
  return outcome !== undefined && failures.has(outcome);
}

/** How often each case failed and passed. */
export function countsOf(
  attempts: readonly Static<typeof AttemptRow>[],
  cases: readonly string[],
): CauseTurn["counts"] {
  const verdicts = attempts.flatMap(({ concluded }) => concluded);
  return Object.fromEntries(
    cases.flatMap((id) => {
      const own = verdicts.filter((one) => one.id === id).map(({ verdict }) => verdict);
      const failed = own.filter(hasFailed).length;
      const passed = own.filter((verdict) => verdict === "pass" || verdict === "advice").length;
      return failed + passed === 0 ? [] : [[id, { failed, passed }] as const];
    }),
  );
}

/** Stores what is known so far; the last state counts. */
export async function storeCause(queries: Queries, cause: Cause): Promise<void> {
  await queries.run(
    `INSERT INTO rackproof.cause VALUES ($1, $2, $3)
     ON CONFLICT (night, gateway) DO UPDATE SET found = excluded.found`,
    [cause.night, cause.gateway, JSON.stringify(cause)],
  );
}

/** What was found in these nights. */
export async function readCauses(queries: Queries, first: number, last: number): Promise<Cause[]> {
  const rows = await queries.rows(
    Type.Object({ found: Cause }),
    "SELECT found FROM rackproof.cause WHERE night BETWEEN $1 AND $2 ORDER BY night, gateway",
    [first, last],
  );
  return rows.map(({ found }) => found);
}
