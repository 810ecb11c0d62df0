import type { Requirement } from "./requirement.ts";

const shared = {
  group: "general",
  level: "declared",
  declaredBy: "capabilities",
  place: "Profile: capabilities",
} as const;

/** Whether the capabilities in the profile agree with what the gateway serves. */
export const declarationRequirements: readonly Requirement[] = [
  {
    id: "CORE-PROFILE-01",
    ...shared,
    statement: "The gateway serves every group of operations that the profile declares.",
  },
  {
    id: "CORE-PROFILE-02",
    ...shared,
    statement: "The gateway serves no group of operations that the profile declares absent.",
  },
];
