// What the gateways of a fleet did not pass in their last results: since when, which gateways alike, and what is new.
import {
  codeOf,
  type FindingGroup,
  type FleetFinding,
  type FleetHistory,
  type FleetUnit,
  notTested,
  outcomeOfCode,
  outcomes,
  type Outcome,
} from "../../record/index.ts";

/** Nights after which a flaky requirement counts as steady again. */
const unsteadyNights = 7;
const shown: ReadonlySet<Outcome> = new Set<Outcome>([
  "fail",
  "error",
  "inconclusive",
  "flaky",
  "quarantined",
]);
/** From worst to best. */
const order: readonly Outcome[] = ["fail", "error", "inconclusive", "quarantined", "flaky"];

type Standing = "good" | "bad" | "undecided" | "flaky" | "none";
const standings: Readonly<Record<Outcome, Standing>> = {
  pass: "good",
  flaky: "flaky",
  fail: "bad",
  error: "undecided",
  inconclusive: "undecided",
  "not-applicable": "none",
  "not-concluded": "none",
  quarantined: "bad",
};
const standingOfCode: readonly Standing[] = Array.from({ length: outcomes.length + 1 }, (_, code) => {
  const outcome = outcomeOfCode(code);
  return outcome === undefined ? "none" : standings[outcome];
});
const flakyCode = codeOf("flaky");

/** Every requirement that a gateway did not pass in its last result. */
export function findingsOf({ requirements, units }: FleetHistory): FleetFinding[] {
  return units.flatMap((unit) => {
    const last = unit.last;
    const codes = last === undefined ? undefined : unit.results[last.night];
    if (last === undefined || codes === undefined) return [];
    return requirements.flatMap((requirement, place): FleetFinding[] => {
      const code = codes[place] ?? notTested;
      const outcome = outcomeOfCode(code);
      if (outcome === undefined || !shown.has(outcome)) return [];
      const reason = last.reasons.get(requirement);
      return [
        {
          unit,
          requirement,
          outcome,
          ...streakOf(unit, place, last.night),
          flakyNights: flakyNightsOf(unit, place, last.night),
          ...(reason === undefined ? {} : { reason }),
        },
      ];
    });
  });
}

/** Nights without a verdict neither end nor begin a streak. */
function streakOf(
  { results }: FleetUnit,
  place: number,
  last: number,
): Pick<FleetFinding, "since" | "lastGood" | "isNew"> {
  const standingAt = (night: number): Standing =>
    standingOfCode[results[night]?.[place] ?? notTested] ?? "none";
  const is = standingAt(last);
  let since = last;
  let night = last - 1;
  for (; night >= 0; night--) {
    const standing = standingAt(night);
    if (standing === "none") continue;
    if (standing !== is) break;
    since = night;
  }
  while (night >= 0 && standingAt(night) !== "good") night--;
  const hasEarlier = results.some((codes, index) => codes !== undefined && index < last);
  return { since, ...(night < 0 ? {} : { lastGood: night }), isNew: since === last && hasEarlier };
}

function flakyNightsOf({ results }: FleetUnit, place: number, last: number): number {
  return results
    .slice(Math.max(0, last + 1 - unsteadyNights), last + 1)
    .filter((codes) => codes?.[place] === flakyCode).length;
}

/**
 * Requirements that fail on the same gateways since the same night are one group: a broken gateway is one entry, and
 * a firmware with one defect too. The worst outcome first, then the newest.
 */
export function groupFindings(findings: readonly FleetFinding[]): FindingGroup[] {
  const byRequirement = Map.groupBy(findings, ({ requirement, outcome, since, isNew }) =>
    JSON.stringify([requirement, outcome, since, isNew]),
  );
  const alike = Map.groupBy(byRequirement.values(), (some) => {
    const [{ outcome, since, isNew } = {}] = some;
    return JSON.stringify([outcome, since, isNew, some.map(({ unit }) => unit.name)]);
  });
  return [...alike.values()]
    .flatMap((group) => {
      const first = group[0]?.[0];
      return first === undefined ? [] : [toGroup(first, group)];
    })
    .toSorted(
      (a, b) =>
        order.indexOf(a.outcome) - order.indexOf(b.outcome) ||
        b.since - a.since ||
        b.units.length - a.units.length,
    );
}

function toGroup(first: FleetFinding, group: readonly (readonly FleetFinding[])[]): FindingGroup {
  const { outcome, since, isNew, lastGood, reason, unit } = first;
  const evidence = unit.last?.evidence;
  return {
    outcome,
    since,
    isNew,
    requirements: group.flatMap(([one]) => (one === undefined ? [] : [one.requirement])),
    units: (group[0] ?? []).map((one) => one.unit),
    flakyNights: Math.max(...group.flat().map(({ flakyNights }) => flakyNights)),
    ...(lastGood === undefined ? {} : { lastGood }),
    ...(reason === undefined ? {} : { reason }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}
