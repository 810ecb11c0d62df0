// After a night: what each new failure comes from. Further turns repeat the failing cases under changed conditions; the
// most telling one is next, within the budget.
import type { Cause, CausePart } from "../../record/index.ts";
import { mostTurns, nextTurn } from "../causes/nextTurn.ts";
import { type Observation, oddsOf, verdictOf } from "../causes/odds.ts";
import { type CauseSearch, type Subject, subjectsOf } from "./causeSubjects.ts";
import { storeCause } from "./causeTables.ts";
import { failureText } from "./database.ts";
import { runCauseTurn } from "./causeTurn.ts";
import type { FleetNightResult } from "./fleetNight.ts";
import type { TurnRow } from "./fleetNights.ts";
import { listGateways } from "./register.ts";
import { knownTurns, possibleTurns } from "./possibleTurns.ts";

/** Whatever fails here changes no result of the night. */
export async function findCauses(options: CauseSearch, night: FleetNightResult): Promise<Cause[]> {
  const { database, clock, budgetMs, signal, say } = options;
  const causes: Cause[] = [];
  if (budgetMs <= 0 || signal.aborted) return causes;
  const deadlineMs = clock.nowMs() + budgetMs;
  try {
    const gateways = await listGateways(database, {});
    for (const subject of await subjectsOf(options, night, gateways))
      causes.push(await search(options, subject, night.turns, deadlineMs));
  } catch (thrown) {
    say(`the search for causes ended early: ${failureText(thrown)}`);
  }
  return causes;
}

async function search(
  options: CauseSearch,
  subject: Subject,
  nightTurns: readonly TurnRow[],
  deadlineMs: number,
): Promise<Cause> {
  const { database, suite, suiteVersion, clock, signal, say } = options;
  const { night, gateway, firmware, goodFirmware, goodSuite } = subject;
  const suspects: CausePart[] = [
    ...(goodFirmware === undefined ? [] : (["firmware"] as const)),
    ...(goodSuite === undefined ? [] : (["suite"] as const)),
    "unit",
    "rig",
  ];
  const requirementsOf = new Map(suite.map((one) => [one.id, one.requirements]));
  const gateways = await listGateways(database, {});
  const turns = knownTurns(subject, gateways, nightTurns, suiteVersion);
  const describe = (note?: string): Cause => ({
    night,
    gateway: gateway.id,
    suite: suiteVersion,
    ...(firmware === undefined ? {} : { firmware }),
    cases: subject.cases.map((id) => {
      const odds = oddsOf(suspects, observationsOf(turns, id));
      const requirements = [...(requirementsOf.get(id) ?? [])];
      return { id, requirements, verdict: verdictOf(odds), odds: Object.fromEntries(odds) };
    }),
    turns: [...turns],
    ...(note === undefined ? {} : { note }),
  });
  const possible = possibleTurns(options, subject, gateways);
  let note: string | undefined;
  for (let number = 1; note === undefined; number++) {
    const all = subject.cases.map((id) => observationsOf(turns, id));
    const next = nextTurn(suspects, all, possible);
    const leftMs = deadlineMs - clock.nowMs();
    if (next === undefined) break;
    if (signal.aborted) note = "the night was interrupted";
    else if (number > mostTurns) note = `${mostTurns} further turns did not suffice`;
    else if (leftMs <= 0) note = "the time of --cause-min has ended";
    else {
      turns.push(await runCauseTurn(options, subject, next, leftMs));
      await storeCause(database, describe());
      // A turn without evidence would give none again.
      if (Object.keys(turns.at(-1)?.counts ?? {}).length === 0) possible.splice(possible.indexOf(next), 1);
    }
  }
  const cause = describe(note);
  await storeCause(database, cause);
  const found = [...new Set(cause.cases.map(({ verdict }) => verdict))].join(", ");
  say(
    `cause of ${cause.cases.length === 1 ? (cause.cases[0]?.id ?? "") : `${cause.cases.length} new failures`} on ${gateway.id}: ${found}`,
  );
  return cause;
}

function observationsOf(turns: Cause["turns"], id: string): Observation[] {
  return turns.flatMap(({ changed, counts, brokenWire }) => {
    const count = counts[id];
    if (count !== undefined) return [{ changed, ...count }];
    return brokenWire === undefined ? [] : [{ changed, failed: 0, passed: 0, isWireBroken: true }];
  });
}
