// Failures that last: an alert after some failing nights, and its end after some nights that passed. Computed from the
// history alone, so that a night can be reported again.
import {
  type Alert,
  type FleetHistory,
  type FleetUnit,
  causesOf,
  codeOf,
  type NoticeGateway,
  notTested,
} from "../../record/index.ts";

export interface AlertRule {
  /** Failing nights in a row after which an alert is sent. */
  readonly alertAfter: number;
  /** Passing nights in a row after which it ends. */
  readonly clearAfter: number;
}

export interface Alerts {
  /** Of the last night. */
  readonly changes: readonly Alert[];
  /** Alerts that have not ended. */
  readonly open: number;
}

type Verdict = "fail" | "pass" | undefined;

interface Track {
  readonly unit: FleetUnit;
  /** Undefined: whether the gateway was run at all. */
  readonly requirement?: string;
  readonly isOpen: boolean;
  /** Index of the night of the last change. */
  readonly changedIn: number;
  readonly since: number;
  readonly lastGood: number;
}

const [pass, fail] = [codeOf("pass"), codeOf("fail")];

export function alertsOf(history: FleetHistory, rule: AlertRule): Alerts {
  const tracks = history.units.flatMap((unit) => tracksOf(history, unit, rule));
  const last = history.nights.length - 1;
  const changed = tracks.filter(({ unit, changedIn }) => isTold(unit, changedIn, last));
  const alike = Map.groupBy(
    Map.groupBy(changed, (one) =>
      JSON.stringify([one.isOpen, one.since, one.lastGood, one.requirement]),
    ).values(),
    (some) => {
      const [{ isOpen, since, lastGood, requirement } = {}] = some;
      return JSON.stringify([
        isOpen,
        since,
        lastGood,
        requirement === undefined,
        some.map(({ unit }) => unit.name),
      ]);
    },
  );
  const changes = [...alike.values()].flatMap((group) => toAlert(history, group) ?? []);
  return {
    changes: changes.toSorted((a, b) => order(a) - order(b) || b.gateways.length - a.gateways.length),
    open: tracks.filter(({ isOpen }) => isOpen).length,
  };
}

/** Failures first, then gateways that were not run, then what has ended. */
const order = ({ state, requirements }: Alert): number =>
  (state === "clear" ? 2 : 0) + (requirements.length === 0 ? 1 : 0);

function tracksOf({ requirements, nights }: FleetHistory, unit: FleetUnit, rule: AlertRule): Track[] {
  const found: Track[] = [];
  const add = (requirement: string | undefined, verdictIn: (night: number) => Verdict): void => {
    const track = trackOf(nights.length, rule, verdictIn);
    if (track !== undefined)
      found.push({ unit, ...track, ...(requirement === undefined ? {} : { requirement }) });
  };
  add(undefined, (night) => {
    if (unit.results[night] !== undefined && unit.turns[night]?.outcome !== "set-aside") return "pass";
    return unit.turns[night]?.outcome === "set-aside" ? "fail" : undefined;
  });
  for (const [place, requirement] of requirements.entries()) {
    if (!unit.results.some((codes) => codes?.[place] === fail)) continue;
    add(requirement, (night) => {
      const code = unit.results[night]?.[place] ?? notTested;
      return code === fail ? "fail" : code === pass ? "pass" : undefined;
    });
  }
  return found;
}

/** Nights in which it neither failed nor passed count neither way. */
function trackOf(
  count: number,
  { alertAfter, clearAfter }: AlertRule,
  verdictIn: (night: number) => Verdict,
): Omit<Track, "unit"> | undefined {
  let [isOpen, changedIn, since, lastGood, fails, passes] = [false, -1, -1, -1, 0, 0];
  for (let night = 0; night < count; night++) {
    const verdict = verdictIn(night);
    if (verdict === "fail") {
      fails += 1;
      passes = 0;
      if (fails === 1 && !isOpen) since = night;
      if (isOpen || fails < alertAfter) continue;
      [isOpen, changedIn] = [true, night];
    } else if (verdict === "pass") {
      passes += 1;
      if (!isOpen) [fails, lastGood] = [0, night];
      if (!isOpen || passes < clearAfter) continue;
      [isOpen, changedIn, fails, lastGood] = [false, night, 0, night];
    }
  }
  return changedIn < 0 ? undefined : { isOpen, changedIn, since, lastGood };
}

/** A result that came after the end of its night counts in the next night of its gateway. */
function isTold({ turns, results }: FleetUnit, changedIn: number, last: number): boolean {
  if (changedIn === last) return true;
  const isLate = turns[changedIn]?.outcome === "set-aside" && results[changedIn] !== undefined;
  return (
    isLate &&
    turns[last] !== undefined &&
    turns.slice(changedIn + 1, last).every((turn) => turn === undefined)
  );
}

function toAlert(history: FleetHistory, group: readonly (readonly Track[])[]): Alert | undefined {
  const [first] = group[0] ?? [];
  if (first === undefined) return undefined;
  const { nights } = history;
  const { unit, isOpen, requirement, since, lastGood, changedIn } = first;
  const reason =
    requirement === undefined ? unit.turns[changedIn]?.reason : unit.last?.reasons.get(requirement);
  const evidence = unit.last?.evidence;
  const good = nights[lastGood];
  const requirements = group.flatMap(([one]) => one?.requirement ?? []);
  const units = (group[0] ?? []).map((one) => one.unit);
  const causes = isOpen ? causesOf(history, since, units, requirements) : [];
  return {
    state: isOpen ? "alert" : "clear",
    requirements,
    gateways: units.map(toGateway),
    since: nights[since]?.startedAt ?? "",
    ...(good === undefined ? {} : { lastGood: good.startedAt }),
    ...(reason === undefined || !isOpen ? {} : { reason }),
    ...(evidence === undefined || !isOpen ? {} : { evidence }),
    ...(causes.length === 0 ? {} : { causes }),
  };
}

function toGateway({ name, lab, labels, turns, last }: FleetUnit): NoticeGateway {
  const firmware = last === undefined ? undefined : turns[last.night]?.firmware;
  return { name, lab, labels, ...(firmware === undefined ? {} : { firmware }) };
}
