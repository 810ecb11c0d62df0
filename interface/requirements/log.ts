import type { Requirement } from "./requirement.ts";

export const logRequirements: readonly Requirement[] = [];
