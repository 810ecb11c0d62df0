// Decides whether a firmware may be released: compares the runs of a candidate with those of a baseline, by a policy.
import type {
  CampaignRecord,
  GateComparison,
  GateReason,
  GateResult,
  RequirementRecord,
} from "../../record/index.ts";
import { expectedTitle, isExpected, staleEntries } from "../expectedFailures/expectedFailures.ts";
import { compareMeasurements, neededRepetitions } from "./measurements.ts";
import type { GatePolicy } from "./policy.ts";

/** Judges the runs of the candidate; at least one is needed. */
export function gate(
  candidate: readonly CampaignRecord[],
  baseline: readonly CampaignRecord[],
  policy: GatePolicy,
): GateResult {
  const failures = failureReasons(candidate, baseline, policy);
  const lost = noLongerDecided(candidate, baseline);
  const comparisons = compareMeasurements(candidate, baseline, policy);
  const reasons = [
    ...failures.reasons,
    ...lost,
    ...comparisons.filter((one) => one.result === "worse").map(slower),
    ...passingExpected(candidate, policy),
  ];
  const few = tooFew(comparisons, policy);
  const open = [
    ...undecided(candidate, policy, new Set(lost.map((one) => one.subject))),
    ...(policy.tooFewRepetitions === "undecided" ? few : []),
  ];
  return {
    verdict: reasons.length > 0 ? "hold" : open.length > 0 ? "undecided" : "release",
    reasons,
    open,
    notes: [
      ...differences(candidate, baseline),
      ...failures.notes,
      ...(policy.tooFewRepetitions === "say" ? few.map((one) => one.text) : []),
    ],
    comparisons,
    subject: titleOf(candidate),
    baseline: baseline.length === 0 ? undefined : titleOf(baseline),
  };
}

interface Failure {
  readonly caseId: string;
  readonly requirement: string;
  readonly reason: string;
  runs: number;
}

/** Requirements that failed, by case. */
function failuresOf(records: readonly CampaignRecord[]): Map<string, Failure> {
  const found = new Map<string, Failure>();
  for (const { id, decided, reason = "" } of records.flatMap((record) => record.cases)) {
    for (const { requirement } of decided.filter((one) => one.verdict === "fail")) {
      const key = JSON.stringify([id, requirement]);
      const failure = found.get(key) ?? { caseId: id, requirement, reason, runs: 0 };
      failure.runs += 1;
      found.set(key, failure);
    }
  }
  return found;
}

function failureReasons(
  candidate: readonly CampaignRecord[],
  baseline: readonly CampaignRecord[],
  policy: GatePolicy,
): { reasons: GateReason[]; notes: string[] } {
  const known = failuresOf(baseline);
  const all = candidate.flatMap((record) => record.requirements);
  const own = new Set(all.filter(isOwnDeclaration).map(({ id }) => id));
  const deciding = new Set([...own, ...all.filter((one) => one.level === "stated").map(({ id }) => id)]);
  const reasons: GateReason[] = [];
  const notes: string[] = [];
  for (const [key, { caseId, requirement, reason, runs }] of failuresOf(candidate)) {
    const times = candidate.length === 1 ? "" : ` in ${runs} of ${candidate.length} runs`;
    const subject = own.has(requirement) ? `the gateway's own declaration ${requirement}` : requirement;
    const text = `${subject} failed in ${caseId}${times}: ${reason}`;
    const isNew = baseline.length > 0 && !known.has(key);
    const isHeld = policy.failures === "all" || baseline.length === 0 ? deciding.has(requirement) : false;
    if (isExpected(policy.expectedFailures, { case: caseId, requirement })) notes.push(`expected: ${text}`);
    else if (isNew) reasons.push({ kind: "new-failure", subject: requirement, text });
    else if (isHeld) reasons.push({ kind: "failure", subject: requirement, text });
    else notes.push(`${baseline.length === 0 ? "does not decide" : "same as the baseline"}: ${text}`);
  }
  return { reasons, notes };
}

/** Whether the profile or the rack file declares the requirement itself. */
function isOwnDeclaration({ level, isDeclared }: RequirementRecord): boolean {
  return level === "declared" && isDeclared === true;
}

/** Recommendations, and defaults that nobody declared, decide nothing. */
function isMereAdvice({ level, isDeclared }: RequirementRecord): boolean {
  return level === "recommended" || (level === "declared" && isDeclared === false);
}

type Verdicts = ReadonlyMap<string, readonly string[]>;

/** Every verdict of a requirement in the runs. */
function verdictsOf(records: readonly CampaignRecord[]): Verdicts {
  const found = new Map<string, string[]>();
  for (const { id, verdict } of records.flatMap((record) =>
    record.requirements.filter((one) => !isMereAdvice(one)),
  )) {
    found.set(id, [...(found.get(id) ?? []), verdict]);
  }
  return found;
}

function isDecided(verdicts: readonly string[]): boolean {
  return verdicts.includes("pass") || verdicts.includes("fail");
}

function noLongerDecided(
  candidate: readonly CampaignRecord[],
  baseline: readonly CampaignRecord[],
): GateReason[] {
  const now = verdictsOf(candidate);
  const unrun = unrunRequirements(candidate);
  const advice = new Set(
    candidate.flatMap((record) => record.requirements.filter(isMereAdvice).map(({ id }) => id)),
  );
  return [...verdictsOf(baseline)].flatMap(([id, before]) => {
    const verdicts = now.get(id) ?? [];
    if (!isDecided(before) || isDecided(verdicts) || advice.has(id) || unrun.has(id)) return [];
    const is = verdicts.length === 0 ? "not in the record" : [...new Set(verdicts)].join(", ");
    return [
      {
        kind: "no-longer-decided" as const,
        subject: id,
        text: `${id} had a verdict in the baseline and is now ${is.replaceAll("-", " ")}`,
      },
    ];
  });
}

function slower(one: GateComparison): GateReason {
  const { case: caseId, name, unit } = one;
  const by = Number.isFinite(one.worseByPercent) ? `${one.worseByPercent.toFixed(1)} %` : "an infinite ratio";
  return {
    kind: "slower",
    subject: `${caseId}: ${name}`,
    text:
      `${name} of ${caseId} is worse by ${by}: median ${figure(one.median)} ${unit}, was ${figure(one.baselineMedian)} ${unit} ` +
      `(${one.count} against ${one.baselineCount} repetitions, p ${one.pValue.toPrecision(2)}, effect ${one.effect.toFixed(2)})`,
  };
}

function figure(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

function passingExpected(candidate: readonly CampaignRecord[], policy: GatePolicy): GateReason[] {
  return staleEntries(candidate, policy.expectedFailures).map((entry) => ({
    kind: "expected-failure-passes",
    subject: expectedTitle(entry),
    text: `${expectedTitle(entry)} is listed as an expected failure (${entry.reason}) and passed. Fix: remove the entry`,
  }));
}

/** Stated requirements without a verdict in any run, cases with a fault of the harness, interrupted runs. */
function undecided(
  candidate: readonly CampaignRecord[],
  policy: GatePolicy,
  told: ReadonlySet<string>,
): GateReason[] {
  const open = (subject: string, text: string): GateReason => ({ kind: "undecided", subject, text });
  const interrupted = candidate
    .filter((record) => !record.complete)
    .map(
      (record) =>
        troubleOf(record) ?? open(record.startedAt, `the run of ${record.startedAt} was interrupted`),
    );
  const unrun = unrunRequirements(candidate);
  const stated = candidate.flatMap((record) => record.requirements.filter((one) => one.level === "stated"));
  const verdicts = verdictsOf(candidate);
  const without = [...new Map(stated.map((one) => [one.id, one])).values()].filter(({ id, cases }) => {
    const all = verdicts.get(id) ?? [];
    const isOpen = all.includes("inconclusive") || all.includes("error");
    const isExcused = cases.every((caseId) =>
      isExpected(policy.expectedFailures, { case: caseId, requirement: id }),
    );
    return isOpen && !isDecided(all) && !told.has(id) && !isExcused && !unrun.has(id);
  });
  const isExplained = candidate.some(({ trouble }) => trouble !== undefined);
  const nothing =
    isExplained || stated.some(({ verdict }) => isDecided([verdict]))
      ? []
      : [open("everything", "no run decided a stated requirement")];
  return [
    ...interrupted,
    ...nothing,
    ...without.map(({ id }) => open(id, `${id} is inconclusive: ${(verdicts.get(id) ?? []).join(", ")}`)),
  ];
}

/** A failure of the lab that ended the run: no verdict on the gateway. */
function troubleOf({ startedAt, trouble }: CampaignRecord): GateReason | undefined {
  if (trouble === undefined) return undefined;
  const { part, expected, found, remedy, since } = trouble;
  return {
    kind: "lab-trouble",
    subject: part,
    text: `the run of ${startedAt} ended early, not by the gateway (${part}): expected ${expected}, found ${found}${since === undefined ? "" : `, since ${since}`}. Fix: ${remedy}. Run it again`,
  };
}

/** Requirements whose cases were left out in every run because the lab failed. */
function unrunRequirements(records: readonly CampaignRecord[]): ReadonlySet<string> {
  if (records.every(({ trouble }) => trouble === undefined)) return new Set();
  const all = records.flatMap(({ cases }) => cases);
  const idsOf = (cases: typeof all): string[] =>
    cases.flatMap(({ decided }) => decided.map(({ requirement }) => requirement));
  const unrun = all.filter(({ reasonCode }) => reasonCode === "not-run");
  const ran = new Set(
    idsOf(all.filter(({ reasonCode, verdict }) => reasonCode !== "not-run" && verdict !== "not-applicable")),
  );
  return new Set(idsOf(unrun).filter((id) => !ran.has(id)));
}

function tooFew(comparisons: readonly GateComparison[], policy: GatePolicy): GateReason[] {
  const few = comparisons.filter((one) => one.result === "too few repetitions");
  if (few.length === 0) return [];
  const needed = neededRepetitions(policy.alpha, comparisons.length);
  const byCounts = new Map<string, GateComparison[]>();
  for (const one of few) {
    const counts = `${one.count} against ${one.baselineCount} repetitions`;
    byCounts.set(counts, [...(byCounts.get(counts) ?? []), one]);
  }
  return [...byCounts].map(([counts, all]) => ({
    kind: "too-few-repetitions" as const,
    subject: counts,
    text:
      `not compared: too few repetitions (${counts}; needed: ${needed} each): ` +
      all.map((one) => `${one.name} of ${one.case}`).join("; "),
  }));
}

/** Differences that limit the comparison. */
function differences(candidate: readonly CampaignRecord[], baseline: readonly CampaignRecord[]): string[] {
  if (baseline.length === 0) return ["no baseline: every failure of a stated requirement counts"];
  const facts: [string, (record: CampaignRecord) => string][] = [
    ["gateway", (record) => record.gateway.name],
    ["level", (record) => record.level],
    ["selection", (record) => record.selection],
    ["profile", (record) => record.profile.sha256],
    ["suite", (record) => record.suite.version],
    ["machine", (record) => `${record.machine.cpu}, ${record.machine.cores} cores`],
  ];
  return facts.flatMap(([what, of]) => {
    const list = (records: readonly CampaignRecord[]): string =>
      [...new Set(records.map((record) => of(record) || "everything"))].toSorted().join(" and ");
    return list(candidate) === list(baseline)
      ? []
      : [`the ${what} differs from the baseline: ${list(candidate)}, baseline ${list(baseline)}`];
  });
}

function titleOf(records: readonly CampaignRecord[]): string {
  const names = [...new Set(records.map(({ gateway }) => `${gateway.name} ${gateway.version}`.trim()))];
  return `${names.join(", ")} (${records.length} ${records.length === 1 ? "run" : "runs"})`;
}
