// Reduces campaigns on a faulty gateway to the result for the fault.
import type { RequirementLevel } from "../../interface/vocabulary/levels.ts";
import type { FaultEntry } from "../../alterations/faults/index.ts";
import type { CampaignRecord, FaultResult } from "../../record/index.ts";

/** Whether one of the checks or decisions detects the fault by a requirement that it violates. */
export function detects(
  fault: FaultEntry,
  found: readonly { readonly requirement: string; readonly verdict: string }[],
): boolean {
  const violated = violatedBy(fault);
  return found.some(({ requirement, verdict }) => isNoticed(verdict) && violated.includes(requirement));
}

function violatedBy({ requirement, alsoViolates = [] }: FaultEntry): readonly string[] {
  return [requirement, ...alsoViolates];
}

/** The result of the rounds so far; a round that could not be run is represented by its error. */
export function resultOf(
  fault: FaultEntry,
  rounds: readonly (CampaignRecord | Error)[],
  durationMs: number,
): FaultResult {
  const records = rounds.filter((round): round is CampaignRecord => !(round instanceof Error));
  const cases = records.flatMap((record) => record.cases);
  const failed = records.flatMap((record) =>
    record.requirements.filter(({ verdict }) => isNoticed(verdict)).map(({ id }) => id),
  );
  const violated = violatedBy(fault);
  const right = cases.find((one) => detects(fault, one.decided))?.id;
  const noticedBy =
    right ?? cases.find(({ decided }) => decided.some(({ verdict }) => isNoticed(verdict)))?.id;
  const wasTested = cases.some(({ decided }) =>
    decided.some(({ requirement, verdict }) => violated.includes(requirement) && verdict === "pass"),
  );
  const undecided = [
    ...rounds.filter((round) => round instanceof Error).map(({ message }) => message),
    ...cases
      .filter(({ verdict }) => verdict === "error" || verdict === "inconclusive")
      .map(({ id, verdict, reason = "" }) => `${id}: ${verdict}, ${reason}`),
  ];
  return {
    fault: fault.id,
    requirement: fault.requirement,
    subtlety: fault.subtlety,
    what: fault.what,
    outcome:
      right !== undefined
        ? "killed"
        : noticedBy !== undefined
          ? "killed-by-another"
          : wasTested
            ? "silent"
            : "not-reached",
    ...(noticedBy === undefined ? {} : { noticedBy }),
    failed: [...new Set(failed)],
    undecided,
    casesRun: cases.length,
    durationMs: Math.round(durationMs),
  };
}

/** Stated requirements that a case tests and that no fault violates. */
export function gapsOf(
  faults: readonly FaultEntry[],
  requirements: readonly {
    readonly id: string;
    readonly level: RequirementLevel;
    readonly untestable?: string;
  }[],
  isCovered: (requirement: string) => boolean,
): string[] {
  const broken = new Set(faults.map(({ requirement }) => requirement));
  return requirements
    .filter(
      ({ id, level, untestable }) =>
        level === "stated" && untestable === undefined && isCovered(id) && !broken.has(id),
    )
    .map(({ id }) => id);
}

/** A fault that breaks a recommendation shows as advice. */
function isNoticed(verdict: string): boolean {
  return verdict === "fail" || verdict === "advice";
}
