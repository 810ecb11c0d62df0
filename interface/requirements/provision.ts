import type { Requirement } from "./requirement.ts";

export const provisionRequirements: readonly Requirement[] = [];
