import type { Requirement } from "./requirement.ts";

export const upgradeRequirements: readonly Requirement[] = [];
