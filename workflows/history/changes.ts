// Changes since earlier nights. Each case is compared with the last night that reached it; a flaky case is reported
// once, and again only after a week without a change.
import type {
  Cell,
  Change,
  GateComparison,
  Outcome,
  TrendGateway,
  TrendNight,
  TrendRow,
} from "../../record/index.ts";

/** Nights after which a flaky case counts as steady again. */
const unsteadyNights = 7;

const order: readonly Change["kind"][] = [
  "set-aside",
  "newly-failing",
  "not-concluded",
  "slower",
  "newly-undecided",
  "newly-flaky",
  "no-longer-run",
  "surroundings",
  "back",
  "fixed",
  "decided-again",
  "steady-again",
  "newly-run",
];

/** Changes of the last of the nights, the worst kind first; `slowerBefore`: quantities reported as slower already, by gateway. */
export function changesOf(
  nights: readonly TrendNight[],
  gateways: readonly TrendGateway[],
  slowerBefore: ReadonlyMap<string, readonly GateComparison[]>,
): Change[] {
  return gateways
    .flatMap((gateway) => [
      ...surroundings(nights, gateway),
      ...turnChanges(gateway),
      ...caseChanges(gateway),
      ...slowerChanges(gateway, slowerBefore.get(gateway.name) ?? []),
    ])
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Whether the gateway was run in that night. */
function wasRun(gateway: TrendGateway, index: number): boolean {
  const outcome = gateway.turns[index]?.outcome;
  return outcome !== undefined && outcome !== "set-aside" && outcome !== "waiting";
}

function lastRunBefore(gateway: TrendGateway, index: number): number | undefined {
  const found = gateway.turns.findLastIndex((_, at) => at < index && wasRun(gateway, at));
  return found < 0 ? undefined : found;
}

/** Possible causes of the other changes: another firmware, profile, suite, level or selection. */
function surroundings(nights: readonly TrendNight[], gateway: TrendGateway): Change[] {
  const index = nights.length - 1;
  const before = lastRunBefore(gateway, index);
  const change = (text: string): Change => ({
    kind: "surroundings",
    gateway: gateway.name,
    subjects: [],
    text,
  });
  if (!wasRun(gateway, index)) return [];
  // The first night of all has no baseline for any gateway, which the page reports once.
  if (before === undefined)
    return nights.length === 1 ? [] : [change("first night of this gateway: no baseline")];
  const facts: [string, string | undefined, string | undefined][] = [
    ["firmware", gateway.turns[before]?.firmware, gateway.turns[index]?.firmware],
    ["profile", gateway.turns[before]?.profile?.slice(0, 12), gateway.turns[index]?.profile?.slice(0, 12)],
    ["suite", nights[before]?.suiteVersion, nights[index]?.suiteVersion],
    ["level", nights[before]?.level, nights[index]?.level],
    ["selection", nights[before]?.selection || "everything", nights[index]?.selection || "everything"],
    ["omitted part", parts(gateway, before), parts(gateway, index)],
  ];
  return facts
    .filter(([, was, is]) => was !== undefined && is !== undefined && was !== is)
    .map(([what, was = "", is = ""]) => change(`${what}: ${is}, was ${was}`));
}

function parts(gateway: TrendGateway, index: number): string {
  return gateway.turns[index]?.withoutParts.join("; ") || "none";
}

function turnChanges(gateway: TrendGateway): Change[] {
  const index = gateway.turns.length - 1;
  const { outcome, reason = "" } = gateway.turns[index] ?? {};
  const before = gateway.turns[index - 1]?.outcome;
  const base = { gateway: gateway.name, subjects: [] };
  if (outcome === "set-aside")
    return before === "set-aside" ? [] : [{ ...base, kind: "set-aside", text: reason }];
  if (before === "set-aside" && wasRun(gateway, index)) {
    const why = gateway.turns[index - 1]?.reason ?? "";
    return [{ ...base, kind: "back", text: `runs again; excluded before: ${why}` }];
  }
  return [];
}

type Standing = "good" | "bad" | "undecided" | "flaky" | "aside";

const standings: Readonly<Record<Outcome, Standing | undefined>> = {
  pass: "good",
  flaky: "flaky",
  fail: "bad",
  error: "undecided",
  inconclusive: "undecided",
  "not-applicable": "aside",
  "not-concluded": undefined,
  // Only of requirements: cases have their own outcome.
  quarantined: undefined,
};

function standing(cell: Cell | undefined): Standing | undefined {
  return cell === undefined ? undefined : standings[cell.outcome];
}

interface CaseChange {
  readonly kind: Change["kind"];
  readonly caseId: string;
  /** Changes with the same text are reported together. */
  readonly words: string;
}

function caseChanges(gateway: TrendGateway): Change[] {
  const index = gateway.turns.length - 1;
  if (!wasRun(gateway, index)) return [];
  const isFirst = lastRunBefore(gateway, index) === undefined;
  const found = [...gateway.cases].flatMap(([caseId, row]) => {
    const change = changeOf(gateway, caseId, row, isFirst);
    return change === undefined ? [] : [{ caseId, ...change }];
  });
  const groups = Map.groupBy(found, ({ kind, words }) => JSON.stringify([kind, words]));
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const subjects = alike.map(({ caseId }) => caseId);
    return [{ kind: first.kind, gateway: gateway.name, subjects, text: first.words }];
  });
}

function changeOf(
  gateway: TrendGateway,
  caseId: string,
  row: TrendRow,
  isFirst: boolean,
): Omit<CaseChange, "caseId"> | undefined {
  const index = row.length - 1;
  const cell = row[index];
  const past = row.slice(0, index).filter((one) => standing(one) !== undefined);
  const was = past.at(-1);
  if (cell === undefined) return leftOutNow(gateway, caseId, row);
  const { outcome, reason = "" } = cell;
  if (outcome === "not-concluded")
    return row[index - 1]?.outcome === outcome ? undefined : { kind: "not-concluded", words: reason };
  if (was === undefined && !isFirst && outcome === "pass")
    return isShape(caseId) ? undefined : { kind: "newly-run", words: "tested for the first time: passed" };
  return compare(standing(was), standing(cell), past, reason);
}

/** Earlier and present outcome of the case; undefined without a difference, or for a case that was flaky all week. */
function compare(
  was: Standing | undefined,
  is: Standing | undefined,
  past: TrendRow,
  reason: string,
): Omit<CaseChange, "caseId"> | undefined {
  const lately = past.slice(-unsteadyNights).map(standing);
  switch (is) {
    case "bad":
      return was === "bad" ? undefined : { kind: "newly-failing", words: `${reason}${wasFlaky(lately)}` };
    case "undecided":
      return was === "undecided" ? undefined : { kind: "newly-undecided", words: reason };
    case "flaky":
      return lately.includes("flaky") ? undefined : { kind: "newly-flaky", words: reason };
    case "aside":
      return was === undefined || was === "aside" ? undefined : { kind: "no-longer-run", words: reason };
    case "good": {
      if (was === "bad")
        return { kind: "fixed", words: `passes; failed before: ${past.at(-1)?.reason ?? ""}` };
      if (was === "undecided")
        return { kind: "decided-again", words: `passes; inconclusive before: ${past.at(-1)?.reason ?? ""}` };
      if (was === "aside") return { kind: "newly-run", words: "applies again: passed" };
      const isSteady = past.length > 0 && lately[0] === "flaky" && !lately.slice(1).includes("flaky");
      return isSteady && lately.length === unsteadyNights
        ? { kind: "steady-again", words: `passed at the first attempt for ${unsteadyNights} nights` }
        : undefined;
    }
    case undefined:
      return undefined;
  }
}

function wasFlaky(lately: readonly (Standing | undefined)[]): string {
  const times = lately.filter((one) => one === "flaky").length;
  return times === 0 ? "" : ` (flaky in ${times} of the last ${lately.length} nights)`;
}

/** Shape cases depend on the answers of a night: a missing one was not excluded, and none is new. */
function isShape(caseId: string): boolean {
  return caseId.startsWith("shape/");
}

function leftOutNow(
  gateway: TrendGateway,
  caseId: string,
  row: TrendRow,
): Omit<CaseChange, "caseId"> | undefined {
  const before = lastRunBefore(gateway, row.length - 1);
  if (before === undefined || row[before] === undefined || isShape(caseId)) return undefined;
  return {
    kind: "no-longer-run",
    words: gateway.leftOut.get(caseId) ?? "no longer in the suite",
  };
}

function slowerChanges(gateway: TrendGateway, before: readonly GateComparison[]): Change[] {
  const nameOf = ({ case: caseId, name }: GateComparison): string => `${caseId}: ${name}`;
  const told = new Set(before.map(nameOf));
  const figure = (value: number): string => String(Number(value.toPrecision(4)));
  return gateway.slower
    .filter((one) => !told.has(nameOf(one)))
    .map((one) => ({
      kind: "slower" as const,
      gateway: gateway.name,
      subjects: [nameOf(one)],
      text: `worse for ${one.count} nights: median ${figure(one.median)} ${one.unit}, was ${figure(one.baselineMedian)} ${one.unit}`,
    }));
}
