// The result of a self-test: which faults of the reference gateway the suite detects, and which case detects them.
import Type, { type Static } from "typebox";
import { type CampaignLevel, campaignLevels } from "../interface/vocabulary/levels.ts";

/** The result for one fault. */
export const FaultResult = Type.Object({
  fault: Type.String(),
  requirement: Type.String(),
  subtlety: Type.String(),
  what: Type.String(),
  /**
   * `killed`: its requirement failed; `killed-by-another`: only others failed; `silent`: cases that test its
   * requirement ran and passed; `not-reached`: no case tested its requirement, or none ran to its end.
   */
  outcome: Type.Enum(["killed", "killed-by-another", "silent", "not-reached"]),
  /** The first case that detected it. */
  noticedBy: Type.Optional(Type.String()),
  /** Requirements that failed. */
  failed: Type.Array(Type.String()),
  /** Inconclusive cases, each with its reason. */
  undecided: Type.Array(Type.String()),
  casesRun: Type.Integer(),
  durationMs: Type.Number(),
});
export type FaultResult = Static<typeof FaultResult>;

/** Calls and checks of a case on the fault-free gateway. */
export const CaseFacts = Type.Object({
  id: Type.String(),
  durationMs: Type.Integer(),
  /** Operations that it calls with success, in the order of their first call. */
  operations: Type.Array(Type.String()),
  /** Requirements that it checks, in the order of their first check. */
  checks: Type.Array(Type.String()),
});
export type CaseFacts = Static<typeof CaseFacts>;

/** The facts of the suite on the fault-free gateway; baseline of the next self-test. */
export const SuiteFacts = Type.Object({
  level: Type.Enum([...campaignLevels]),
  cases: Type.Array(CaseFacts),
});
export type SuiteFacts = Static<typeof SuiteFacts>;

export interface SelfTestRecord {
  readonly format: "rackproof/selftest@1";
  readonly suite: string;
  readonly level: CampaignLevel;
  readonly seed: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly machine: { readonly cpu: string; readonly cores: number };
  /** Number of all faults; more than `results` for a sample. */
  readonly faults: number;
  readonly results: readonly FaultResult[];
  /** Stated requirements that cases test and no fault violates. */
  readonly gaps: readonly string[];
  /** Checks of the baseline that the suite no longer makes, a line each. */
  readonly fallenSilent: readonly string[];
}
