// Whether a certificate covers its whole requirement set: every requirement and case once, with a verdict.
import { noSubject, shapePrefix } from "../../harness/index.ts";
import { suitePermissions } from "../../interface/vocabulary/capabilities.ts";
import {
  type RefusalCode,
  type Certificate,
  type CertifiedCase,
  type Verdict,
  worst,
} from "../../record/index.ts";
import type { RequirementSet } from "./requirementSet.ts";

/** Why a run cannot be certified. */
export interface Refusal {
  /** Stable word for scripts. */
  readonly code: RefusalCode;
  readonly reason: string;
  /** Case and requirement that a waiver would have to name, where a waiver is possible. */
  readonly waivable?: Pair;
}

/** A requirement as one case decided it. */
export interface Pair {
  readonly check: string;
  readonly requirement: string;
}

/** The part of a certificate that its requirement set asks for. */
export type Decisions = Pick<Certificate, "requirements" | "cases"> & {
  readonly capabilities: readonly string[];
};

/** Everything that is missing, duplicated or inconclusive; empty when the set is fulfilled. */
export function completeness(
  set: RequirementSet,
  content: Decisions,
  isWaived: (pair: Pair) => boolean,
): Refusal[] {
  const cases = new Map(content.cases.map((one) => [one.id, one]));
  return [
    ...repeated(content),
    ...set.cases.flatMap((wanted) => caseRefusals(wanted, cases.get(wanted.id), content, isWaived)),
    ...set.requirements.flatMap((wanted) => requirementRefusals(wanted, content, cases, isWaived)),
  ];
}

function repeated({ requirements, cases }: Decisions): Refusal[] {
  const twice = (ids: readonly string[]): string[] => ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...twice(cases.map((one) => one.id)).map((id): Refusal => ({
      code: "CASE_TWICE",
      reason: `case ${id} is present more than once`,
    })),
    ...twice(requirements.map((one) => one.id)).map((id): Refusal => ({
      code: "REQUIREMENT_TWICE",
      reason: `requirement ${id} is present more than once`,
    })),
  ];
}

function caseRefusals(
  wanted: RequirementSet["cases"][number],
  found: CertifiedCase | undefined,
  { capabilities }: Decisions,
  isWaived: (pair: Pair) => boolean,
): Refusal[] {
  const { id } = wanted;
  if (found === undefined) return [{ code: "CASE_MISSING", reason: `case ${id} was not run` }];
  const silent = wanted.requirements.filter(
    (requirement) => found.decided.filter((one) => one.requirement === requirement).length !== 1,
  );
  const refusals: Refusal[] = silent.map((requirement) => ({
    code: "CASE_INCOMPLETE",
    reason: `case ${id} does not decide ${requirement} exactly once`,
  }));
  if (found.verdict === "not-applicable" && !isRightlyLeftOut(wanted, found, capabilities)) {
    const undecided = found.decided.filter((one) => one.verdict === "not-applicable");
    const open = undecided
      .map((one) => one.requirement)
      .filter((requirement) => !isWaived({ check: id, requirement }));
    for (const requirement of open) {
      refusals.push({
        code: "CASE_LEFT_OUT",
        reason: `${requirement} not tested: case ${id} was excluded (${found.reasonCode ?? "no reason"})`,
        waivable: { check: id, requirement },
      });
    }
  }
  return refusals;
}

/**
 * Not applicable is a decision when the profile does not declare a needed capability, or when the gateway reports or
 * shows that it does not offer the subject of the requirement.
 */
function isRightlyLeftOut(
  wanted: RequirementSet["cases"][number],
  found: CertifiedCase,
  capabilities: readonly string[],
): boolean {
  if (found.reasonCode === "not-offered" || found.reasonCode === noSubject) return true;
  return (
    found.reasonCode === "capability-not-declared" &&
    wanted.capabilities.some((capability) => isLacking(capability, capabilities))
  );
}

/** Whether the gateway does not offer it. An action that the suite may not perform proves nothing about the gateway. */
function isLacking(capability: string, declared: readonly string[]): boolean {
  return !declared.includes(capability) && !suitePermissions.some((one) => one === capability);
}

function requirementRefusals(
  wanted: RequirementSet["requirements"][number],
  content: Decisions,
  cases: ReadonlyMap<string, CertifiedCase>,
  isWaived: (pair: Pair) => boolean,
): Refusal[] {
  const found = content.requirements.find((one) => one.id === wanted.id);
  if (found === undefined) {
    return [{ code: "REQUIREMENT_MISSING", reason: `requirement ${wanted.id} is missing` }];
  }
  const decisions = content.cases.flatMap(({ id, decided }) =>
    decided
      .filter((one) => one.requirement === wanted.id)
      .map(({ verdict }) => ({ check: id, requirement: wanted.id, verdict })),
  );
  const refusals = decisions.filter((one) => isOpen(one.verdict) && !isWaived(one)).map(toRefusal);
  const verdict = worst(decisions.map((one) => one.verdict)) ?? "not-covered";
  if (verdict !== found.verdict) {
    refusals.push({
      code: "REQUIREMENT_CONTRADICTION",
      reason: `requirement ${wanted.id}: ${found.verdict} by the record, ${verdict} by its cases`,
    });
  }
  if (verdict === "not-covered" && !mayBeUncovered(wanted, content.capabilities, cases)) {
    refusals.push({
      code: "REQUIREMENT_UNDECIDED",
      reason: `requirement ${wanted.id} was not tested by any case`,
    });
  }
  return refusals;
}

function isOpen(verdict: Verdict): boolean {
  return verdict !== "pass" && verdict !== "not-applicable";
}

function toRefusal({ check, requirement, verdict }: Pair & { readonly verdict: Verdict }): Refusal {
  return {
    code: verdict === "fail" ? "REQUIREMENT_FAILED" : "REQUIREMENT_UNDECIDED",
    reason:
      verdict === "fail"
        ? `${requirement} failed in ${check}`
        : `${requirement} has no verdict by ${check}: ${verdict}`,
    waivable: { check, requirement },
  };
}

/**
 * A part of an answer that never occurred is no violation when answers of that operation were observed; and
 * capabilities that the profile does not declare are not required.
 */
function mayBeUncovered(
  { capability, cases: deciding }: RequirementSet["requirements"][number],
  capabilities: readonly string[],
  cases: ReadonlyMap<string, CertifiedCase>,
): boolean {
  if (capability !== undefined && isLacking(capability, capabilities)) return true;
  return deciding.some((id) => id.startsWith(shapePrefix) && cases.has(id));
}
