import type { Requirement } from "./requirement.ts";

export const rebootRequirements: readonly Requirement[] = [];
