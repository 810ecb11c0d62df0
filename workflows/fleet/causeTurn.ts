// A further turn for the cause of a failure: a night with one turn, under the same hold, lease and fence as every other.
import type { CauseTurn } from "../../record/index.ts";
import { runsOfTurn } from "../causes/nextTurn.ts";
import type { CauseSearch, Subject } from "./causeSubjects.ts";
import { countsOf, readAttempts } from "./causeTables.ts";
import { watchNight } from "./fleetNight.ts";
import { endNight, startNight, type TurnRow } from "./fleetNights.ts";
import { changedIn, type PossibleTurn } from "./possibleTurns.ts";

export async function runCauseTurn(
  options: CauseSearch,
  subject: Subject,
  turn: PossibleTurn,
  limitMs: number,
): Promise<CauseTurn> {
  const { database, dispatch, signal, suiteVersion, waitMs } = options;
  const { gateway, conditions } = turn;
  const night = await startNight(
    database,
    {
      ...options,
      selection: subject.run.join(","),
      retries: runsOfTurn - 1,
      limitMs,
      quarantined: [],
      causeOf: subject.night,
    },
    [{ gateway: gateway.id, lab: gateway.lab, expected: subject.run, leftOut: new Map(), conditions }],
  );
  await dispatch.offer(gateway.lab, [{ night, gateway: gateway.id }]);
  const ended = await watchNight(
    { ...options, limitMs, waitMs: Math.min(waitMs, limitMs), finished: () => undefined },
    night,
  );
  await endNight(database, night, signal.aborted ? "interrupted" : "finished", ended[0]?.exit_code ?? 3);
  const attempts = await readAttempts(database, { night, gateway: gateway.id });
  const row = ended[0];
  const firmware = row?.conclusions?.firmware;
  const wanted = conditions.firmware?.install;
  const isOther = wanted !== undefined && firmware !== wanted;
  const note =
    isOther && row?.outcome !== "set-aside"
      ? `no evidence: expected firmware ${wanted}, found ${firmware ?? "none"}`
      : row?.outcome === "set-aside"
        ? `not run: ${row.reason ?? "no reason"}`
        : undefined;
  const wire = gateway.id === subject.gateway.id ? brokenWire(row, subject) : undefined;
  const evidence = attempts[0]?.evidence;
  return {
    changed: note === undefined ? changedIn(subject, turn, firmware) : [...turn.changed],
    gateway: gateway.id,
    suite: conditions.suite ?? suiteVersion,
    isExtra: true,
    counts: note === undefined ? countsOf(attempts, subject.cases) : {},
    ...(firmware === undefined ? {} : { firmware }),
    ...(note === undefined ? {} : { note }),
    ...(wire === undefined ? {} : { brokenWire: wire }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

/** A part of the wiring that worked in the night and fails now. */
function brokenWire(row: TurnRow | undefined, { withoutParts }: Subject): string | undefined {
  const worked = (part: string): boolean =>
    !withoutParts.some((one) => one.split(":")[0] === part.split(":")[0]);
  return row?.conclusions?.withoutParts.find(worked);
}
