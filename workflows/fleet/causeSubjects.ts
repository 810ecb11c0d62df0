// The gateways of a night whose new failures need a cause: one for all that fail alike.
import { hasFailed, lastGoods, readAttempts } from "./causeTables.ts";
import type { FleetNightOptions, FleetNightResult } from "./fleetNight.ts";
import type { TurnRow } from "./fleetNights.ts";
import type { FleetGateway } from "./register.ts";

export interface CauseSearch extends FleetNightOptions {
  /** Time for all further turns. */
  readonly budgetMs: number;
}

/** A gateway with new failures. */
export interface Subject {
  readonly night: number;
  readonly gateway: FleetGateway;
  readonly firmware?: string;
  /** Cases whose verdicts are compared. */
  readonly cases: readonly string[];
  /** Cases that are run: those, or the ones that receive the answers which they judge. */
  readonly run: readonly string[];
  readonly goodFirmware?: string;
  readonly goodSuite?: string;
  /** Parts of the wiring that failed in the night. */
  readonly withoutParts: readonly string[];
}

/** A gateway with more new failures than this is broken as a whole: some of them show the cause. */
const mostCases = 10;

export async function subjectsOf(
  { database, suite, suiteVersion }: CauseSearch,
  { id: night, turns }: FleetNightResult,
  gateways: readonly FleetGateway[],
): Promise<Subject[]> {
  const subjects = new Map<string, Subject>();
  const requirementsOf = new Map(suite.map((one) => [one.id, one.requirements]));
  // Failures come first: the time for the others may end.
  const failing = (turn: TurnRow): boolean => turn.outcome === "non-conformant";
  const ordered = [...turns.filter(failing), ...turns.filter((turn) => !failing(turn))];
  for (const { gateway: name, conclusions } of ordered) {
    const gateway = gateways.find(({ id }) => id === name);
    if (conclusions === null || gateway === undefined) continue;
    const failed = Object.entries(conclusions.cases).flatMap(([id, { outcome }]) => {
      const requirements = requirementsOf.get(id);
      // A quarantined requirement is no failure.
      const counts = requirements?.some((one) => hasFailed(conclusions.requirements[one]?.outcome)) ?? true;
      return hasFailed(outcome) && counts ? [id] : [];
    });
    const known = await lastGoods(database, { night, gateway: name }, failed);
    const good = known.slice(0, mostCases);
    const [first] = good;
    if (first === undefined) continue;
    const cases = good.map(({ id }) => id);
    const own = cases.filter((id) => requirementsOf.has(id));
    const [, again] = await readAttempts(database, { night, gateway: name });
    // The shape of an answer is judged outside of the cases; a repetition names the cases that received it.
    const receivers = (again?.selection.split(",") ?? []).filter((id) => requirementsOf.has(id));
    const run = own.length === cases.length ? own : [...new Set([...own, ...receivers])];
    if (run.length === 0) continue;
    const { firmware, withoutParts } = conclusions;
    const key = JSON.stringify([gateway.labels["model"] ?? name, firmware, known.map(({ id }) => id)]);
    if (subjects.has(key)) continue;
    subjects.set(key, {
      night,
      gateway,
      cases,
      run: run.slice(0, mostCases),
      withoutParts,
      ...(firmware === undefined ? {} : { firmware }),
      ...(first.firmware === null || first.firmware === firmware ? {} : { goodFirmware: first.firmware }),
      ...(first.suite === suiteVersion ? {} : { goodSuite: first.suite }),
    });
  }
  return [...subjects.values()];
}
