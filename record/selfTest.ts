// What a self-test found: whether the suite notices each misbehaviour of the reference gateway, and by what.
import Type, { type Static } from "typebox";
import { type CampaignLevel, campaignLevels } from "../interface/vocabulary/levels.ts";

/** What became of one fault. */
export const FaultResult = Type.Object({
  fault: Type.String(),
  requirement: Type.String(),
  subtlety: Type.String(),
  what: Type.String(),
  /**
   * `killed`: its requirement failed; `killed-by-another`: only others failed; `silent`: cases that look at its
   * requirement ran and saw nothing; `not-reached`: no case looked at its requirement, or none came to an end.
   */
  outcome: Type.Enum(["killed", "killed-by-another", "silent", "not-reached"]),
  /** The first case that noticed it. */
  noticedBy: Type.Optional(Type.String()),
  /** Requirements that failed. */
  failed: Type.Array(Type.String()),
  /** What was not decided: case and reason. */
  undecided: Type.Array(Type.String()),
  casesRun: Type.Integer(),
  durationMs: Type.Number(),
});
export type FaultResult = Static<typeof FaultResult>;

/** What a case did on a gateway that is right. */
export const CaseFacts = Type.Object({
  id: Type.String(),
  durationMs: Type.Integer(),
  /** Operations that it calls with success, in the order of their first call. */
  operations: Type.Array(Type.String()),
  /** Requirements that it checks, in the order of their first check. */
  checks: Type.Array(Type.String()),
});
export type CaseFacts = Static<typeof CaseFacts>;

/** The suite as it behaved on the good gateway; the next self-test is compared with it. */
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
  /** How many faults there are; more than `results` where a sample was taken. */
  readonly faults: number;
  readonly results: readonly FaultResult[];
  /** Stated requirements that cases look at and no fault breaks. */
  readonly gaps: readonly string[];
  /** Checks that the suite made before and makes no longer, a line each. */
  readonly fallenSilent: readonly string[];
}
