// Cases that do not run: why, and their records.
import type { RunningGateway } from "../../rigs/index.ts";
import type { CaseRecord } from "../../record/index.ts";
import type { Profile } from "../profile/profile.ts";
import type { TestCase } from "../suite/case.ts";
import { missingEquipment } from "./equipment.ts";

export interface Unrun {
  readonly verdict: "not-applicable" | "inconclusive";
  readonly reasonCode: string;
  readonly reason: string;
}

/** Why the case applies to none of the gateways; undefined when it applies to one. */
export function inapplicable(
  testCase: TestCase,
  gateways: readonly RunningGateway[],
  { capabilities }: Pick<Profile, "capabilities">,
): Unrun | undefined {
  const lacking = gateways.map((gateway) => missingEquipment(testCase, gateway));
  if (lacking.every((parts) => parts.length > 0)) {
    const parts = lacking[0]?.join(", ").replaceAll("-", " ");
    return {
      verdict: "not-applicable",
      reasonCode: "equipment-not-there",
      reason: `the rig of this gateway has no ${parts}`,
    };
  }
  const missing = (testCase.capabilities ?? []).filter((id) => !capabilities.has(id));
  return missing.length === 0
    ? undefined
    : {
        verdict: "not-applicable",
        reasonCode: "capability-not-declared",
        reason: `the profile does not declare ${missing.join(", ")}`,
      };
}

export function unrunRecord(
  testCase: TestCase,
  seed: number,
  { verdict, reasonCode, reason }: Unrun,
): CaseRecord {
  return {
    id: testCase.id,
    title: testCase.title,
    group: testCase.group,
    requirements: [...testCase.requirements],
    effect: testCase.effect,
    verdict,
    durationMs: 0,
    seed,
    reason,
    reasonCode,
    checks: [],
    measurements: [],
    notes: [],
    decided: testCase.requirements.map((requirement) => ({ requirement, verdict })),
  };
}
