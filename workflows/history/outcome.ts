// Reduces the attempts at a case to its outcome.
import type { CampaignRecord, CaseRecord, Outcome } from "../../record/index.ts";

/** One attempt's verdict on a case, however the attempt ended. */
export type ConcludedCase = Pick<CaseRecord, "id" | "verdict" | "durationMs" | "reason" | "decided">;

/** Reasons of an attempt that was ended early: the case did not reach its end. */
const notConcluded = new Set(["not-run", "interrupted"]);

/** Cases of a record that reached their end. */
export function concludedCases(record: Pick<CampaignRecord, "cases">): CaseRecord[] {
  return record.cases.filter(({ reasonCode }) => reasonCode === undefined || !notConcluded.has(reasonCode));
}

/** Whether another attempt is useful. */
export function isOpen(verdict: CaseRecord["verdict"]): boolean {
  return verdict === "fail" || verdict === "error" || verdict === "inconclusive";
}

const worstLast: readonly Outcome[] = [
  "not-applicable",
  "pass",
  "flaky",
  "quarantined",
  "inconclusive",
  "not-concluded",
  "error",
  "fail",
];

function worstOutcome(outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.toSorted((a, b) => worstLast.indexOf(b) - worstLast.indexOf(a))[0];
}

/** A pass that was not the first verdict is flaky; without a pass the worst verdict counts. */
function outcomeOf(found: readonly CaseRecord["verdict"][]): Outcome {
  // Advice is no result of a night.
  const verdicts = found.map((verdict) => (verdict === "advice" ? "pass" : verdict));
  const passed = verdicts.includes("pass");
  if (passed) return verdicts.every((one) => one === "pass") ? "pass" : "flaky";
  return worstOutcome(verdicts) ?? "not-concluded";
}

/** A case or requirement after all attempts. */
export interface Conclusion {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** The outcome of one case over all attempts; `otherwise` is the reason without an attempt. */
export function concludeCase(tries: readonly ConcludedCase[], otherwise: string): Conclusion {
  const outcome = outcomeOf(tries.map((one) => one.verdict));
  if (outcome === "pass") return { outcome };
  if (outcome === "not-concluded") return { outcome, reason: otherwise };
  const telling = tries.find((one) =>
    outcome === "flaky" ? one.verdict !== "pass" : one.verdict === outcome,
  );
  const before =
    outcome === "flaky" && telling !== undefined
      ? `${telling.verdict} at attempt ${tries.indexOf(telling) + 1}: `
      : "";
  return { outcome, reason: `${before}${telling?.reason ?? ""}` };
}

/** What an excuse covers: a failure, and what hides one. */
const isExcusable: ReadonlySet<Outcome> = new Set<Outcome>(["fail", "error", "inconclusive"]);

/** Why the requirement may fail in the case; undefined when it may not. */
export type Excuse = (caseId: string, requirement: string) => string | undefined;

/** Every requirement that the cases test: the worst of their verdicts. */
export function concludeRequirements(
  tries: ReadonlyMap<string, readonly ConcludedCase[]>,
  expected: ReadonlyMap<string, readonly string[]>,
  conclusions: ReadonlyMap<string, Conclusion>,
  excuse: Excuse = () => undefined,
): Map<string, Conclusion> {
  const found = new Map<string, { conclusion: Conclusion; caseId: string }[]>();
  const add = (requirement: string, caseId: string, verdict: Outcome): void => {
    const reason = conclusions.get(caseId)?.reason;
    const terms = isExcusable.has(verdict) ? excuse(caseId, requirement) : undefined;
    const outcome = terms === undefined ? verdict : "quarantined";
    const own = reason === undefined ? caseId : `${caseId}: ${reason}`;
    const text = terms === undefined ? own : `quarantined ${terms}; ${own}`;
    const conclusion = outcome === "pass" ? { outcome } : { outcome, reason: text };
    found.set(requirement, [...(found.get(requirement) ?? []), { conclusion, caseId }]);
  };
  for (const caseId of new Set([...expected.keys(), ...tries.keys()])) {
    const all = (tries.get(caseId) ?? []).flatMap(({ decided }) => decided);
    if (all.length === 0) {
      for (const requirement of expected.get(caseId) ?? []) add(requirement, caseId, "not-concluded");
      continue;
    }
    for (const [requirement, decisions] of Map.groupBy(all, (one) => one.requirement))
      add(requirement, caseId, outcomeOf(decisions.map((one) => one.verdict)));
  }
  return new Map(
    [...found].map(([requirement, all]) => {
      const worst = worstOutcome(all.map((one) => one.conclusion.outcome));
      const telling = all.find((one) => one.conclusion.outcome === worst);
      return [requirement, telling?.conclusion ?? { outcome: "not-concluded" }];
    }),
  );
}
